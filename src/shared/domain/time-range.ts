/** A stretch of time that somebody looks back at (MDET-13, LOG-04, TEST-01). */
import { dayOf } from './amsterdam-time.ts';

/** ms since 1970. */
export type TimeRange = { readonly from: number; readonly to: number };

const MINUTE_MS = 60_000;

/** Of 'YYYY-MM-DD' in Amsterdam; of today the minutes that are past. undefined: no day. */
export function rangeOfDay(date: string, now: number): TimeRange | undefined {
  const day = dayOf(date);
  const past = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return day && { from: day.from, to: Math.max(day.from, Math.min(day.to, past)) };
}

/** What is wrong with a range, per field, in words; {} when nothing is. */
export type RangeFaults = { readonly from?: string; readonly to?: string };

export function rangeFaults({ from, to }: TimeRange, now: number): RangeFaults {
  return {
    ...(from > to && { from: 'De begintijd ligt na de eindtijd.' }),
    ...(to > now && { to: 'De eindtijd ligt in de toekomst.' }),
  };
}

export const isFaulty = (faults: RangeFaults): boolean => Object.keys(faults).length > 0;
