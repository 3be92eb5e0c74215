/**
 * Patterns of secrets and personal data, each with its replacement. They take linear time, because each pattern matches only from
 * the first character of a word, so that no word is read twice.
 */
const PATTERNS: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
  // User and password of a URL: postgresql://user:password@host
  [/(?<![a-z0-9+.-])([a-z0-9+.-]*:\/\/)[^\s"/@]+@/gi, '$1[…]@'],
  // The query of a URL or path contains e-mails and codes. A question mark at the end of a word does not start a query.
  [/([\w)/.~-])\?[\w%.~+-]+=[^\s"']*/g, '$1?[…]'],
  [/\b(Bearer|Basic|AWS4-HMAC-SHA256) +[^\r\n"]+/gi, '$1 […]'],
  [/\b((?:__Host-)?werkstroom(?:-device)?)=[^\s";]+/g, '$1=[…]'],
  [/(?<![^\s"<>()[\]:;,'@/=])[^\s"<>()[\]:;,'@/=]+(?:@|%40)[^\s"<>()[\]:;,'@/=]+/gi, '[e-mail]'],
  // Session, reset and unsubscribe tokens, secrets of loggers: 32 and more random characters in a row.
  [/(?<![\w-])[\w-]{32,}/g, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? '[secret]' : word)],
];

/** Maximum length of a text in characters; the stack of an error with its causes is shorter. */
const MAX_TEXT_LENGTH = 8_192;

/**
 * Returns the words of a text that lie within MAX_TEXT_LENGTH. A word at the limit is dropped whole, because half a token would
 * no longer match a pattern.
 */
function cut(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const end = text.lastIndexOf(' ', MAX_TEXT_LENGTH);
  return `${text.slice(0, Math.max(end, 0))} […] (${text.length} characters)`;
}

/**
 * Returns a function that removes secrets, e-mail addresses, queries, tokens and credentials from every text in a line of JSON, and
 * shortens each text to 8,192 characters.
 * @param secrets texts that are removed wherever they appear; those of less than 6 characters are ignored, because they would also
 * match parts of other words
 */
export function makeSecretScrubber(secrets: readonly string[]): (line: string) => string {
  // Sorts the secrets by length, the longest first, because one secret may be part of another.
  const known = [...new Set(secrets)].filter((text) => text.length >= 6).sort((a, b) => b.length - a.length);
  const clean = (text: string): string => {
    let scrubbed = text;
    for (const secret of known) scrubbed = scrubbed.replaceAll(secret, '[secret]');
    scrubbed = cut(scrubbed);
    for (const [pattern, instead] of PATTERNS) scrubbed = scrubbed.replace(pattern, instead as string);
    return scrubbed;
  };
  return (line) => {
    const parsed = JSON.parse(line, (_key, value) => (typeof value === 'string' ? clean(value) : value));
    return `${JSON.stringify(parsed)}\n`;
  };
}
