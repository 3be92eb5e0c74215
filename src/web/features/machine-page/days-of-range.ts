/** The days of a range that is shown as a bar per day. */
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** A range of fewer than MIN_DAYS days gets no bars (little to compare), nor one of more than MAX_DAYS (bars too narrow to press). */
const MIN_DAYS = 3;
const MAX_DAYS = 14;

/**
 * Returns the days that begin in a range, 'YYYY-MM-DD' in Amsterdam, in order. For the last seven times 24 hours these are six whole
 * days and today. Returns none if there are too few or too many for bars.
 */
export function daysOfRange({ from, to }: TimeRange): readonly string[] {
  const days: string[] = [];
  let day = amsterdamDayRange(amsterdamDay(from));
  while (day && day.from < to && days.length <= MAX_DAYS) {
    if (day.from >= from) days.push(amsterdamDay(day.from));
    day = amsterdamDayRange(amsterdamDay(day.to));
  }
  return days.length < MIN_DAYS || days.length > MAX_DAYS ? [] : days;
}
