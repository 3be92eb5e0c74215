import type { Database } from '#server/platform/database.ts';
import { columnForFigures, columnValues } from '#server/telemetry/readings/columns.ts';
import { readColumnsOf } from '#server/telemetry/readings/read-columns.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Minimum number of intervals: with fewer, a single long one would already be more than a tenth of them. */
const MIN_INTERVALS = 10;
/** Maximum number of values of a day that is judged: with more, fewer than a tenth of the intervals can last 5 minutes. */
const MAX_VALUES = 10 * 288;
/** Maximum number of readings to search: one per second of a day. */
const MAX_READINGS = 86_400;

/**
 * Returns whether a logger reports so seldom that running hours are lost: more than a tenth of the intervals between values of MotorSpeed
 * last 5 to 6 minutes, while figures count an interval of at most 5 minutes (docs/figures.md section 12). Returns false for fewer than 10
 * intervals.
 * @param times the times of the MotorSpeed values of one day in ms, in order
 */
export function isIntervalTooLong(times: readonly number[]): boolean {
  const lengths = times.slice(1).map((time, n) => time - (times[n] as number));
  if (lengths.length < MIN_INTERVALS) return false;
  const lost = lengths.filter((ms) => ms > 5 * MINUTE_MS && ms <= 6 * MINUTE_MS);
  return lost.length > lengths.length / 10;
}

/**
 * Returns whether the logger of a stream reports so seldom that running hours are lost, judged by the readings of the last 24 hours
 * since the logger was bound.
 */
export async function isReportingTooSeldom(
  db: Database,
  streamId: number,
  boundAt: Date,
  now: Date,
): Promise<boolean> {
  const range = { from: Math.max(now.getTime() - DAY_MS, boundAt.getTime()), to: Number.POSITIVE_INFINITY };
  const newest = await readColumnsOf(db, streamId, range, [columnForFigures('MotorSpeed')], MAX_READINGS);
  const speeds = columnValues(newest, 0);
  const times = Array.from(newest.times).filter((_, n) => !Number.isNaN(speeds[n]));
  return times.length < MAX_VALUES && isIntervalTooLong(times);
}
