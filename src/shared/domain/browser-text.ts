/** Browsers by a pattern of their User-Agent. The first match counts, because a User-Agent also names the browsers that it resembles. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
/** A browser's User-Agent has some 120 characters, an app's up to 300; the rest of a longer one is ignored. */
const READ_LENGTH = 512;
const SHOWN_LENGTH = 60;

/**
 * Returns the browser and system of a User-Agent header in Dutch ('Chrome op Windows'), or the header's own text, at most 60
 * characters and without e-mail addresses, where it names no known browser. Returns '' for an empty header.
 */
export function describeUserAgent(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, READ_LENGTH);
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(text))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser !== undefined) return system === undefined ? browser : `${browser} op ${system}`;
  return text
    .replace(/\P{ASCII}|\p{C}/gu, '')
    .split(' ')
    .map((word) => (word.includes('@') ? '' : word))
    .join(' ')
    .trim()
    .slice(0, SHOWN_LENGTH);
}
