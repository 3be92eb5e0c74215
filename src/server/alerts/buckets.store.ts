import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { ofStreams } from '#server/platform/shards.ts';
import { packElement } from '#server/telemetry/rollup-columns.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { MOST_PACKS } from '#shared/domain/packs.ts';

/** What the 5-minute figures of many machines say of a month, as numbers: what rules ask of them before they read anything else. */

export const PACKS = Array.from({ length: MOST_PACKS }, (_, pack) => pack);
export const ofPacks = (element: 'min' | 'max' | 'count'): string[] =>
  PACKS.map((pack) => packElement(pack, element));
/** As a column: ms. */
export const MS = `(date_part('epoch', bucket) * 1000)::float8`;
/** $1: streams, $2 and $3: from when to when. */
export const OF_STREAMS = 'stream_id = any ($1::integer[]) and bucket >= $2 and bucket < $3';
/** By stream, two arrays of doubles: as text a month of a fleet costs more than all else. */
const AS_ARRAYS = `select stream_id as id, array_send(array_agg(${MS} order by bucket)) as starts,
  array_send(array_agg(value order by bucket)) as values`;

/** Of the 5 minutes from a time on (ms); 0: there is none. */
export type Value = { readonly time: number; readonly count: number };

/** By stream, of each 5 minutes in which something came in, in order. @param from as `bucketsOf` */
export async function readArrays(
  db: Database,
  from: string,
  streamIds: readonly number[],
  range: Range,
  values: readonly unknown[] = [],
): Promise<Map<number, Value[]>> {
  const rows = await ofStreams(db, streamIds, (shard, own) =>
    shard.query<{ id: number; starts: Buffer; values: Buffer }>(
      `${AS_ARRAYS} from (${from}) as found (stream_id, bucket, value) group by stream_id`,
      [own, new Date(range.from - BUCKET_MS), new Date(range.to), ...values],
    ),
  );
  return new Map(
    rows.map(({ id, starts, values: counts }) => {
      const [times, counted] = [sentDoubles(starts), sentDoubles(counts)];
      return [id, Array.from(times, (time, n) => ({ time, count: counted[n] || 0 }))];
    }),
  );
}

/** @param value an expression of the roll-up's columns */
export const bucketsOf = (value: string, condition = 'true'): string =>
  `select stream_id, bucket, (${value})::float8 from telemetry.rollup where ${OF_STREAMS} and ${condition}`;

/** %, of all packs; null: none was heard. */
export const LOWEST = `least(${ofPacks('min')})`;
export const HIGHEST = `greatest(${ofPacks('max')})`;

/** %, the lowest or highest of each pack added up. */
export const sumOfPacks = (element: 'min' | 'max'): string =>
  ofPacks(element)
    .map((value) => `coalesce(${value}, 0)`)
    .join(' + ');
