import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import type { Cell } from '#shared/domain/path-slots.ts';
import type { Segment } from './range.ts';

/** Number of cells of the roll-up over which look-ups are distributed. */
const CELLS = 3_000;

/**
 * Returns the non-empty parts of a segment according to the roll-up, in at most 3,000 cells of whole buckets, cut to
 * the segment.
 */
export async function readCells(
  db: Database,
  streamId: number,
  { from, to }: Segment,
): Promise<(Cell & { count: number })[]> {
  const start = Math.floor(from / BUCKET_MS) * BUCKET_MS;
  const size = Math.ceil((to - start) / CELLS / BUCKET_MS) * BUCKET_MS;
  const { rows } = await ofStream(db, streamId).query<{ ms: number; count: number; metres: number }>(
    `select date_part('epoch', date_bin($4::interval, bucket, $2::timestamptz)) * 1000 as ms,
       sum(count)::float8 as count, sum(distance_mm)::float8 / 1000 as metres
     from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3
     group by 1 having sum(count) > 0 order by 1`,
    [streamId, new Date(start), new Date(to), `${size / 1000} seconds`],
  );
  return rows.map(({ ms, count, metres }) => ({
    from: Math.max(from, ms),
    to: Math.min(to, ms + size),
    metres,
    count,
  }));
}

/** The readings to read: of each slot the first `most`; null: all. Slots are in order and do not overlap. */
export type LookUps = { readonly slots: readonly Range[]; readonly most: number | null };

/** On this many connections look-ups take half the time when the database is idle. */
const AT_ONCE = 2;

/** Reads the rows of all slots, in the order of the slots. */
export async function inParts<Row>(
  slots: readonly Range[],
  ask: (part: readonly Range[]) => Promise<{ readonly rows: readonly Row[] }>,
): Promise<Row[]> {
  const size = Math.ceil(slots.length / AT_ONCE);
  const parts = Array.from({ length: AT_ONCE }, (_, n) => slots.slice(n * size, (n + 1) * size));
  const found = await Promise.all(parts.filter((part) => part.length > 0).map(ask));
  return found.flatMap(({ rows }) => rows);
}

/** Returns SQL for a time in ms. */
export const msOf = (time: string): string => `round(date_part('epoch', ${time}) * 1000)`;

/** Parameters: $1 stream, $2 and $3 the whole range, $4 and $5 slots, $6 number of readings per slot. */
const SLOTS = 'unnest($4::timestamptz[], $5::timestamptz[]) as slot (from_time, to_time)';
/** The readings `r` of a `slot`. */
export const OF_SLOT = `(
  select * from telemetry.reading
  where stream_id = $1 and time >= $2 and time < $3 and time >= slot.from_time and time < slot.to_time
  order by time limit $6
) as r`;
/** A `from` item with the readings `r` of all slots. */
export const LOOKED_UP = `${SLOTS}, lateral ${OF_SLOT}`;
/** Returns a `from` item with the result of a query on OF_SLOT for each slot, as `found`. */
export const inEachSlot = (select: string): string => `${SLOTS}, lateral (${select}) as found`;

/** Returns parameters $1 to $6 of LOOKED_UP. */
export const lookUpValues = (streamId: number, range: Range, { slots, most }: LookUps): unknown[] => [
  streamId,
  new Date(range.from),
  new Date(range.to),
  slots.map(({ from }) => new Date(from)),
  slots.map(({ to }) => new Date(to)),
  most,
];
