import { expect, test } from 'vitest';
import { dayAfterKey, monthAfter, weeksOf } from './month.ts';

test.each([
  ['2026-11', 6, '2026-11-01', 6, '2026-11-30'],
  ['2026-02', 5, '2026-02-01', 6, '2026-02-28'],
  ['2021-02', 4, '2021-02-01', 0, '2021-02-28'],
  ['2028-02', 5, '2028-02-01', 1, '2028-02-29'],
  // The months in which summer time begins and ends.
  ['2026-03', 6, '2026-03-01', 6, '2026-03-31'],
  ['2026-10', 5, '2026-10-01', 3, '2026-10-31'],
])('the calendar has the weeks of %s from Monday to Sunday (14.2l)', (month, count, first, at, last) => {
  const weeks = weeksOf(month);
  expect(weeks).toHaveLength(count);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect(weeks[0]?.indexOf(first)).toBe(at);
  const days = weeks.flat().filter((day) => day !== undefined);
  expect(days.at(-1)).toBe(last);
  expect(days).toEqual(days.toSorted());
  expect(new Set(days).size).toBe(Number(last.slice(8)));
});

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', -1, '2026-02'],
])('the month %s moved by %i months is %s (14.2l)', (month, by, expected) => {
  expect(monthAfter(month, by)).toBe(expected);
});

test.each([
  ['2026-11-11', 'ArrowLeft', '2026-11-10'],
  ['2026-11-11', 'ArrowRight', '2026-11-12'],
  ['2026-11-11', 'ArrowUp', '2026-11-04'],
  ['2026-11-11', 'ArrowDown', '2026-11-18'],
  ['2026-11-11', 'Home', '2026-11-09'],
  ['2026-11-11', 'End', '2026-11-15'],
  ['2026-11-01', 'ArrowLeft', '2026-11-01'],
  ['2026-11-30', 'ArrowDown', '2026-11-30'],
  ['2026-11-01', 'Home', '2026-11-01'],
  ['2026-11-30', 'End', '2026-11-30'],
  ['2026-11-11', 'Tab', undefined],
])('in the calendar, the focus moves from %s with %s to %s (14.2l)', (day, key, expected) => {
  expect(dayAfterKey(day, key)).toBe(expected);
});
