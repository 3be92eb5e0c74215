import { expect, test } from 'vitest';
import { amsterdamDay, amsterdamDayRange, amsterdamInstant, wallClockOf } from './amsterdam-time.ts';

const iso = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);

test.each([
  ['2026-11-21 16:20', '2026-11-21T15:20', '2026-11-21T15:20'], // winter
  ['2026-07-01 00:05', '2026-06-30T22:05', '2026-06-30T22:05'], // summer, and the day before in UTC
  ['2026-03-29 01:59', '2026-03-29T00:59', '2026-03-29T00:59'],
  ['2026-03-29 02:30', '2026-03-29T01:30', '2026-03-29T01:30'], // skipped: the clock shows 03:30
  ['2026-03-29 03:00', '2026-03-29T01:00', '2026-03-29T01:00'],
  ['2026-10-25 02:30', '2026-10-25T00:30', '2026-10-25T01:30'], // twice
  ['2026-10-25 03:00', '2026-10-25T02:00', '2026-10-25T02:00'],
  ['2026-11-21T16:20:00', '2026-11-21T15:20', '2026-11-21T15:20'],
])('%s typed in a picker is %s, or the last time %s (MDET-13, APP-12)', (typed, first, last) => {
  expect(iso(amsterdamInstant(typed, 'first'))).toBe(first);
  expect(iso(amsterdamInstant(typed, 'last'))).toBe(last);
});

test.each(['', '21-11-2026 16:20', '2026-02-30 10:00', '2026-11-21', '2026-11-21 24:10', '2026-13-01 10:00'])(
  'amsterdamInstant returns undefined for %j, which is no time (MDET-13)',
  (typed) => expect(amsterdamInstant(typed, 'first')).toBeUndefined(),
);

test('amsterdamInstant reverses wallClockOf for every half hour of a year, in any time zone of the computer (APP-12)', () => {
  for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 1_800_000) {
    const shown = wallClockOf(ms);
    expect([amsterdamInstant(shown, 'first'), amsterdamInstant(shown, 'last')]).toContain(ms);
  }
});

test.each([
  ['2026-11-21', 24],
  ['2026-03-29', 23],
  ['2026-10-25', 25],
  ['2026-12-31', 24],
])('the day %s has %i hours in Amsterdam (APP-12)', (date, hours) => {
  const day = amsterdamDayRange(date)!;
  expect((day.to - day.from) / 3_600_000).toBe(hours);
  expect(wallClockOf(day.from)).toBe(`${date} 00:00:00`);
  expect(wallClockOf(day.to).slice(11)).toBe('00:00:00');
});

test('amsterdamDayRange returns undefined for a text that is no date (APP-12)', () =>
  expect(amsterdamDayRange('2026-02-30')).toBeUndefined());

test.each([
  ['2026-01-01T00:30:00+01:00', '2026-01-01'],
  ['2025-12-31T22:59:59Z', '2025-12-31'],
  ['2026-03-28T23:00:00Z', '2026-03-29'],
  ['2026-03-29T21:59:59Z', '2026-03-29'], // the short day
  ['2026-03-29T22:00:00Z', '2026-03-30'],
  ['2026-10-25T22:59:59Z', '2026-10-25'], // the long day
  ['2026-10-25T23:00:00Z', '2026-10-26'],
])('the instant %s lies on %s in Amsterdam (APP-12)', (iso, day) => {
  expect(amsterdamDay(Date.parse(iso))).toBe(day);
});
