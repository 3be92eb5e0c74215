/** When a machine's maintenance is due: by its hour meter, by the calendar, or by whichever comes first. */
import { daysAfter } from './amsterdam-time.ts';
import { decimals, dutchDate } from './nl.ts';

export type MaintenancePlan = {
  /** Every so many running hours; null: not by the hour meter. */
  readonly everyHours: number | null;
  /** Every so many months; null: not by the calendar. */
  readonly everyMonths: number | null;
  /** What the hour meter said when it was done last, and the day, 'YYYY-MM-DD'. */
  readonly lastHours: number;
  readonly lastDay: string;
};

export const MAINTENANCE_STATES = ['ok', 'soon', 'due'] as const;
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number];
export const MAINTENANCE_REASONS = ['hours', 'date'] as const;

export type MaintenanceDue = {
  readonly state: MaintenanceState;
  /** By what it is so; of two that say the same the hour meter. */
  readonly by: (typeof MAINTENANCE_REASONS)[number];
  /** On the hour meter; below 0 left: so much too late. null: not by it. */
  readonly dueHours: number | null;
  readonly hoursLeft: number | null;
  /** 'YYYY-MM-DD'; on that day it is due. null: not by the calendar. */
  readonly dueDay: string | null;
  readonly daysLeft: number | null;
};

const WARNED_HOURS = 50;
const WARNED_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * What is to be said of a plan now. It depends on the hour meter and the day alone, so that what became due while nothing was
 * heard is due. Of an interval that is shorter than twice the warning its second half is the warning.
 * @param hours what the hour meter says, @param today 'YYYY-MM-DD' in Amsterdam
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

/** Days of running that the usual hours are counted from, and the fewest that say something. */
export const USUAL_HOURS_DAYS = 28;
const FEWEST_DAYS = 14;
/** Hours per day of a machine whose usual hours are not known: a day of work. */
const HOURS_PER_WORKDAY = 10;
/** Expected days further away say nothing. */
const MOST_DAYS_AHEAD = 3_650;

/**
 * Returns the running hours per week that a machine usually makes; undefined: fewer than 14 days are known.
 * @param runningHours of the last `days` days, 28 at most
 */
export const usualHoursPerWeek = (runningHours: number, days: number): number | undefined =>
  days < FEWEST_DAYS ? undefined : (runningHours / days) * 7;

/**
 * Returns the day 'YYYY-MM-DD' on which a plan is expected to be due, by its calendar or by the machine's usual hours, whichever comes
 * first. null: it is due already, the machine stands still, or that day is more than ten years away.
 */
export function expectedDay(
  { state, hoursLeft, dueDay }: MaintenanceDue,
  hoursPerWeek: number | undefined,
  today: string,
): string | null {
  if (state === 'due') return null;
  const days = hoursLeft !== null && hoursPerWeek ? Math.ceil(hoursLeft / (hoursPerWeek / 7)) : Infinity;
  const byHours = days <= MOST_DAYS_AHEAD ? daysAfter(today, days) : null;
  if (byHours === null || dueDay === null) return byHours ?? dueDay;
  return byHours < dueDay ? byHours : dueDay;
}

/** More than the days of any plan. */
const STATE_STEP_DAYS = 1e7;

/**
 * Returns a number by which plans are ordered, what is due first lowest: what is overdue, then what is due soon, then the others; among them
 * by the days until they are due. Days of a plan by hours follow from the usual hours per week; where those are not known, or 0, a day of
 * work has ten hours.
 */
export function dueOrder({ state, hoursLeft, daysLeft, hoursPerWeek }: OrderedPlan): number {
  const hoursPerDay = hoursPerWeek ? hoursPerWeek / 7 : HOURS_PER_WORKDAY;
  const days = Math.min(daysLeft ?? Infinity, (hoursLeft ?? Infinity) / hoursPerDay);
  return days - STATE_STEP_DAYS * MAINTENANCE_STATES.indexOf(state);
}
type OrderedPlan = Pick<MaintenanceDue, 'state' | 'hoursLeft' | 'daysLeft'> & {
  readonly hoursPerWeek?: number | null | undefined;
};

/** The same day of a later month, or the last one that this has. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

/** 'Elke 500 uur of 12 maanden'. */
export function intervalText({
  everyHours,
  everyMonths,
}: Pick<MaintenancePlan, 'everyHours' | 'everyMonths'>): string {
  const parts = [
    ...(everyHours === null ? [] : [`${decimals(everyHours, 1, 0)} uur`]),
    ...(everyMonths === null ? [] : [`${everyMonths} ${everyMonths === 1 ? 'maand' : 'maanden'}`]),
  ];
  return `Elke ${parts.join(' of ')}`;
}

/** 'Over 265,5 uur, bij 1.500 uur of op 01-03-2027', 'Bijna: over 1 dag, op 01-03-2027', 'Nu nodig, 105 uur over tijd'. */
export function dueText({ state, by, dueHours, hoursLeft, dueDay, daysLeft }: MaintenanceDue): string {
  const hours = (value: number | null): string => `${decimals(value ?? 0, 1, 0)} uur`;
  const day = dutchDate(dueDay ?? '');
  const amount = Math.abs((by === 'hours' ? hoursLeft : daysLeft) ?? 0);
  const left = by === 'hours' ? hours(amount) : `${decimals(amount, 0, 0)} ${amount === 1 ? 'dag' : 'dagen'}`;
  if (state === 'due') return amount === 0 ? 'Nu nodig' : `Nu nodig, ${left} over tijd`;
  const at = by === 'hours' ? `bij ${hours(dueHours)}` : `op ${day}`;
  const other = by === 'hours' && dueDay !== null ? ` of op ${day}` : '';
  return state === 'soon' ? `Bijna: over ${left}, ${at}` : `Over ${left}, ${at}${other}`;
}
