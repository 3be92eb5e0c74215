import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { readColumns } from '#server/telemetry/readings/read-columns.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';

/** Counts the readings of a stream in a range (ms): from the roll-up, and at both ends from the readings. */
export async function countReadings(db: Database, streamId: number, { from, to }: Range): Promise<number> {
  const [head, tail] = [bucketStart(from + BUCKET_MS - 1), bucketStart(to)];
  const ends =
    head < tail
      ? [
          { from, to: head },
          { from: tail, to },
        ]
      : [{ from, to }];
  const inEnds = await readColumns(db, streamId, ends, []);
  const { rows } = await shardForStream(db, streamId).query<{ count: number }>(
    `select coalesce(sum(count), 0)::float8 as count from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3`,
    [streamId, new Date(head), new Date(tail)],
  );
  return inEnds.reduce((sum, { times }) => sum + times.length, rows[0]?.count ?? 0);
}
