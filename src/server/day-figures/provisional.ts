import type { Database } from '#server/platform/database.ts';
import { ofStreams } from '#server/platform/shards.ts';
import { OUTDATED_FROM } from '#server/telemetry/precomputed-days.ts';

/** A logger that is behind may still bring something of a day. */
const BEHIND_MS = 10 * 60_000;
const PATIENCE_MS = 7 * 86_400_000;

/** How far the days of a stream are counted; ms. */
export type Progress = {
  /** Of its newest reading; -Infinity: it never reported. */
  readonly newest: number;
  /** From when on what was counted may not hold any more; Infinity: it all does. */
  readonly uncounted: number;
};

/** Whether what was told of a day or of an earlier time may still change: 'voorlopig' (docs/figures.md section 13). @param end ms */
export function mayChange({ newest, uncounted }: Progress, end: number, now: number): boolean {
  if (newest === Number.NEGATIVE_INFINITY) return false;
  if (uncounted < end) return true;
  return newest < end + BEHIND_MS && now < end + PATIENCE_MS;
}

/** @returns of one of the streams and the end of a day, ms, whether it may still change */
export async function readProvisional(
  db: Database,
  streams: readonly number[],
  now: number,
): Promise<(streamId: number, end: number) => boolean> {
  const known = await ofStreams(db, streams, (shard, own) =>
    shard.query<Progress & { id: number }>(
      `select l.stream_id as id, date_part('epoch', l.time) * 1000 as newest, coalesce(${OUTDATED_FROM}, 'infinity') as uncounted
     from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id where l.stream_id = any ($1)`,
      [own],
    ),
  );
  const byStream = new Map(known.map((one) => [one.id, one]));
  return (streamId, end) => {
    const progress = byStream.get(streamId);
    return progress !== undefined && mayChange(progress, end, now);
  };
}
