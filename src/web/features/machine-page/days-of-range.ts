/** The days that a range has, where it is looked at by day. */
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** A bar per day: fewer are no picture, and of more none can be pressed on a phone. */
const LEAST_DAYS = 3;
const MOST_DAYS = 14;

/**
 * The days that begin in a range, 'YYYY-MM-DD' in Amsterdam, in order: of the last seven days those of which
 * all is in it, and today. Empty where they are too few or too many for bars.
 */
export function daysOfRange({ from, to }: TimeRange): readonly string[] {
  const days: string[] = [];
  let day = dayOf(amsterdamDay(from));
  while (day && day.from < to && days.length <= MOST_DAYS) {
    if (day.from >= from) days.push(amsterdamDay(day.from));
    day = dayOf(amsterdamDay(day.to));
  }
  return days.length < LEAST_DAYS || days.length > MOST_DAYS ? [] : days;
}
