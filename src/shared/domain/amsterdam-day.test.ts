import { expect, test } from 'vitest';
import { amsterdamDay } from './amsterdam-day.ts';

test.each([
  ['2026-01-01T00:30:00+01:00', '2026-01-01'],
  ['2025-12-31T22:59:59Z', '2025-12-31'],
  ['2026-03-28T23:00:00Z', '2026-03-29'],
  ['2026-03-29T21:59:59Z', '2026-03-29'], // the short day
  ['2026-03-29T22:00:00Z', '2026-03-30'],
  ['2026-10-25T22:59:59Z', '2026-10-25'], // the long day
  ['2026-10-25T23:00:00Z', '2026-10-26'],
])('APP-12 %s is on %s', (iso, day) => {
  expect(amsterdamDay(Date.parse(iso))).toBe(day);
});
