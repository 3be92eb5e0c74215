import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** One of fewer would be more than a tenth. */
const FEWEST_STRETCHES = 10;
/** With more values in a day fewer than a tenth of its stretches can last 5 minutes. */
const MOST_VALUES = 10 * 288;
/** Readings that are looked through for them: of a day one each second. */
const MOST_READINGS = 86_400;

/**
 * Whether a logger reports so seldom that running hours are lost: more than a tenth of the stretches of MotorSpeed lie
 * between 5 and 6 minutes, where a stretch counts up to 5 (docs/figures.md section 12). Fewer than 10 are not judged.
 * @param times of its values of one day, ms, in order
 */
export function isIntervalTooLong(times: readonly number[]): boolean {
  const lengths = times.slice(1).map((time, n) => time - (times[n] as number));
  if (lengths.length < FEWEST_STRETCHES) return false;
  const lost = lengths.filter((ms) => ms > 5 * MINUTE_MS && ms <= 6 * MINUTE_MS);
  return lost.length > lengths.length / 10;
}

/** Of the last day of a stream, and only since its logger was bound. */
export async function reportsTooSeldom(
  db: Database,
  streamId: number,
  boundAt: Date,
  now: Date,
): Promise<boolean> {
  const since = new Date(Math.max(now.getTime() - DAY_MS, boundAt.getTime()));
  const { rows } = await ofStream(db, streamId).query<{ ms: number }>(
    `select extract(epoch from time)::float8 * 1000 as ms from (
       select time, motor_speed from telemetry.reading where stream_id = $1 and time >= $2 order by time desc limit $3
     ) as newest where motor_speed is not null limit $4`,
    [streamId, since, MOST_READINGS, MOST_VALUES],
  );
  if (rows.length === MOST_VALUES) return false;
  return isIntervalTooLong(rows.map(({ ms }) => Math.round(ms)).reverse());
}
