import type { Database } from '#server/platform/database.ts';
import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { packStatisticSql } from '#server/telemetry/rollup-columns.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { MAX_PACK_COUNT } from '#shared/domain/packs.ts';

/** Reads roll-up buckets of many machines as numbers, so that previews read few readings. */

export const PACK_INDEXES = Array.from({ length: MAX_PACK_COUNT }, (_, pack) => pack);
export const packElementsSql = (element: 'min' | 'max' | 'count'): string[] =>
  PACK_INDEXES.map((pack) => packStatisticSql(pack, element));
/** SQL of the bucket's start, in ms. */
export const BUCKET_START_MS_SQL = `(date_part('epoch', bucket) * 1000)::float8`;
/** SQL condition; $1: streams, $2 and $3: start and end of the range. */
export const IN_STREAMS_AND_RANGE_SQL = 'stream_id = any ($1::integer[]) and bucket >= $2 and bucket < $3';
/** Returns SQL results as two binary arrays of doubles per stream: a month of a fleet's values is slow to send and parse as text. */
const AS_ARRAYS = `select stream_id as id, array_send(array_agg(${BUCKET_START_MS_SQL} order by bucket)) as starts,
  array_send(array_agg(value order by bucket)) as values`;

/** One number per bucket: `count` is the value of the bucket that starts at `time` (ms). */
export type BucketValue = { readonly time: number; readonly count: number };

/** Returns a value of each bucket with readings, by stream and in order. @param from SQL that `bucketsOf` returned */
export async function readBucketValues(
  db: Database,
  from: string,
  streamIds: readonly number[],
  range: Range,
  values: readonly unknown[] = [],
): Promise<Map<number, BucketValue[]>> {
  const rows = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<{ id: number; starts: Buffer; values: Buffer }>(
      `${AS_ARRAYS} from (${from}) as found (stream_id, bucket, value) group by stream_id`,
      [own, new Date(range.from - BUCKET_MS), new Date(range.to), ...values],
    ),
  );
  return new Map(
    rows.map(({ id, starts, values: counts }) => {
      const [times, counted] = [decodeDoubleArray(starts), decodeDoubleArray(counts)];
      return [id, Array.from(times, (time, n) => ({ time, count: counted[n] || 0 }))];
    }),
  );
}

/**
 * Returns SQL that selects a value of each bucket.
 * @param value SQL expression over the roll-up's columns
 */
export const bucketValuesSql = (value: string, condition = 'true'): string =>
  `select stream_id, bucket, (${value})::float8 from telemetry.rollup where ${IN_STREAMS_AND_RANGE_SQL} and ${condition}`;

/** Lowest and highest level of all packs, in %; null: no pack sent one. */
export const LOWEST_LEVEL_SQL = `least(${packElementsSql('min')})`;
export const HIGHEST_LEVEL_SQL = `greatest(${packElementsSql('max')})`;

/** Returns SQL of the sum of the lowest or highest level of each pack, in %. */
export const sumOfPacksSql = (element: 'min' | 'max'): string =>
  packElementsSql(element)
    .map((value) => `coalesce(${value}, 0)`)
    .join(' + ');
