import { escapeHtml } from '#server/platform/html.ts';
import { PermanentFailure } from '#server/platform/job-failure.ts';
import { telephoneLink } from '#shared/domain/telephone.ts';

/** A mail to one person. */
export type MailMessage = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Additional headers; each value is one line. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A file, only in mails that are composed when they are sent, because a job in the queue holds no attachment. */
  readonly attachment?: { readonly name: string; readonly contentType: string; readonly bytes: Buffer };
};

/** A plain address without name, list, blanks, control characters or characters that end a header or command. */
const ADDRESS = /^[^\s\p{C}@<>()[\],;:"\\]+@[^\s\p{C}@<>()[\],;:"\\]+$/u;

export const isPlainAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

/**
 * Checks the parts of a mail that could inject headers or commands.
 * @throws PermanentFailure if a part is not plain
 */
export function requireSafeMail({ to, subject, headers = {} }: MailMessage): void {
  if (!isPlainAddress(to)) throw new PermanentFailure('A mail needs one plain address');
  if (subject.trim() === '' || /\p{C}/u.test(subject))
    throw new PermanentFailure('A mail needs a subject of one line');
  if (Object.values(headers).some((value) => /\p{C}/u.test(value)))
    throw new PermanentFailure('A header of a mail is one line');
}

/** The content of a mail: paragraphs, an optional code to type over, and a link. */
type MailContent = {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly code?: string;
  /** Lines that end in a telephone number. In HTML the number is a link. */
  readonly calls?: readonly ContactToCall[];
  /** Link to a page of the portal (MAIL-02). */
  readonly link: Link;
  /** A secondary link in small print. */
  readonly footer?: Link;
};
/** A person to call, shown as 'Bel Jan (van project Sluis): 06-12345678'. */
export type ContactToCall = { readonly label: string; readonly telephone: string };
type Link = { readonly label: string; readonly url: string };

const SIGNATURE = 'Werkstroom';

const anchor = ({ label, url }: Link): string => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;

/** Returns a mail with the same content as plain text and as HTML; paragraphs are escaped. */
export function composeMail({
  to,
  subject,
  paragraphs,
  code,
  calls = [],
  link,
  footer,
}: MailContent): MailMessage {
  const text = [
    ...paragraphs,
    ...calls.map(({ label, telephone }) => `${label}: ${telephone}`),
    ...(code === undefined ? [] : [code]),
    `${link.label}: ${link.url}`,
    SIGNATURE,
    ...(footer ? [`${footer.label}: ${footer.url}`] : []),
  ];
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(code === undefined
      ? []
      : [`<p style="font:700 24px monospace;letter-spacing:2px">${escapeHtml(code)}</p>`]),
    ...calls.map(
      ({ label, telephone }) =>
        `<p>${escapeHtml(label)}: ${anchor({ label: telephone, url: telephoneLink(telephone) })}</p>`,
    ),
    `<p>${anchor(link)}</p>`,
    `<p>${SIGNATURE}</p>`,
    ...(footer ? [`<p style="font-size:13px">${anchor(footer)}</p>`] : []),
  ];
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="nl">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/1.5 sans-serif;max-width:36em;margin:1em auto;padding:0 1em">
${html.join('\n')}
</body>
</html>
`,
  };
}
