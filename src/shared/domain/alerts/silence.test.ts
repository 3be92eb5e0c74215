import { expect, test } from 'vitest';
import { isManyAtOnce, silentSince } from './silence.ts';

const HOUR_MS = 3_600_000;

test('16.1t silent: from the last that came in, by its hours', () => {
  expect(silentSince(1000, { threshold: 24 })).toBe(1000 + 24 * HOUR_MS);
});

test.each<[silent: number, all: number, boolean]>([
  [4, 4, false],
  [5, 5, true],
  [5, 16, true],
  [5, 17, false],
  [29, 100, false],
  [30, 100, true],
  [3000, 10_000, true],
])('16.1t %i of %i machines silent together are one alert: %s', (silent, all, expected) => {
  expect(isManyAtOnce(silent, all)).toBe(expected);
});
