import { expect, test } from 'vitest';
import { wallClockOf } from '../amsterdam-time.ts';
import {
  DEFAULT_WORK_WEEK,
  holidaysOf,
  isWorkTime,
  nextShift,
  shiftAt,
  type WorkWeek,
  weekErrors,
} from './work-week.ts';

const NIGHT = { from: '22:00', to: '06:00' };
const NIGHTS: WorkWeek = {
  workDays: [NIGHT, NIGHT, NIGHT, NIGHT, NIGHT, NIGHT, NIGHT],
  nationalHolidays: false,
  ownHolidays: [],
};
const NEVER: WorkWeek = { ...DEFAULT_WORK_WEEK, workDays: [null, null, null, null, null, null, null] };
const BUILDERS: WorkWeek = {
  ...DEFAULT_WORK_WEEK,
  ownHolidays: [{ holidayName: 'Bouwvak', firstDay: '2026-07-20', lastDay: '2026-08-07' }],
};
const ON_HOLIDAYS: WorkWeek = { ...DEFAULT_WORK_WEEK, nationalHolidays: false };
const SATURDAY_NIGHT: WorkWeek = { ...NEVER, workDays: [null, null, null, null, null, NIGHT, null] };
/** A week whose shift begins in the hour that the clock skips on the last Sunday of March. */
const SMALL: WorkWeek = {
  ...NEVER,
  workDays: [...NEVER.workDays.slice(0, 6), { from: '02:30', to: '03:00' }],
};

const walls = (shift: ReturnType<typeof shiftAt>): string | undefined =>
  shift && `${wallClockOf(shift.from).slice(0, 16)} - ${wallClockOf(shift.to).slice(0, 16)}`;
const HOUR_MS = 3_600_000;

test.each<[string, WorkWeek, string, string | undefined]>([
  ['Monday, a moment before', DEFAULT_WORK_WEEK, '2026-11-23T05:59:59.999Z', undefined],
  ['Monday, begin', DEFAULT_WORK_WEEK, '2026-11-23T06:00:00Z', '2026-11-23 07:00 - 2026-11-23 17:00'],
  [
    'Monday, the last moment',
    DEFAULT_WORK_WEEK,
    '2026-11-23T15:59:59.999Z',
    '2026-11-23 07:00 - 2026-11-23 17:00',
  ],
  ['Monday, end', DEFAULT_WORK_WEEK, '2026-11-23T16:00:00Z', undefined],
  ['Saturday', DEFAULT_WORK_WEEK, '2026-11-21T10:00:00Z', undefined],
  [
    'in summer an hour earlier by UTC',
    DEFAULT_WORK_WEEK,
    '2026-07-06T05:00:00Z',
    '2026-07-06 07:00 - 2026-07-06 17:00',
  ],
  ['Whit Monday', DEFAULT_WORK_WEEK, '2026-05-25T10:00:00Z', undefined],
  [
    'an organization that works on holidays',
    ON_HOLIDAYS,
    '2026-05-25T10:00:00Z',
    '2026-05-25 07:00 - 2026-05-25 17:00',
  ],
  ['own holidays, first day', BUILDERS, '2026-07-20T10:00:00Z', undefined],
  ['own holidays, last day', BUILDERS, '2026-08-07T10:00:00Z', undefined],
  ['after own holidays', BUILDERS, '2026-08-10T10:00:00Z', '2026-08-10 07:00 - 2026-08-10 17:00'],
  ['a night shift, evening', NIGHTS, '2026-11-23T22:00:00Z', '2026-11-23 22:00 - 2026-11-24 06:00'],
  ['a night shift, morning', NIGHTS, '2026-11-24T04:59:59Z', '2026-11-23 22:00 - 2026-11-24 06:00'],
  ['a night shift is over', NIGHTS, '2026-11-24T05:00:00Z', undefined],
  [
    'of the day on which it begins',
    SATURDAY_NIGHT,
    '2026-11-22T02:00:00Z',
    '2026-11-21 22:00 - 2026-11-22 06:00',
  ],
  ['a night with an hour less', NIGHTS, '2026-03-29T03:30:00Z', '2026-03-28 22:00 - 2026-03-29 06:00'],
  ['a night with an hour more', NIGHTS, '2026-10-25T04:30:00Z', '2026-10-24 22:00 - 2026-10-25 06:00'],
  ['a shift in the skipped hour', SMALL, '2026-03-29T01:10:00Z', undefined],
  ['nobody ever works', NEVER, '2026-11-23T10:00:00Z', undefined],
])('shiftAt returns the running shift: %s (16.1b)', (_, week, at, expected) => {
  expect(walls(shiftAt(week, Date.parse(at)))).toBe(expected);
  expect(isWorkTime(week, Date.parse(at))).toBe(expected !== undefined);
});

test('a night shift is an hour shorter or longer when summer time begins or ends (16.1b)', () => {
  const hours = (at: string) => {
    const { from, to } = shiftAt(NIGHTS, Date.parse(at)) as { from: number; to: number };
    return (to - from) / HOUR_MS;
  };
  expect(['2026-03-28T22:00Z', '2026-10-24T22:00Z', '2026-11-23T22:00Z'].map(hours)).toEqual([7, 9, 8]);
});

test.each<[string, WorkWeek, string, string | undefined]>([
  ['before work', DEFAULT_WORK_WEEK, '2026-11-23T05:00:00Z', '2026-11-23 07:00 - 2026-11-23 17:00'],
  [
    'as it begins, the one after it',
    DEFAULT_WORK_WEEK,
    '2026-11-23T06:00:00Z',
    '2026-11-24 07:00 - 2026-11-24 17:00',
  ],
  ['over the weekend', DEFAULT_WORK_WEEK, '2026-11-20T17:00:00Z', '2026-11-23 07:00 - 2026-11-23 17:00'],
  ['over Christmas', DEFAULT_WORK_WEEK, '2026-12-24T17:00:00Z', '2026-12-28 07:00 - 2026-12-28 17:00'],
  ['over New Year', DEFAULT_WORK_WEEK, '2026-12-31T17:00:00Z', '2027-01-04 07:00 - 2027-01-04 17:00'],
  ['over own holidays', BUILDERS, '2026-07-17T16:00:00Z', '2026-08-10 07:00 - 2026-08-10 17:00'],
  ['during the night shift', NIGHTS, '2026-11-24T02:00:00Z', '2026-11-24 22:00 - 2026-11-25 06:00'],
  [
    'around midnight in Amsterdam',
    DEFAULT_WORK_WEEK,
    '2026-11-22T23:30:00Z',
    '2026-11-23 07:00 - 2026-11-23 17:00',
  ],
  [
    'over the change to summer time',
    DEFAULT_WORK_WEEK,
    '2026-03-27T20:00:00Z',
    '2026-03-30 07:00 - 2026-03-30 17:00',
  ],
  ['nobody ever works', NEVER, '2026-11-23T10:00:00Z', undefined],
])('nextShift returns the next shift: %s (16.1b)', (_, week, at, expected) => {
  expect(walls(nextShift(week, Date.parse(at)))).toBe(expected);
});

test('holidaysOf returns the national holidays of the Netherlands (16.1b)', () => {
  expect(holidaysOf(2025).map(({ day, name }) => `${day} ${name}`)).toEqual([
    '2025-01-01 Nieuwjaarsdag',
    '2025-04-20 Eerste paasdag',
    '2025-04-21 Tweede paasdag',
    '2025-04-26 Koningsdag',
    '2025-05-05 Bevrijdingsdag',
    '2025-05-29 Hemelvaartsdag',
    '2025-06-08 Eerste pinksterdag',
    '2025-06-09 Tweede pinksterdag',
    '2025-12-25 Eerste kerstdag',
    '2025-12-26 Tweede kerstdag',
  ]);
  expect(holidaysOf(2026).map(({ day }) => day)).not.toContain('2026-05-05');
  expect(holidaysOf(2026).map(({ day }) => day)).toContain('2026-04-27');
});

/** Returns Easter by Gauss's rule with its two exceptions, for the years 1900 to 2099. */
function gaussEaster(year: number): string {
  const d = (19 * (year % 19) + 24) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7;
  let march = 22 + d + e;
  if (march === 57 || (march === 56 && d === 28 && year % 19 > 10)) march -= 7;
  return new Date(Date.UTC(year, 2, march)).toISOString().slice(0, 10);
}

test('Easter falls on the same day as by Gauss’s rule, for two centuries (16.1b)', () => {
  // 1954 and 1981 are the two exceptions in Gauss's rule; in 2038 Easter falls on the latest possible date.
  expect([1954, 1981, 2026, 2038].map(gaussEaster)).toEqual([
    '1954-04-18',
    '1981-04-19',
    '2026-04-05',
    '2038-04-25',
  ]);
  for (let year = 1900; year <= 2099; year += 1)
    expect(holidaysOf(year).find(({ name }) => name === 'Eerste paasdag')?.day).toBe(gaussEaster(year));
});

const day = (firstDay: string, lastDay = firstDay) => ({ holidayName: 'Vrij', firstDay, lastDay });
test.each<[string, Partial<WorkWeek>, string[]]>([
  ['nothing', {}, []],
  [
    'a shift without length',
    { workDays: [{ from: '07:00', to: '07:00' }, ...DEFAULT_WORK_WEEK.workDays.slice(1)] },
    ['workDays.0 begint en eindigt op dezelfde tijd'],
  ],
  [
    'two shifts at once',
    { workDays: [{ from: '22:00', to: '07:30' }, ...DEFAULT_WORK_WEEK.workDays.slice(1)] },
    ['workDays.1 begint voordat de dienst van maandag klaar is'],
  ],
  [
    'Sunday night and Monday',
    { workDays: [...DEFAULT_WORK_WEEK.workDays.slice(0, 6), { from: '20:00', to: '08:00' }] },
    ['workDays.0 begint voordat de dienst van zondag klaar is'],
  ],
  [
    'a shift that follows at once',
    { workDays: [NIGHT, { from: '06:00', to: '22:00' }, ...NEVER.workDays.slice(2)] },
    [],
  ],
  [
    'a day off twice',
    { ownHolidays: [day('2026-07-20'), day('2026-07-20')] },
    ['ownHolidays.1.firstDay valt samen met een andere vrije dag'],
  ],
  [
    'in another holiday',
    { ownHolidays: [day('2026-07-22'), day('2026-07-20', '2026-08-07')] },
    ['ownHolidays.1.firstDay valt samen met een andere vrije dag'],
  ],
  ['holidays one after the other', { ownHolidays: [day('2026-07-20', '2026-07-21'), day('2026-07-22')] }, []],
  [
    'an end before the begin',
    { ownHolidays: [day('2026-07-20', '2026-07-19')] },
    ['ownHolidays.0.lastDay ligt voor de eerste dag'],
  ],
])('weekErrors reports a week that contradicts itself: %s (16.1b)', (_, part, expected) => {
  expect(
    weekErrors({ ...DEFAULT_WORK_WEEK, ...part }).map(({ path, message }) => `${path.join('.')} ${message}`),
  ).toEqual(expected);
});
