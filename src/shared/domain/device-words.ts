/** 'Chrome op Windows': the first that fits; a browser names those that it is like too. */
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
const LONGEST = 60;

/** With what somebody came, by its User-Agent: a browser in words, a program by its own. '' where it says nothing. */
export function deviceWords(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(text))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser !== undefined) return system === undefined ? browser : `${browser} op ${system}`;
  // What a program says of itself may hold the address of its maker.
  return text
    .replace(/\P{ASCII}|\p{C}/gu, '')
    .replace(/\S*@\S*/g, '')
    .trim()
    .slice(0, LONGEST);
}
