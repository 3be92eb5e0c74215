/** What a device shows of an alert, on its way there by web push. */
export type PushNotice = {
  /** What it is known by: a device gets each once. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** A page of the portal, which it leads to. */
  readonly path: string;
  /** Of one thread: a newer one takes the place of the one before. */
  readonly tag: string;
  /** It may disturb: the device is woken for it, and rings again for a newer one. */
  readonly urgent: boolean;
};

/** Push services carry 4096 bytes at least, with what encryption adds (RFC 8030 section 7.2). */
const MOST_BYTES = 3_000;
const MOST_TITLE = 120;

/** As it is sent: what is too long for that ends at a word. */
export function pushPayload(notice: PushNotice): string {
  const title = cutAtWord(notice.title, MOST_TITLE);
  const withBody = (most: number) => JSON.stringify({ ...notice, title, body: cutAtWord(notice.body, most) });
  let most = Math.min(notice.body.length, MOST_BYTES);
  while (most > 0 && bytesOf(withBody(most)) > MOST_BYTES) most = Math.floor(most * 0.9);
  return withBody(most);
}

/** @returns undefined when it is none of ours */
export function readPushPayload(text: string): PushNotice | undefined {
  let read: Partial<Record<keyof PushNotice, unknown>> | null;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { id, title, body, path, tag, urgent } = read ?? {};
  const texts = [id, title, body, path, tag];
  if (!texts.every((one) => typeof one === 'string') || typeof urgent !== 'boolean' || title === '')
    return undefined;
  return read as PushNotice;
}

/** `most` characters at most, the sign for the rest included. */
function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(most - 1, 0));
  const whole = /\s/.test(text[cut.length] ?? '') ? cut : cut.replace(/\s+\S*$/, '');
  // Not in the middle of a character of two.
  return `${whole.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`;
}

/** In UTF-8. */
const bytesOf = (text: string): number => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length;
