import pg from 'pg';
import { type Database, isUnavailable } from '#server/platform/database.ts';
import { runInAllShards } from '#server/platform/shards.ts';
import type { Warn } from '#server/platform/warn.ts';
import { WEEK_MS, weekStartOf } from './readings/weeks.ts';

const DAY_MS = 24 * 3600_000;
/** Weeks that began longer ago than this share the default partition. */
const OLDEST_OWN_WEEK_MS = 2 * 365.25 * DAY_MS;
/**
 * Maximum number of new partitions that one logger may cause per day (docs/design.md section 6), so that a wrong clock does not
 * create hundreds.
 */
export const MAX_PARTITIONS_PER_LOGGER_DAY = 20;
/** Delay before another attempt for a week whose partitions could not be created. */
const TRY_AGAIN_MS = 60_000;

/** The weekly partitions of the readings and roll-up tables, which are created before a batch needs them. */
export type Partitions = {
  /**
   * Creates the partitions that `times` (ms) need, in separate transactions. New partitions count for `logger`; if the logger would
   * exceed its number for today, creates none and returns false. A week whose partitions cannot be created (because of another
   * table of that name or a missing right) gives a warning and uses the default partition meanwhile; no upload is refused for it. Returns
   * synchronously when all partitions exist.
   * @throws the database's error when it is unreachable
   */
  ensure(times: Iterable<number>, logger: string | undefined): boolean | Promise<boolean>;
};

/**
 * Returns the given weeks (ms) that have partitions in all shards. Their names are those of ensure_week() in
 * sql/weeks.sql.
 */
async function readExisting(db: Database, weeks: readonly number[]): Promise<number[]> {
  const ofShards = await runInAllShards(db, async (shard) => {
    const { rows } = await shard.query<{ week: number }>(
      `select week from unnest($1::float8[]) as week,
       lateral (select to_char(to_timestamp(week / 1000) at time zone 'UTC', 'IYYY"w"IW') as suffix) as named
     where telemetry.has_week(suffix)`,
      [weeks],
    );
    return { rows: [new Set(rows.map(({ week }) => week))] };
  });
  return weeks.filter((week) => ofShards.every((existing) => existing.has(week)));
}

export function openPartitions(db: Database, now: () => number, warn: Warn = () => {}): Partitions {
  const known = new Set<number>();
  /** Weeks whose readings go to the default partition, and the time of the next attempt (performance.now). */
  const sharingDefault = new Map<number, number>();
  let today = 0;
  /** New weeks that each logger needed today. A week that is requested again, because creating it failed or is in progress, counts once. */
  const causedToday = new Map<string, Set<number>>();

  async function make(week: number): Promise<void> {
    try {
      await runInAllShards(db, (shard) => shard.query('select telemetry.ensure_week($1)', [new Date(week)]));
      known.add(week);
      sharingDefault.delete(week);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || isUnavailable(error)) throw error;
      sharingDefault.set(week, performance.now() + TRY_AGAIN_MS);
      warn(
        'The partition of a week could not be created; its readings go to the default partition',
        error.message,
      );
    }
  }

  async function makeAll(unknown: readonly number[], logger: string | undefined): Promise<boolean> {
    // Partitions that were created before this process started, or by another process, count for no logger.
    for (const week of await readExisting(db, unknown)) known.add(week);
    const missing = unknown.filter((week) => !known.has(week)).sort((a, b) => a - b);

    const day = Math.floor(now() / DAY_MS);
    if (day !== today) {
      today = day;
      causedToday.clear();
    }
    // The current weeks are created anyway and count for no logger.
    const caused = missing.filter((week) => week < weekStartOf(now()) - WEEK_MS);
    if (logger !== undefined && caused.length > 0) {
      const all = new Set([...(causedToday.get(logger) ?? []), ...caused]);
      if (all.size > MAX_PARTITIONS_PER_LOGGER_DAY) return false;
      causedToday.set(logger, all);
    }
    for (const week of missing) {
      await make(week);
    }
    return true;
  }

  return {
    ensure(times, logger) {
      const unknown = new Set<number>();
      for (const time of times) {
        const week = weekStartOf(time);
        if (known.has(week)) continue;
        const tried = (sharingDefault.get(week) ?? 0) > performance.now();
        if (!tried && week >= now() - OLDEST_OWN_WEEK_MS) unknown.add(week);
      }
      return unknown.size === 0 || makeAll([...unknown], logger);
    },
  };
}

const ensureWeek = async (db: Database, later: number): Promise<void> =>
  void (await runInAllShards(db, (shard) =>
    shard.query(`select telemetry.ensure_week(now() + $1 * interval '7 days')`, [later]),
  ));

/** Tasks that create the partitions of a week in advance. Each task is independent of the other one and safe to repeat. */
export const WEEK_PARTITION_TASKS: readonly (readonly [
  what: string,
  ensure: (db: Database) => Promise<void>,
])[] = [
  ['partitions of this week', (db) => ensureWeek(db, 0)],
  ['partitions of next week', (db) => ensureWeek(db, 1)],
];
