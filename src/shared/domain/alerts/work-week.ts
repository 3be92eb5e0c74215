/** The work week of an organization, by the clock in Amsterdam: defines 'outside working hours' and 'the shift' of alerts. */

import { amsterdamDay, amsterdamDayRange, amsterdamHoursRange, nextDay } from '../amsterdam-time.ts';
import type { Range } from '../intervals.ts';
import { WEEKDAYS } from '../nl.ts';

/** 'HH:mm'; an end before the start is on the next day, and 00:00 to 00:00 is the whole day. */
export type ShiftHours = { readonly from: string; readonly to: string };

/** A period of days off; its first and last day ('YYYY-MM-DD') are included. */
export type OwnHoliday = {
  readonly holidayName: string;
  readonly firstDay: string;
  readonly lastDay: string;
};

export type WorkWeek = {
  /** Seven, Monday first; null: a day off. */
  readonly workDays: readonly (ShiftHours | null)[];
  /** Whether the national holidays of the Netherlands are days off. */
  readonly nationalHolidays: boolean;
  readonly ownHolidays: readonly OwnHoliday[];
};

const MIDNIGHT = '00:00';
const DAY: ShiftHours = { from: '07:00', to: '17:00' };
/** The default week, for an organization that has not entered one. */
export const DEFAULT_WORK_WEEK: WorkWeek = {
  workDays: [DAY, DAY, DAY, DAY, DAY, null, null],
  nationalHolidays: true,
  ownHolidays: [],
};

const DAY_MS = 86_400_000;
/** If no shift begins within this number of days, there is no next shift. */
const MAX_REST_DAYS = 400;

export const isWorkTime = (week: WorkWeek, ms: number): boolean => shiftAt(week, ms) !== undefined;

/** Returns the shift that runs at a time, half-open. A shift belongs to the day on which it begins. */
export function shiftAt(week: WorkWeek, ms: number): Range | undefined {
  const today = dayAt(ms);
  return [lastDay.before, today]
    .map((day) => shiftOn(week, day))
    .find((shift) => shift && shift.from <= ms && ms < shift.to);
}

/** Returns the first shift that begins after `ms`; undefined: none within MAX_REST_DAYS. */
export function nextShift(week: WorkWeek, ms: number): Range | undefined {
  let day = dayAt(ms);
  for (let n = 0; n < MAX_REST_DAYS; n += 1, day = nextDay(day)) {
    const shift = shiftOn(week, day);
    if (shift && shift.from > ms) return shift;
  }
  return undefined;
}

/** Returns the shifts that begin in a range. */
export function shiftsIn(week: WorkWeek, { from, to }: Range): Range[] {
  const shifts: Range[] = [];
  for (let at = from - 1; ; ) {
    const shift = nextShift(week, at);
    if (!shift || shift.from >= to) return shifts;
    shifts.push(shift);
    at = shift.from;
  }
}

// Cache of shifts, because Intl takes 50 µs per call: ten thousand machines need a shift each minute, and a preview needs one for every 5
// minutes of a month.
const known = new WeakMap<WorkWeek, Map<string, Range | undefined>>();
let lastDay: Range & { readonly day: string; readonly before: string } = {
  from: 0,
  to: 0,
  day: '',
  before: '',
};

function dayAt(ms: number): string {
  if (ms < lastDay.from || ms >= lastDay.to) {
    const day = amsterdamDay(ms);
    lastDay = { day, before: dayBefore(day), ...(amsterdamDayRange(day) as Range) };
  }
  return lastDay.day;
}

/** Returns the shift that begins on a day, 'YYYY-MM-DD'. */
function shiftOn(week: WorkWeek, day: string): Range | undefined {
  const shifts = known.get(week) ?? new Map<string, Range | undefined>();
  known.set(week, shifts);
  if (!shifts.has(day)) shifts.set(day, readShift(week, day));
  return shifts.get(day);
}

function readShift(week: WorkWeek, day: string): Range | undefined {
  const hours = week.workDays[(new Date(day).getUTCDay() + 6) % 7];
  return hours && holidayOn(week, day) === undefined
    ? amsterdamHoursRange(day, hours.from, hours.to)
    : undefined;
}

function holidayOn({ nationalHolidays, ownHolidays }: WorkWeek, day: string): string | undefined {
  const own = ownHolidays.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
  if (own || !nationalHolidays) return own?.holidayName;
  return holidaysOf(Number(day.slice(0, 4))).find((one) => one.day === day)?.name;
}

const dayBefore = (day: string): string => dayIn(Date.parse(day) - DAY_MS);
const dayIn = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns the national holidays of the Netherlands in a year, in order. Bevrijdingsdag counts only every fifth
 * year, when most people have the day off by custom.
 */
export function holidaysOf(year: number): { readonly day: string; readonly name: string }[] {
  const easter = easterOf(year);
  const fromEaster = (days: number): string => dayIn(easter + days * DAY_MS);
  // King's day is celebrated a day earlier if it falls on a Sunday.
  const kingsDay = new Date(Date.UTC(year, 3, 27)).getUTCDay() === 0 ? 26 : 27;
  const found: readonly (readonly [day: string, name: string])[] = [
    [`${year}-01-01`, 'Nieuwjaarsdag'],
    [fromEaster(0), 'Eerste paasdag'],
    [fromEaster(1), 'Tweede paasdag'],
    [`${year}-04-${kingsDay}`, 'Koningsdag'],
    ...(year % 5 === 0 ? [[`${year}-05-05`, 'Bevrijdingsdag'] as const] : []),
    [fromEaster(39), 'Hemelvaartsdag'],
    [fromEaster(49), 'Eerste pinksterdag'],
    [fromEaster(50), 'Tweede pinksterdag'],
    [`${year}-12-25`, 'Eerste kerstdag'],
    [`${year}-12-26`, 'Tweede kerstdag'],
  ];
  return found.map(([day, name]) => ({ day, name })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Returns Easter Sunday in ms, by the Gregorian computus (Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const moon =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * toSunday) / 451);
  const days = moon + toSunday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}

/** An error in a work week: the path of its part ('workDays.0', 'ownHolidays.2.lastDay'), and a message that follows the part's name. */
export type WeekError = { readonly path: readonly (string | number)[]; readonly message: string };

/** Returns the errors in a week. A week without errors has no overlapping shifts, and no day belongs to two of its periods of days off. */
export function weekErrors({ workDays, ownHolidays }: WorkWeek): WeekError[] {
  const errors: WeekError[] = [];
  for (const [n, hours] of workDays.entries()) {
    if (!hours) continue;
    const path = ['workDays', n];
    const before = workDays[(n + 6) % 7];
    if (hours.from === hours.to && hours.from !== MIDNIGHT)
      errors.push({ path, message: 'begint en eindigt op dezelfde tijd' });
    else if (before && before.to < before.from && before.to > hours.from)
      errors.push({ path, message: `begint voordat de dienst van ${WEEKDAYS[(n + 6) % 7]} klaar is` });
  }
  for (const [n, { firstDay, lastDay }] of ownHolidays.entries()) {
    if (lastDay < firstDay)
      errors.push({ path: ['ownHolidays', n, 'lastDay'], message: 'ligt voor de eerste dag' });
    const isTwice = ownHolidays
      .slice(0, n)
      .some((other) => other.firstDay <= lastDay && firstDay <= other.lastDay);
    if (isTwice)
      errors.push({ path: ['ownHolidays', n, 'firstDay'], message: 'valt samen met een andere vrije dag' });
  }
  return errors;
}
