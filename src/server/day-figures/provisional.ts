import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { OUTDATED_FROM_SQL } from '#server/telemetry/precomputed-days.ts';

/** A day becomes final once the newest reading is this much later than its end, or at the latest PATIENCE_MS after its end. */
const BEHIND_MS = 10 * 60_000;
const PATIENCE_MS = 7 * 86_400_000;

/** How far the days of a stream are computed; ms. */
export type ComputationProgress = {
  /** Time of its newest reading; -Infinity when it never reported. */
  readonly newest: number;
  /** Time from which computed days may be outdated; Infinity when all are up to date. */
  readonly uncounted: number;
};

/**
 * Returns whether the figures of a day, or of an earlier time, may still change: 'voorlopig' (docs/figures.md section
 * 13).
 * @param end the end of the day, ms
 */
export function isDayProvisional(
  { newest, uncounted }: ComputationProgress,
  end: number,
  now: number,
): boolean {
  if (newest === Number.NEGATIVE_INFINITY) return false;
  if (uncounted < end) return true;
  return newest < end + BEHIND_MS && now < end + PATIENCE_MS;
}

/**
 * Returns a function that says whether the figures of a stream may still change. The function takes the stream and the end of a day
 * (ms).
 */
export async function openProvisionalCheck(
  db: Database,
  streams: readonly number[],
  now: number,
): Promise<(streamId: number, end: number) => boolean> {
  const known = await runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<ComputationProgress & { id: number }>(
      `select l.stream_id as id, date_part('epoch', l.time) * 1000 as newest, coalesce(${OUTDATED_FROM_SQL}, 'infinity') as uncounted
     from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id where l.stream_id = any ($1)`,
      [own],
    ),
  );
  const byStream = new Map(known.map((one) => [one.id, one]));
  return (streamId, end) => {
    const progress = byStream.get(streamId);
    return progress !== undefined && isDayProvisional(progress, end, now);
  };
}
