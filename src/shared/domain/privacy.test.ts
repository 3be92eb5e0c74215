import { expect, test } from 'vitest';
import { isWorkingTime, type WorkingHours, workingHoursIn } from './privacy.ts';

const WEEK: WorkingHours = { days: [1, 2, 3, 4, 5], from: '06:30', to: '17:00' };
const NIGHT: WorkingHours = { days: [6], from: '22:00', to: '05:00' };
const ALL_DAY: WorkingHours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };

test.each<[string, WorkingHours, string, boolean]>([
  ['Monday, a minute before', WEEK, '2026-11-23T05:29:59.999Z', false],
  ['Monday, begin', WEEK, '2026-11-23T05:30:00Z', true],
  ['Monday, a moment before the end', WEEK, '2026-11-23T15:59:59.999Z', true],
  ['Monday, end', WEEK, '2026-11-23T16:00:00Z', false],
  ['Sunday', WEEK, '2026-11-22T11:00:00Z', false],
  ['in summer an hour earlier by UTC', WEEK, '2026-07-06T04:30:00Z', true],
  ['a night shift, Saturday evening', NIGHT, '2026-11-21T21:00:00Z', true],
  ['a night shift, Sunday morning', NIGHT, '2026-11-22T03:59:59Z', true],
  ['a night shift is over', NIGHT, '2026-11-22T04:00:00Z', false],
  ['a night shift, Friday evening', NIGHT, '2026-11-20T22:00:00Z', false],
  ['around the clock', ALL_DAY, '2026-11-22T23:00:00Z', true],
])('whether a time is in working hours: %s (13.12b)', (_, hours, at, expected) => {
  expect(isWorkingTime(hours, Date.parse(at))).toBe(expected);
});

const iso = (ms: number) => new Date(ms).toISOString();

test('workingHoursIn returns working hours in order, cut at the ends of the range (13.12b)', () => {
  const range = { from: Date.parse('2026-11-20T12:00:00Z'), to: Date.parse('2026-11-24T06:00:00Z') };
  expect(workingHoursIn(WEEK, range).map(({ from, to }) => [iso(from), iso(to)])).toEqual([
    ['2026-11-20T12:00:00.000Z', '2026-11-20T16:00:00.000Z'],
    ['2026-11-23T05:30:00.000Z', '2026-11-23T16:00:00.000Z'],
    ['2026-11-24T05:30:00.000Z', '2026-11-24T06:00:00.000Z'],
  ]);
});

test('working hours around the clock cover every moment once, also when summer time begins or ends (13.12b)', () => {
  for (const from of ['2026-03-27T23:00:00Z', '2026-10-23T22:00:00Z'].map(Date.parse)) {
    const hours = workingHoursIn(ALL_DAY, { from, to: from + 5 * 86_400_000 });
    expect(hours.reduce((sum, one) => sum + one.to - one.from, 0)).toBe(5 * 86_400_000);
    for (const [n, one] of hours.entries()) expect(one.from).toBe(n === 0 ? from : hours[n - 1]?.to);
  }
});
