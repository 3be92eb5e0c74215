import { instantArray, textArray } from '#server/platform/binary-array.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';

/**
 * Stores decoded readings in a separate table, until they replace the stored readings of the stream.
 * @param before the number of readings that were staged earlier
 */
export async function stageReadings(
  db: Database,
  streamId: number,
  definitionId: number,
  readings: readonly Reading[],
  before: number,
): Promise<void> {
  await shardForStream(db, streamId).query(
    `insert into telemetry.redecoded (stream_id, time, n, definition_id, signals)
     select $1, time, $5 + n, $2, signals
     from unnest($3::timestamptz[], $4::jsonb[]) with ordinality as r (time, signals, n)`,
    [
      streamId,
      definitionId,
      instantArray(readings.map(({ time }) => time)),
      textArray(
        'jsonb',
        readings.map(({ signals }) => JSON.stringify(signals)),
      ),
      before,
    ],
  );
}

/** Number of rows that one statement deletes, small enough that queries of pages run in between. */
const BATCH = 20_000;

export async function clearStaged(db: Database, streamId: number): Promise<void> {
  let removed: number;
  do {
    const { rowCount } = await shardForStream(db, streamId).query(
      `delete from telemetry.redecoded where stream_id = $1 and time <= (
         select max(time) from (select time from telemetry.redecoded where stream_id = $1 order by time limit ${BATCH}) as first
       )`,
      [streamId],
    );
    removed = rowCount ?? 0;
  } while (removed > 0);
}

export type StagedReading = Reading & { readonly definitionId: number };

/** Returns the first staged reading after `after` (ms) and those of less than `lengthMs` later, in order of time and upload. */
export async function readStaged(
  db: Database,
  streamId: number,
  after: number | undefined,
  lengthMs: number,
): Promise<StagedReading[]> {
  const { rows } = await shardForStream(db, streamId).query<{
    ms: number;
    definitionId: number;
    signals: Signals;
  }>(
    `with first as (
       select min(time) as time from telemetry.redecoded where stream_id = $1 and ($2::timestamptz is null or time > $2)
     )
     select extract(epoch from r.time)::float8 * 1000 as ms, r.definition_id, r.signals
     from telemetry.redecoded r, first
     where r.stream_id = $1 and r.time >= first.time and r.time < first.time + make_interval(secs => $3)
     order by r.time, r.n`,
    [streamId, after === undefined ? null : new Date(after), lengthMs / 1000],
  );
  return rows.map(({ ms: time, ...staged }) => ({ time: Math.round(time), ...staged }));
}
