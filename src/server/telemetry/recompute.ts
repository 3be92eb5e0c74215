import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { runInAllShards, shardForStream } from '#server/platform/shards.ts';
import {
  bucketStart,
  bucketsOf,
  findIntervals,
  NEW_FIGURES_STATE,
  readingRangeFor,
  type StoredBucket,
} from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { serializeFiguresState } from '#shared/domain/stored-track.ts';
import { findUnusedValues, withUnusedMarked } from '#shared/domain/unused-values.ts';
import { MAX_POSITION_INFLUENCE_MS } from '#shared/domain/usable-positions.ts';
import { readFiguresState, replaceBuckets } from './late-readings.ts';
import { firstMotorSpeedAt } from './motor-since.ts';
import { readFirstReadingTime } from './readings/read-edges.ts';
import { toRow } from './readings/signal-columns.ts';
import { hasSameColumns, readStoredReadings } from './readings/stored-readings.ts';
import { writeRows } from './readings/write-readings.ts';
import { sumOfBuckets } from './stream-change.ts';

/** Time range of a stream that one call recomputes: 108,000 readings of a logger at 10 Hz. */
const SLICE_MS = 36 * BUCKET_MS;

/** Number of streams that are tried in each shard, because other processes may have locked some of them. */
const MAX_STREAMS_TRIED = 10;

type Due = { readonly fromMs: number; readonly newestMs: number; readonly motorSince: number | null };

/**
 * Recomputes a slice of one stream's roll-up from its raw readings, after an update that changed a figure. Buckets without raw
 * readings stay. Uploads of the stream wait until the slice is stored, and are stored as late readings until the roll-up is complete.
 * Safe to interrupt and to run in several processes.
 * @returns false when no stream has to be recomputed, or other processes are recomputing the streams that were tried
 */
export async function recomputeNextStream(pool: Pool): Promise<boolean> {
  const waiting = await runInAllShards(pool, (shard) =>
    shard.query<{ id: number }>(
      `select stream_id as id from telemetry.latest where recompute_from is not null order by stream_id limit ${MAX_STREAMS_TRIED}`,
    ),
  );
  for (const { id } of waiting) if (await recomputeSlice(pool, id)) return true;
  return false;
}

/** Recomputes a slice of one stream. @returns false when another process handles the stream */
function recomputeSlice(pool: Pool, streamId: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await shardForStream(client, streamId).query<Due>(
      `select date_part('epoch', recompute_from) * 1000 as from_ms, date_part('epoch', time) * 1000 as newest_ms,
         (track ->> 'motorSince')::float8 as motor_since
       from telemetry.latest where stream_id = $1 and recompute_from is not null for update skip locked`,
      [streamId],
    );
    const due = rows[0];
    if (!due) return false;
    const { newestMs } = due;
    const motorSince = due.motorSince ?? undefined;
    const firstMs = await readFirstReadingTime(client, {
      streamId,
      from: Math.max(0, due.fromMs),
      to: Number.POSITIVE_INFINITY,
    });
    if (firstMs === undefined) {
      const track = await readFiguresState(client, { streamId, motorSince }, newestMs);
      await shardForStream(client, streamId).query(
        `update telemetry.latest set track = $2, recompute_from = null where stream_id = $1`,
        [streamId, JSON.stringify(serializeFiguresState(track))],
      );
      return true;
    }
    const from = bucketStart(firstMs);
    const slice = { from, to: from + SLICE_MS };
    const window = readingRangeFor(slice);
    const stored = await readStoredReadings(client, streamId, {
      from: Math.min(window.from, slice.from - MAX_POSITION_INFLUENCE_MS),
      to: Math.max(window.to, slice.to + MAX_POSITION_INFLUENCE_MS),
    });
    const sent = stored.map((one) => ({ ...one, signals: withoutFalsePosition(one.signals) }));
    const judged = findUnusedValues(sent);
    // Readings before the slice keep their lists of unused values, which were determined with the previous slice.
    const unused = sent.map((one, n) => (one.time < slice.from ? one.unused : (judged.unused[n] ?? [])));
    const readings = withUnusedMarked(sent, unused);
    const followed = findIntervals(readings, { ...NEW_FIGURES_STATE, motorSince });
    const buckets = bucketsOf(readings, followed, slice);
    const changed = readings.flatMap(({ time, signals }, n) => {
      if (time < slice.from || time >= slice.to) return [];
      const made = toRow(signals, followed.packs[n] ?? []);
      return hasSameColumns(stored[n], made) ? [] : [{ time, row: made }];
    });
    await writeRows(client, streamId, [], changed);
    const kept = await keptDistances(client, streamId, slice, buckets);
    const gone = await replaceBuckets(client, streamId, slice, kept);
    await shardForStream(client, streamId).query(
      `update telemetry.latest set recompute_from = $2, total_running_ms = total_running_ms + $3::bigint,
         track = jsonb_strip_nulls(jsonb_set(track::jsonb, '{motorSince}', coalesce(to_jsonb($4::float8), 'null')))::json
       where stream_id = $1`,
      [
        streamId,
        new Date(slice.to),
        sumOfBuckets(buckets, 'runningMs') - gone.runningMs,
        firstMotorSpeedAt(motorSince, readings) ?? null,
      ],
    );
    return true;
  });
}

/** Returns the buckets; where positions were removed (telemetry/old-positions.ts), with the stored distance instead of a new one. */
async function keptDistances(
  client: Database,
  streamId: number,
  { from, to }: Range,
  buckets: ReadonlyMap<number, StoredBucket>,
): Promise<ReadonlyMap<number, StoredBucket>> {
  const { rows } = await client.query<{ before: number }>(
    `select date_part('epoch', before) * 1000 as before from removed_position where stream_id = $1`,
    [streamId],
  );
  const until = Math.min(to, rows[0]?.before ?? from);
  if (until <= from) return buckets;
  const { rows: counted } = await shardForStream(client, streamId).query<{
    start: number;
    distanceMm: number;
  }>(
    `select date_part('epoch', bucket) * 1000 as start, distance_mm::float8 as distance_mm
     from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 and distance_mm > 0`,
    [streamId, new Date(from), new Date(until)],
  );
  const distances = new Map(counted.map(({ start, distanceMm }) => [start, distanceMm]));
  return new Map(
    [...buckets].map(([start, bucket]) => {
      const distanceMm = bucket.box ? undefined : distances.get(start);
      return [start, distanceMm === undefined ? bucket : { ...bucket, distanceMm }];
    }),
  );
}
