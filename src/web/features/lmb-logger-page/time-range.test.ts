import { expect, test } from 'vitest';
import { DEFAULT_RANGE, positionAt, rangeFaults, rangeOfDay } from './time-range.ts';

const at = (iso: string) => Date.parse(iso);

test('LOG-04 the default is 12 April 2025 from 08:00 to 20:00 in Amsterdam', () => {
  expect(DEFAULT_RANGE).toEqual({ from: at('2025-04-12T06:00:00Z'), to: at('2025-04-12T18:00:00Z') });
});

test('LOG-04 the last day with data is a whole day, of today what is past', () => {
  const now = at('2026-11-21T12:00:30Z');
  expect(rangeOfDay('2026-10-25', now)).toEqual({
    from: at('2026-10-24T22:00:00Z'),
    to: at('2026-10-25T23:00:00Z'),
  });
  expect(rangeOfDay('2026-11-21', now)).toEqual({
    from: at('2026-11-20T23:00:00Z'),
    to: at('2026-11-21T12:01:00Z'),
  });
  expect(rangeOfDay('gisteren', now)).toBeUndefined();
});

test.each([
  [{ from: 0, to: 100 }, 100, {}],
  [{ from: 100, to: 100 }, 200, { from: 'De begintijd ligt niet voor de eindtijd.' }],
  [{ from: 0, to: 100 }, 99, { to: 'De eindtijd ligt in de toekomst.' }],
])('LOG-04 API-03 a range %j at %i', (range, now, faults) => {
  expect(rangeFaults(range, now)).toEqual(faults);
});

test('LOG-03 a pointer outside the range is at its end', () => {
  const range = { from: 1_000, to: 2_000 };
  expect([0, 1_000, 1_500.4, 2_000, 9_999].map((instant) => positionAt(range, instant))).toEqual([
    0, 0, 500, 1000, 1000,
  ]);
  expect(positionAt({ from: 5, to: 5 }, 5)).toBe(0);
});
