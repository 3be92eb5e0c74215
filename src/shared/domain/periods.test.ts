import { expect, test } from 'vitest';
import type { ShiftHours } from './alerts/work-week.ts';
import { DEFAULT_NIGHT_HOURS, nightHoursBefore, PERIOD_PRESETS, type Period, periodOf } from './periods.ts';
import { daysBetween, periodText, plusDays, reportRangeMs } from './reports/settings.ts';

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
])('the named periods have the right days relative to %s (14.4g)', (today, expected) => {
  const weeksAndMore = PERIOD_PRESETS.filter(
    ([, label]) => label.includes(' ') && label !== 'Afgelopen nacht',
  );
  expect(weeksAndMore.map(([name]) => periodOf(name, today))).toEqual(expected);
});

test('daysBetween counts days across the begin of summer time and leap days (14.4g)', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(3);
  expect(daysBetween('2028-01-01', '2028-12-31')).toBe(366);
  expect(daysBetween('2026-01-02', '2026-01-01')).toBe(0);
  expect(plusDays('2026-10-24', 2)).toBe('2026-10-26');
});

test('the named periods today and yesterday have days, and last night has days and hours (53.33)', () => {
  expect(periodOf('vandaag', '2026-03-01')).toEqual(period('2026-03-01', '2026-03-01'));
  expect(periodOf('gisteren', '2026-03-01')).toEqual(period('2026-02-28', '2026-02-28'));
  const night = periodOf('afgelopen-nacht', '2026-03-29', { fromTime: '17:30', toTime: '07:00' });
  expect(night).toEqual({ from: '2026-03-28', to: '2026-03-29', fromTime: '17:30', toTime: '07:00' });
  expect(periodText(night)).toBe('28-03-2026 17:30 tot 29-03-2026 07:00');
  expect(periodText(period('2026-03-01', '2026-03-02'))).toBe('01-03-2026 tot en met 02-03-2026');
  // Summer time begins in the night to 29 March, which is an hour shorter.
  const { from, to } = reportRangeMs(night);
  expect((to - from) / 3_600_000).toBe(12.5);
});

const DAY: ShiftHours = { from: '07:00', to: '17:00' };
const SHORT: ShiftHours = { from: '08:00', to: '15:30' };
test.each<[string, (ShiftHours | null)[], string, string]>([
  // 2026-11-24 is a Tuesday, 2026-11-23 a Monday, 2026-11-28 a Saturday.
  ['2026-11-24', [DAY, DAY, DAY, DAY, SHORT, null, null], '17:00', '07:00'],
  ['2026-11-23', [DAY, DAY, DAY, DAY, SHORT, null, null], '15:30', '07:00'],
  ['2026-11-28', [SHORT, DAY, DAY, DAY, SHORT, null, null], '15:30', '08:00'],
  ['2026-11-24', [null, null, SHORT, null, null, null, null], '15:30', '08:00'],
  ['2026-11-24', Array(7).fill(null), '18:00', '06:00'],
  ['2026-11-24', [{ from: '22:00', to: '06:00' }, DAY, DAY, DAY, DAY, null, null], '18:00', '06:00'],
  ['2026-11-24', [{ from: '00:00', to: '00:00' }, DAY, DAY, DAY, DAY, null, null], '18:00', '06:00'],
])(
  'the night before %s lasts from the end of work to the next begin of work, case %# (53.33)',
  (today, workDays, fromTime, toTime) => {
    expect(nightHoursBefore({ workDays }, today)).toEqual({ fromTime, toTime });
  },
);

test('an organization without a work week has a night from 18:00 to 06:00 (53.33)', () => {
  expect(periodOf('afgelopen-nacht', '2026-11-24')).toMatchObject(DEFAULT_NIGHT_HOURS);
  expect(DEFAULT_NIGHT_HOURS).toEqual({ fromTime: '18:00', toTime: '06:00' });
});
