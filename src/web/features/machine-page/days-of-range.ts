/** The days of a range that is shown as a bar per day. */
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** A range of fewer or more days gets no bars: few days give little to compare, and many bars are too narrow to press. */
const MIN_DAYS = 3;
const MAX_DAYS = 14;

/**
 * Returns the days that begin in a range, 'YYYY-MM-DD' in Amsterdam, in order. The last seven days thus give the six whole days and
 * today. Returns none if there are too few or too many for bars.
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
