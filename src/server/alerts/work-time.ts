import type { Database } from '#server/platform/database.ts';
import { type CalendarMachine, readCalendars } from '#server/work-weeks/calendars.store.ts';
import { type WorkCalendar, workWeekAt } from '#shared/domain/alerts/work-calendar.ts';
import { DEFAULT_WORK_WEEK, isWorkTime, type WorkWeek } from '#shared/domain/alerts/work-week.ts';
import type { Range } from '#shared/domain/intervals.ts';

export type WorkTimeCheck = (ms: number) => boolean;

const MINUTE_MS = 60_000;
const MOST = 10_000;

/**
 * Returns a function that returns, for a stream, the check whether a time is inside the working hours of the stream's machine.
 * @param range ms; contains all times to check
 */
export async function readWorkTimes(
  db: Database,
  machines: readonly CalendarMachine[],
  range: Range,
): Promise<(streamId: number) => WorkTimeCheck> {
  const calendars = await readCalendars(db, machines, range);
  return (streamId) => {
    const calendar = calendars.get(streamId);
    return calendar ? openWorkTimeCheck(calendar) : byMinutes(DEFAULT_WORK_WEEK);
  };
}

/** Returns a function that says whether a moment is inside the working hours of a calendar. */
export const openWorkTimeCheck = (calendar: WorkCalendar): WorkTimeCheck => {
  const { own, projects, usual } = calendar;
  if (own || projects.length === 0) return byMinutes(own ?? usual);
  return (ms) => byMinutes(workWeekAt(calendar, ms))(ms);
};

const minutesOf = new WeakMap<WorkWeek, Map<number, boolean>>();

/** Caches the result per minute: many readings share a minute. */
function byMinutes(week: WorkWeek): WorkTimeCheck {
  const known = minutesOf.get(week) ?? new Map<number, boolean>();
  minutesOf.set(week, known);
  return (ms) => {
    const minute = Math.floor(ms / MINUTE_MS);
    let is = known.get(minute);
    if (is === undefined) {
      if (known.size > MOST) known.clear();
      is = isWorkTime(week, minute * MINUTE_MS);
      known.set(minute, is);
    }
    return is;
  };
}
