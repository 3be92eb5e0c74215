/** One mail to one person. */
export type MailMessage = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Further headers, each one line. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** One plain address: no name, no list, no blank or control character, nothing that ends a header or a command. */
const ADDRESS = /^[^\s\p{C}@<>()[\],;:"\\]+@[^\s\p{C}@<>()[\],;:"\\]+$/u;

export const isPlainAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

/** @throws Error when an address or subject could say more than it seems to (header injection) */
export function requireSafeMail({ to, subject, headers = {} }: MailMessage): void {
  if (!isPlainAddress(to)) throw new Error('A mail needs one plain address');
  if (subject.trim() === '' || /\p{C}/u.test(subject)) throw new Error('A mail needs a subject of one line');
  if (Object.values(headers).some((value) => /\p{C}/u.test(value)))
    throw new Error('A header of a mail is one line');
}
