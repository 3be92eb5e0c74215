import { expect, test } from 'vitest';
import {
  dueSortValue,
  dueText,
  expectedDay,
  intervalText,
  type MaintenancePlan,
  maintenanceDue,
  usualHoursPerWeek,
} from './maintenance.ts';

const HOURS: MaintenancePlan = {
  everyHours: 500,
  everyMonths: null,
  lastHours: 1_000,
  lastDay: '2026-01-31',
};
const MONTHS: MaintenancePlan = { ...HOURS, everyHours: null, everyMonths: 1 };
const BOTH: MaintenancePlan = { ...HOURS, everyMonths: 12 };
const SHORT: MaintenancePlan = { ...HOURS, everyHours: 40 };

test.each<[string, MaintenancePlan, number, string, string]>([
  ['just done', HOURS, 1_000, '2026-01-31', 'ok hours 500'],
  ['a moment before the warning', HOURS, 1_449.9, '2026-12-01', 'ok hours 50.1'],
  ['50 hours before', HOURS, 1_450, '2026-12-01', 'soon hours 50'],
  ['a moment before it is due', HOURS, 1_499.9, '2026-12-01', 'soon hours 0.1'],
  ['now', HOURS, 1_500, '2026-12-01', 'due hours 0'],
  ['the hour meter passed the due hours in a gap', HOURS, 1_900, '2026-12-01', 'due hours -400'],
  ['the hour meter is below its last value', HOURS, 900, '2026-12-01', 'ok hours 600'],
  ['a short interval is warned of halfway', SHORT, 1_019.9, '2026-02-01', 'ok hours 20.1'],
  ['a short interval, halfway', SHORT, 1_020, '2026-02-01', 'soon hours 20'],
  ['14 days and one', MONTHS, 0, '2026-02-13', 'ok date 15'],
  ['14 days', MONTHS, 0, '2026-02-14', 'soon date 14'],
  ['the last day of a shorter month', MONTHS, 0, '2026-02-28', 'due date 0'],
  ['long after', MONTHS, 0, '2027-02-28', 'due date -365'],
  ['across the change to summer time', { ...MONTHS, lastDay: '2026-03-20' }, 0, '2026-04-10', 'soon date 10'],
  ['a leap year', { ...MONTHS, lastDay: '2027-01-31', everyMonths: 13 }, 0, '2028-02-29', 'due date 0'],
  ['both, none near', BOTH, 1_100, '2026-06-01', 'ok hours 400'],
  ['both, the date first', BOTH, 1_100, '2027-01-31', 'due date 0'],
  ['both, the date due and the hours soon', BOTH, 1_460, '2027-02-01', 'due date -1'],
  ['both due', BOTH, 1_500, '2027-02-01', 'due hours 0'],
])('a plan is due by the hour meter or by the calendar: %s (16.1d)', (_, plan, hours, today, expected) => {
  const { state, by, hoursLeft, daysLeft } = maintenanceDue(plan, hours, today);
  const left = by === 'hours' ? hoursLeft : daysLeft;
  expect(`${state} ${by} ${Math.round((left ?? Number.NaN) * 10) / 10}`).toBe(expected);
});

test.each<[MaintenancePlan, number, string, string]>([
  [BOTH, 1_234.5, '2026-06-01', 'Over 265,5 uur, bij 1.500 uur of op 31-01-2027'],
  [HOURS, 1_460, '2026-06-01', 'Bijna: over 40 uur, bij 1.500 uur'],
  [HOURS, 1_700, '2026-06-01', 'Nu nodig, 200 uur over tijd'],
  [MONTHS, 0, '2026-02-01', 'Over 27 dagen, op 28-02-2026'],
  [MONTHS, 0, '2026-02-27', 'Bijna: over 1 dag, op 28-02-2026'],
  [MONTHS, 0, '2026-03-02', 'Nu nodig, 2 dagen over tijd'],
])('the text about when a plan is due: %j at %d hours on %s (16.1d)', (plan, hours, today, expected) => {
  expect(dueText(maintenanceDue(plan, hours, today))).toBe(expected);
});

test.each([
  ['half an hour a day', BOTH, 1_000, '2026-02-01', 3.5, '2027-01-31'],
  ['ten hours a day', BOTH, 1_250, '2026-02-01', 70, '2026-02-26'],
  ['part of a day counts as a day', HOURS, 1_499, '2026-02-01', 70, '2026-02-02'],
  ['it stands still', HOURS, 1_250, '2026-02-01', 0, null],
  ['it stands still, and there is a date', BOTH, 1_250, '2026-02-01', 0, '2027-01-31'],
  ['its usual hours are not known', HOURS, 1_250, '2026-02-01', undefined, null],
  ['more than ten years', HOURS, 1_000, '2026-02-01', 0.5, null],
  ['it is due', HOURS, 1_500, '2026-02-01', 70, null],
] as const)(
  'the day on which maintenance is expected follows from the usual hours: %s (53.29)',
  (_, plan, hours, today, perWeek, expected) => {
    expect(expectedDay(maintenanceDue(plan, hours, today), perWeek, today)).toBe(expected);
  },
);

test('the usual running hours per week are unknown before 14 days of data (53.29)', () => {
  expect(usualHoursPerWeek(80, 28)).toBe(20);
  expect(usualHoursPerWeek(80, 14)).toBe(40);
  expect(usualHoursPerWeek(80, 13)).toBeUndefined();
  expect(usualHoursPerWeek(0, 28)).toBe(0);
});

test('overdue plans are listed first, then plans that are due soon, whatever the expected days (53.29)', () => {
  const on = '2026-12-01';
  const plan = (lastHours: number, hoursPerWeek?: number) => ({
    ...maintenanceDue({ ...HOURS, lastHours }, 1_500, on),
    hoursPerWeek,
  });
  const ordered = [
    plan(700, 10),
    plan(900, 100),
    plan(1_040, 70),
    plan(1_010, 1),
    plan(1_200, 70),
    plan(1_400),
    plan(1_200, 7),
  ];
  const orders = ordered.map(dueSortValue);
  expect(orders.toSorted((a, b) => a - b)).toEqual(orders);
  expect(ordered.map(({ state }) => state)).toEqual(['due', 'due', 'soon', 'soon', 'ok', 'ok', 'ok']);
});

test.each([
  [{ everyHours: 500, everyMonths: 12 }, 'Elke 500 uur of 12 maanden'],
  [{ everyHours: 12.5, everyMonths: null }, 'Elke 12,5 uur'],
  [{ everyHours: null, everyMonths: 1 }, 'Elke 1 maand'],
])('the interval %j is described in Dutch (53.29)', (plan, expected) => {
  expect(intervalText(plan)).toBe(expected);
});
