import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['999999999', 86_400_000],
  ['Mon, 23 Nov 2026 12:00:30 GMT', 30_000],
  ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
  ['Wed, 25 Nov 2026 12:00:00 GMT', 86_400_000],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('the header Retry-After: %j is parsed (16.5c)', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});
