import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { segmentsOf } from './range.ts';

/** Returns the last day with a reading before the end of the range, in the caller's own time; null for none. */
export async function lastDay(
  db: Database,
  { streamId, own }: OwnHistory,
  { from, to }: Range,
): Promise<string | null> {
  // The range comes first, so that only its partitions are opened when it has a reading.
  for (const range of [
    { from, to },
    { from: 0, to: from },
  ]) {
    for (const segment of segmentsOf(range, own).reverse()) {
      const { rows } = await ofStream(db, streamId).query<{ ms: number }>(
        `select date_part('epoch', time) * 1000 as ms from telemetry.reading
         where stream_id = $1 and time >= $2 and time < $3 order by time desc limit 1`,
        [streamId, new Date(segment.from), new Date(segment.to)],
      );
      if (rows[0]) return amsterdamDay(rows[0].ms);
    }
  }
  return null;
}
