import type { Database } from '#server/platform/database.ts';

const WEEK_MS = 7 * 24 * 3600_000;
const DAY_MS = 24 * 3600_000;
// 1970-01-05 was the first Monday (UTC); date_trunc('week', …) of ensure_week() agrees.
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Weeks that began longer ago share the default partition. */
const OLDEST_OWN_WEEK_MS = 2 * 365.25 * DAY_MS;
/** New partitions that one logger may cause per day (DESIGN.md section 6): a wrong clock must not make hundreds. */
export const PARTITIONS_PER_LOGGER_AND_DAY = 20;

export const weekOf = (ms: number): number =>
  Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;

/** The weekly partitions of readings and roll-up, made before the batch that needs them. */
export type Partitions = {
  /**
   * Makes the partitions that `times` (ms) need, in transactions of their own. `logger` is charged for those
   * that are new; false when that would be more than it may cause today, and then none was made.
   */
  ensure(times: Iterable<number>, logger: string | undefined): Promise<boolean>;
};

export function openPartitions(db: Database, now: () => number): Partitions {
  const known = new Set<number>();
  let today = 0;
  const causedToday = new Map<string, number>();

  return {
    async ensure(times, logger) {
      const missing = new Set<number>();
      for (const time of times) {
        const week = weekOf(time);
        if (!known.has(week) && week >= now() - OLDEST_OWN_WEEK_MS) missing.add(week);
      }
      if (missing.size === 0) return true;
      const day = Math.floor(now() / DAY_MS);
      if (day !== today) {
        today = day;
        causedToday.clear();
      }
      // The running weeks come by themselves and are nobody's doing.
      const caused = [...missing].filter((week) => week < weekOf(now()) - WEEK_MS).length;
      if (logger !== undefined && caused > 0) {
        const before = causedToday.get(logger) ?? 0;
        if (before + caused > PARTITIONS_PER_LOGGER_AND_DAY) return false;
        causedToday.set(logger, before + caused);
      }
      for (const week of [...missing].sort((a, b) => a - b)) {
        await db.query('select ensure_week($1)', [new Date(week)]);
        known.add(week);
      }
      return true;
    },
  };
}
