export const WEEK_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
/** 1970-01-05 was the first Monday (UTC), as in date_trunc('week', …) of ensure_week(). */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Time after the end of a week at which it is closed, because late readings often arrive in these days. */
const CLOSED_AFTER_MS = 2 * DAY_MS;

/** Returns the start (ms) of the week of a time: Monday, UTC. */
export const weekStartOf = (ms: number): number =>
  Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;

/** Returns the start (ms) of the first week that is not closed: a week is closed when it has been over for two days. */
export const firstOpenWeek = (now: number): number => weekStartOf(now - CLOSED_AFTER_MS);
