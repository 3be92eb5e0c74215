/** Computes when maintenance is due: by the hour meter or by the calendar, whichever comes first. */
import { daysAfter } from './amsterdam-time.ts';
import { dutchDate, formatDecimals } from './nl.ts';

export type MaintenancePlan = {
  /** Interval in running hours; null: not by the hour meter. */
  readonly everyHours: number | null;
  /** Interval in months; null: not by the calendar. */
  readonly everyMonths: number | null;
  /** When the maintenance was last done: hour meter, and day ('YYYY-MM-DD'). */
  readonly lastHours: number;
  readonly lastDay: string;
};

export const MAINTENANCE_STATES = ['ok', 'soon', 'due'] as const;
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number];
export const MAINTENANCE_REASONS = ['hours', 'date'] as const;

export type MaintenanceDue = {
  readonly state: MaintenanceState;
  /** Whether the hour meter or the date gives the state; the hour meter if both give the same state. */
  readonly by: (typeof MAINTENANCE_REASONS)[number];
  /** `dueHours`: hour meter at which the plan is due; `hoursLeft` is negative when overdue. null: not by the hour meter. */
  readonly dueHours: number | null;
  readonly hoursLeft: number | null;
  /** The day on which the plan is due ('YYYY-MM-DD'); `daysLeft` is negative when overdue. null: not by the calendar. */
  readonly dueDay: string | null;
  readonly daysLeft: number | null;
};

const WARNED_HOURS = 50;
const WARNED_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Returns when a plan is due. It depends on the hour meter and the day only, so that a plan also becomes due while the machine is silent.
 * The warning begins WARNED_HOURS or WARNED_DAYS before, but never in the first half of an interval in hours.
 * @param hours the hour meter
 * @param today 'YYYY-MM-DD' in Amsterdam
 */
export function maintenanceDue(plan: MaintenancePlan, hours: number, today: string): MaintenanceDue {
  const { everyHours, everyMonths, lastHours, lastDay } = plan;
  const dueHours = everyHours === null ? null : lastHours + everyHours;
  const hoursLeft = dueHours === null ? null : dueHours - hours;
  const dueDay = everyMonths === null ? null : monthsAfter(lastDay, everyMonths);
  const daysLeft = dueDay === null ? null : (Date.parse(dueDay) - Date.parse(today)) / DAY_MS;
  const byHours = stateOf(hoursLeft, Math.min(WARNED_HOURS, (everyHours ?? 0) / 2));
  const byDate = stateOf(daysLeft, WARNED_DAYS);
  const isByDate =
    dueHours === null ||
    (dueDay !== null && MAINTENANCE_STATES.indexOf(byDate) > MAINTENANCE_STATES.indexOf(byHours));
  return {
    state: isByDate ? byDate : byHours,
    by: isByDate ? 'date' : 'hours',
    dueHours,
    hoursLeft,
    dueDay,
    daysLeft,
  };
}

function stateOf(left: number | null, warned: number): MaintenanceState {
  if (left === null) return 'ok';
  if (left <= 0) return 'due';
  return left <= warned ? 'soon' : 'ok';
}

/** The usual hours are computed from the last 28 days, if at least 14 of them are known. */
export const USUAL_HOURS_PERIOD_DAYS = 28;
const MIN_KNOWN_DAYS = 14;
/** Assumed running hours per day of a machine whose usual hours are not known. */
const HOURS_PER_WORKDAY = 10;
/** An expected day that is further away is not shown. */
const MAX_DAYS_AHEAD = 3_650;

/**
 * Returns the running hours per week that a machine usually makes; undefined: fewer than 14 days are known.
 * @param runningHours running hours in the last `days` days, at most 28
 */
export const usualHoursPerWeek = (runningHours: number, days: number): number | undefined =>
  days < MIN_KNOWN_DAYS ? undefined : (runningHours / days) * 7;

/**
 * Returns the day ('YYYY-MM-DD') on which a plan is expected to be due, by its calendar or by the machine's
 * usual hours, whichever is earlier; null: the plan is already due, or it has no interval in months and the machine's
 * usual hours are 0, not known, or too few to use up `hoursLeft` within ten years.
 */
export function expectedDay(
  { state, hoursLeft, dueDay }: MaintenanceDue,
  hoursPerWeek: number | undefined,
  today: string,
): string | null {
  if (state === 'due') return null;
  const days = hoursLeft !== null && hoursPerWeek ? Math.ceil(hoursLeft / (hoursPerWeek / 7)) : Infinity;
  const byHours = days <= MAX_DAYS_AHEAD ? daysAfter(today, days) : null;
  if (byHours === null || dueDay === null) return byHours ?? dueDay;
  return byHours < dueDay ? byHours : dueDay;
}

/** More days than any plan has, so that plans are sorted by state first and then by days. */
const STATE_STEP_DAYS = 1e7;

/**
 * Returns a number for sorting plans: overdue plans first, then those that are due soon, then the others; within a state by the days until
 * they are due. Hours are converted to days by the usual hours per week, or by ten hours per day when those are unknown or 0.
 */
export function dueSortValue({ state, hoursLeft, daysLeft, hoursPerWeek }: OrderedPlan): number {
  const hoursPerDay = hoursPerWeek ? hoursPerWeek / 7 : HOURS_PER_WORKDAY;
  const days = Math.min(daysLeft ?? Infinity, (hoursLeft ?? Infinity) / hoursPerDay);
  return days - STATE_STEP_DAYS * MAINTENANCE_STATES.indexOf(state);
}
type OrderedPlan = Pick<MaintenanceDue, 'state' | 'hoursLeft' | 'daysLeft'> & {
  readonly hoursPerWeek?: number | null | undefined;
};

/** Returns the same date a number of months later, or the last day of that month. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

/** Returns 'Elke 500 uur of 12 maanden'. */
export function intervalText({
  everyHours,
  everyMonths,
}: Pick<MaintenancePlan, 'everyHours' | 'everyMonths'>): string {
  const parts = [
    ...(everyHours === null ? [] : [`${formatDecimals(everyHours, 1, 0)} uur`]),
    ...(everyMonths === null ? [] : [`${everyMonths} ${everyMonths === 1 ? 'maand' : 'maanden'}`]),
  ];
  return `Elke ${parts.join(' of ')}`;
}

/**
 * Returns when a plan is due: 'Over 265,5 uur, bij 1.500 uur of op 01-03-2027', 'Bijna: over 1 dag, op 01-03-2027' or 'Nu nodig, 105 uur
 * over tijd'.
 */
export function dueText({ state, by, dueHours, hoursLeft, dueDay, daysLeft }: MaintenanceDue): string {
  const hours = (value: number | null): string => `${formatDecimals(value ?? 0, 1, 0)} uur`;
  const day = dutchDate(dueDay ?? '');
  const amount = Math.abs((by === 'hours' ? hoursLeft : daysLeft) ?? 0);
  const left =
    by === 'hours' ? hours(amount) : `${formatDecimals(amount, 0, 0)} ${amount === 1 ? 'dag' : 'dagen'}`;
  if (state === 'due') return amount === 0 ? 'Nu nodig' : `Nu nodig, ${left} over tijd`;
  const at = by === 'hours' ? `bij ${hours(dueHours)}` : `op ${day}`;
  const other = by === 'hours' && dueDay !== null ? ` of op ${day}` : '';
  return state === 'soon' ? `Bijna: over ${left}, ${at}` : `Over ${left}, ${at}${other}`;
}
