import { expect, test } from 'vitest';
import { type Period, PRESETS, periodOf } from './periods.ts';
import { daysBetween, plusDays } from './settings.ts';

const period = (from: string, to: string): Period => ({ from, to });

test.each<[string, Period[]]>([
  [
    '2026-11-23', // a Monday
    [
      period('2026-11-23', '2026-11-29'),
      period('2026-11-16', '2026-11-22'),
      period('2026-11-01', '2026-11-30'),
      period('2026-10-01', '2026-10-31'),
      period('2026-01-01', '2026-12-31'),
    ],
  ],
  [
    '2028-03-05', // a Sunday; February has 29 days
    [
      period('2028-02-28', '2028-03-05'),
      period('2028-02-21', '2028-02-27'),
      period('2028-03-01', '2028-03-31'),
      period('2028-02-01', '2028-02-29'),
      period('2028-01-01', '2028-12-31'),
    ],
  ],
  [
    '2027-01-01', // a Friday
    [
      period('2026-12-28', '2027-01-03'),
      period('2026-12-21', '2026-12-27'),
      period('2027-01-01', '2027-01-31'),
      period('2026-12-01', '2026-12-31'),
      period('2027-01-01', '2027-12-31'),
    ],
  ],
])('14.4g on %s the periods that have a name', (today, expected) => {
  expect(PRESETS.map(([name]) => periodOf(name, today))).toEqual(expected);
});

test('14.4g days are counted over summer time and leap days', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(3);
  expect(daysBetween('2028-01-01', '2028-12-31')).toBe(366);
  expect(daysBetween('2026-01-02', '2026-01-01')).toBe(0);
  expect(plusDays('2026-10-24', 2)).toBe('2026-10-26');
});
