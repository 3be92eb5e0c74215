import type { Pool } from '#server/platform/database.ts';
import { STORED_COLUMNS, storedRows } from '#server/telemetry/test/stored-rows.ts';

/** Returns the complete history and figures of a stream. */
export async function readStreamContent(pool: Pool, { streamId }: { readonly streamId: number }) {
  const of = async (sql: string): Promise<unknown[]> => (await pool.query(sql, [streamId])).rows;
  return {
    readings: await storedRows(pool, streamId, STORED_COLUMNS),
    rollup: await of(
      `select to_jsonb(r) - 'stream_id' as row from rollup r where stream_id = $1 order by bucket`,
    ),
    // Leaves out the values of `track` that ended more than 5 minutes before `track.time`, because `latest` may or may not still have them.
    latest: await of(
      `select time, heard_at, signals, total_count, total_running_ms, array(
         select to_jsonb(t) from json_each(track) as t
         where coalesce((value ->> 'from')::float8, 'infinity') >= (track ->> 'time')::float8 - 300000 order by key
       ) as track
       from latest where stream_id = $1`,
    ),
  };
}
