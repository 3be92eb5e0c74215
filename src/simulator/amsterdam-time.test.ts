import { expect, test } from 'vitest';
import { amsterdamDay, amsterdamInstant, weekday } from './amsterdam-time.ts';

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

test.each([
  ['a winter morning', '2025-01-15', 7 * 60, '2025-01-15T06:00:00Z'],
  ['a summer morning', '2025-07-15', 7 * 60, '2025-07-15T05:00:00Z'],
  ['midnight before summer time', '2025-03-30', 0, '2025-03-29T23:00:00Z'],
  ['the last minute of winter time', '2025-03-30', 119, '2025-03-30T00:59:00Z'],
  ['half past two, which is skipped', '2025-03-30', 150, '2025-03-30T01:30:00Z'],
  ['the first minute of summer time', '2025-03-30', 180, '2025-03-30T01:00:00Z'],
  ['half past two, which comes twice', '2025-10-26', 150, '2025-10-26T00:30:00Z'],
  ['noon after summer time', '2025-10-26', 720, '2025-10-26T11:00:00Z'],
  ['05:30 of the next day', '2025-10-25', 29 * 60 + 30, '2025-10-26T04:30:00Z'],
])('amsterdamInstant returns the instant of a wall-clock time: %s', (_, date, minutes, instant) => {
  expect(new Date(amsterdamInstant(dayOf(date), minutes)).toISOString()).toBe(
    new Date(instant).toISOString(),
  );
});

test.each([
  ['2025-06-30T21:59:59Z', '2025-06-30'],
  ['2025-06-30T22:00:00Z', '2025-07-01'],
  ['2025-12-31T22:59:59.999Z', '2025-12-31'],
  ['2025-12-31T23:00:00Z', '2026-01-01'],
])('amsterdamDay returns the calendar day at %s', (instant, date) => {
  expect(amsterdamDay(Date.parse(instant))).toBe(dayOf(date));
});

test('weekday returns 0 for Monday and 6 for Sunday', () => {
  expect(weekday(dayOf('2025-11-17'))).toBe(0);
  expect(weekday(dayOf('2025-11-23'))).toBe(6);
  expect(weekday(dayOf('1969-12-29'))).toBe(0);
});
