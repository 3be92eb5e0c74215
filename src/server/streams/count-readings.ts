import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';

/** Counts the readings of a stream in [from, to): from the roll-up, and at both ends from the readings. */
export async function countReadings(db: Database, streamId: number, from: Date, to: Date): Promise<number> {
  const { rows } = await ofStream(db, streamId).query<{ n: number }>(
    `with ends as (
       select date_bin('5 minutes', $2::timestamptz + interval '5 minutes' - interval '1 microsecond', 'epoch') as head,
         date_bin('5 minutes', $3::timestamptz, 'epoch') as tail
     )
     select ((
         select coalesce(sum(count), 0) from telemetry.rollup, ends where stream_id = $1 and bucket >= head and bucket < tail
       ) + (
         select count(*) from telemetry.reading, ends
         where stream_id = $1 and time >= $2 and time < least(head, $3::timestamptz)
       ) + (
         select count(*) from telemetry.reading, ends
         where stream_id = $1 and time >= greatest(tail, $2::timestamptz) and time < $3 and tail >= head
       ))::float8 as n`,
    [streamId, from, to],
  );
  return rows[0]?.n ?? 0;
}
