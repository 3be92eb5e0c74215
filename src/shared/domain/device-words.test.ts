import { expect, test } from 'vitest';
import { deviceInWords } from './device-words.ts';

const MOZILLA = 'Mozilla/5.0';
const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/141.0.0.0 Safari/537.36`, 'Chrome op Windows'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge op Windows',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Chrome/141.0.0.0 Safari/537.36 OPR/120.0.0.0`,
    'Opera op Mac',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    'Safari op Mac',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari op iPhone',
  ],
  [
    `${MOZILLA} (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1`,
    'Chrome op iPad',
  ],
  [
    `${MOZILLA} (Linux; Android 15; SM-S931B) ${KHTML} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet op Android',
  ],
  [`${MOZILLA} (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0`, 'Firefox op Android'],
  [`${MOZILLA} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`, 'Firefox op Linux'],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/141.0.0.0 Safari/537.36`, 'Chrome op ChromeOS'],
  [`${MOZILLA} (X11; Linux x86_64) ${KHTML} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chrome op Linux'],
  [`${MOZILLA} (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko`, 'Browser op Windows'],
  ['curl/8.5.0', 'Programma curl'],
  ['python-requests/2.32.3', 'Programma python-requests'],
  ['node', 'Programma node'],
  ['', 'Onbekend apparaat'],
  [MOZILLA, 'Onbekend apparaat'],
  ['<script>alert(1)</script>', 'Onbekend apparaat'],
])('13.6c %s', (userAgent, words) => expect(deviceInWords(userAgent)).toBe(words));
