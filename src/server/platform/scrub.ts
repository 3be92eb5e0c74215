/** What may never be in a log, whoever wrote it, and what stands there instead. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // The user and password of an address: postgresql://user:password@host
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s"/@]+@/gi, '$1[…]@'],
  // The query of an address or path holds e-mails and codes; a question mark at the end of a word is none.
  [/([\w)/.~-])\?[\w%.~+-]+=[^\s"']*/g, '$1?[…]'],
  [/\b(Bearer|Basic|AWS4-HMAC-SHA256) +[^\r\n"]+/gi, '$1 […]'],
  [/\b((?:__Host-)?werkstroom(?:-device)?)=[^\s";]+/g, '$1=[…]'],
  [/[^\s"<>()[\]:;,'@/=]+(?:@|%40)[^\s"<>()[\]:;,'@/=]+/gi, '[e-mail]'],
  // Session, reset and unsubscribe tokens, secrets of loggers: 32 and more random characters in a row.
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}/g, '[secret]'],
];

/**
 * Cuts secrets, e-mail addresses, queries, tokens and credentials out of every text in a line of JSON.
 * @param secrets texts that are cut out wherever they appear; shorter ones than 6 characters are left, since they
 *   would tear words apart
 */
export function scrub(secrets: readonly string[]): (line: string) => string {
  // The longest first: one may be a part of another.
  const known = [...new Set(secrets)].filter((text) => text.length >= 6).sort((a, b) => b.length - a.length);
  const clean = (text: string): string => {
    let scrubbed = text;
    for (const secret of known) scrubbed = scrubbed.replaceAll(secret, '[secret]');
    for (const [pattern, instead] of PATTERNS) scrubbed = scrubbed.replace(pattern, instead);
    return scrubbed;
  };
  return (line) => {
    const parsed = JSON.parse(line, (_key, value) => (typeof value === 'string' ? clean(value) : value));
    return `${JSON.stringify(parsed)}\n`;
  };
}
