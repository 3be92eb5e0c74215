/** The time range of a page about the past (MDET-13, LOG-04, TEST-01). */
import { amsterdamDayRange } from './amsterdam-time.ts';

/** ms since 1970. */
export type TimeRange = { readonly from: number; readonly to: number };

const MINUTE_MS = 60_000;

/** Returns the range of a day in Amsterdam ('YYYY-MM-DD'), for today up to the last whole minute; undefined when it is no date. */
export function rangeOfDay(date: string, now: number): TimeRange | undefined {
  const day = amsterdamDayRange(date);
  const past = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return day && { from: day.from, to: Math.max(day.from, Math.min(day.to, past)) };
}

/** Dutch error texts by field; {}: the range is valid. */
export type RangeErrors = { readonly from?: string; readonly to?: string };

export function rangeErrors({ from, to }: TimeRange, now: number): RangeErrors {
  return {
    ...(from > to && { from: 'De begintijd ligt na de eindtijd.' }),
    ...(to > now && { to: 'De eindtijd ligt in de toekomst.' }),
  };
}

export const hasTimeRangeErrors = (errors: RangeErrors): boolean => Object.keys(errors).length > 0;
