/** What browsers and systems call themselves, the more particular name first: Edge says Chrome and Safari too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPiOS\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b|\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];
/** A program's first word, as 'curl/8.5.0' has it. */
const PROGRAM = /^([A-Za-z][\w.-]{0,30})(?:\/|$)/;

const wordIn = (userAgent: string, words: readonly (readonly [RegExp, string])[]): string | undefined =>
  words.find(([sign]) => sign.test(userAgent))?.[1];

/** Browser and system by the header User-Agent: 'Chrome op Windows'. It is the sender's word, and may be anything. */
export function deviceInWords(userAgent: string): string {
  const browser = wordIn(userAgent, BROWSERS);
  const system = wordIn(userAgent, SYSTEMS);
  if (browser !== undefined) return system === undefined ? browser : `${browser} op ${system}`;
  if (system !== undefined) return `Browser op ${system}`;
  const program = PROGRAM.exec(userAgent)?.[1];
  return program === undefined || program === 'Mozilla' ? 'Onbekend apparaat' : `Programma ${program}`;
}
