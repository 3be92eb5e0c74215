import { expect, test } from 'vitest';
import { bytesOfDataUrl } from './data-url.ts';

test.each([
  ['data:image/png;base64,aGFsbG8=', 'hallo'],
  ['data:;base64,aGFsbG8=', 'hallo'],
  ['data:text/html;charset=utf-8;base64,aGFsbG8h', 'hallo!'],
  ['DATA:application/pdf;BASE64,aGFsbG8hIQ==', 'hallo!!'],
])('the data URL %s is read (MEDIT-08, MEDIT-09)', (url, text) => {
  expect(bytesOfDataUrl(url).toString()).toBe(text);
});

test.each([
  ['nothing', ''],
  ['an empty file', 'data:image/png;base64,'],
  ['what Chrome makes of an empty file', 'data:'],
  ['no data URL', 'https://example.nl/foto.png'],
  ['no base64', 'data:image/svg+xml,%3Csvg%3E'],
  ['base64 cut short', 'data:image/png;base64,aGFsbG8'],
  ['a character of another alphabet', 'data:image/png;base64,aGF_bG8='],
  ['a line break', 'data:image/png;base64,aGFs\nbG8h'],
  ['padding in the middle', 'data:image/png;base64,aG8=aG8='],
  ['too much padding', 'data:image/png;base64,aGF====='],
  ['padding alone', 'data:image/png;base64,===='],
  ['an endless head', `data:${'x'.repeat(1000)};base64,aGFsbG8=`],
])('a data URL is refused with a sentence: %s (MEDIT-08, API-03)', (_, url) => {
  expect(() => bytesOfDataUrl(url)).toThrow(/^Het bestand is .+\./);
});

test('a data URL of 35 million characters is checked in about the time that decoding it takes (MEDIT-09)', () => {
  const digits = 'A'.repeat(35_000_000);
  const url = `data:application/pdf;base64,${digits}`;
  const timed = (work: () => unknown): number => {
    const from = performance.now();
    work();
    return performance.now() - from;
  };
  const decoding = timed(() => Buffer.from(digits, 'base64'));
  // A backtracking pattern takes hundreds of times as long, or fails.
  expect(timed(() => expect(bytesOfDataUrl(url)).toHaveLength(26_250_000))).toBeLessThan(
    50 * decoding + 1_000,
  );
  expect(() => bytesOfDataUrl(`${url.slice(0, -1)}*`)).toThrow('niet heel overgekomen');
});
