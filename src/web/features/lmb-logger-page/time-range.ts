/** Which stretch of time the page shows, and the slider's 1001 steps over it (LOG-03, LOG-04). */
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { dayOf, instantOf } from '#shared/domain/amsterdam-wall-clock.ts';

/** ms since 1970. */
export type TimeRange = { readonly from: number; readonly to: number };

/** Specification section 9. */
export const SLIDER_END = 1000;
/** Specification section 9, Amsterdam's clock. */
export const DEFAULT_RANGE: TimeRange = {
  from: instantOf('2025-04-12 08:00', 'first') as number,
  to: instantOf('2025-04-12 20:00', 'first') as number,
};

const MINUTE_MS = 60_000;

/** ms; the moment at which the slider stands. */
export const instantAt = ({ from, to }: TimeRange, position: number): number =>
  Math.round(from + ((to - from) * position) / SLIDER_END);

/** The slider's step that is nearest to an instant; at an end when it lies outside. */
export function positionAt({ from, to }: TimeRange, instant: number): number {
  if (to <= from) return 0;
  return Math.min(SLIDER_END, Math.max(0, Math.round(((instant - from) / (to - from)) * SLIDER_END)));
}

/** Of 'YYYY-MM-DD' in Amsterdam; of today what is past. undefined: no day. */
export function rangeOfDay(date: string, now: number): TimeRange | undefined {
  const day = dayOf(date);
  return day && { from: day.from, to: Math.min(day.to, Math.ceil(now / MINUTE_MS) * MINUTE_MS) };
}

/** Whether an answer says nothing about its range. */
export const isEmpty = ({ speed, machinestatus, spoor, spoorstand, location }: LmbData): boolean =>
  [...speed, ...machinestatus].every(({ data }) => data.length === 0) &&
  [spoor, spoorstand, location].every(({ length }) => length === 0);

/** What is wrong with what was picked, per field; {} when nothing is (specification section 5). */
export type RangeFaults = { readonly from?: string; readonly to?: string };

export function rangeFaults({ from, to }: TimeRange, now: number): RangeFaults {
  return {
    ...(from >= to && { from: 'De begintijd ligt niet voor de eindtijd.' }),
    ...(to > now && { to: 'De eindtijd ligt in de toekomst.' }),
  };
}
