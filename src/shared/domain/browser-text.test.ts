import { expect, test } from 'vitest';
import { describeUserAgent } from './browser-text.ts';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  [`${WINDOWS} Safari/537.36`, 'Chrome op Windows'],
  [`${WINDOWS} Safari/537.36 Edg/140.0.0.0`, 'Edge op Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari op iPhone',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox op Android'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['sync (beheer@klant.nl) \u0007 1.0', 'sync   1.0'],
  ['x'.repeat(500), 'x'.repeat(60)],
  ['a@'.repeat(60_000), ''],
  ['', ''],
  [undefined, ''],
])('describeUserAgent names browser and system: %s (13.9b)', (userAgent, words) => {
  expect(describeUserAgent(userAgent)).toBe(words);
});
