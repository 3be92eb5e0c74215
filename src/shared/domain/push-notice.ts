/** A notification about an alert, as web push sends it to a device. */
export type PushNotice = {
  /** Unique id; a device shows each notification once. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Path of the portal's page that a click on the notification opens. */
  readonly path: string;
  /** A newer notification with the same tag replaces the one before. */
  readonly tag: string;
  /** May disturb: wakes the device, and sounds again for a newer notification with the same tag. */
  readonly urgent: boolean;
};

/** Push services accept at least 4096 bytes, including encryption overhead (RFC 8030 section 7.2). */
const MAX_SIZE_BYTES = 3_000;
const MAX_TITLE_CHARACTERS = 120;

/** Returns the JSON to send; a text that is too long is cut at a word. */
export function pushPayload(notice: PushNotice): string {
  const title = cutAtWord(notice.title, MAX_TITLE_CHARACTERS);
  const withBody = (most: number) => JSON.stringify({ ...notice, title, body: cutAtWord(notice.body, most) });
  let most = Math.min(notice.body.length, MAX_SIZE_BYTES);
  while (most > 0 && bytesOf(withBody(most)) > MAX_SIZE_BYTES) most = Math.floor(most * 0.9);
  return withBody(most);
}

/** Parses a payload of `pushPayload`; returns undefined for any other text. */
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

/** Cuts a text to at most `most` characters, including '…'. */
function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(most - 1, 0));
  const whole = /\s/.test(text[cut.length] ?? '') ? cut : cut.replace(/\s+\S*$/, '');
  // Drops half of a surrogate pair.
  return `${whole.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`;
}

/** Returns the number of bytes of a text in UTF-8. */
const bytesOf = (text: string): number => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length;
