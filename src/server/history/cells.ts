import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import type { PathInterval as PathCell } from '#shared/domain/path-slots.ts';
import type { OwnedSegment } from './range.ts';

/** Number of cells of the roll-up over which samples are distributed. */
const CELLS = 3_000;

/** A cell of the roll-up with its number of readings. */
export type RollupInterval = PathCell & { readonly count: number };

/**
 * Returns the non-empty parts of a segment according to the roll-up, in at most 3,000 cells of whole buckets, cut to
 * the segment.
 */
export async function readRollupIntervals(
  db: Database,
  streamId: number,
  { from, to }: OwnedSegment,
): Promise<RollupInterval[]> {
  const start = Math.floor(from / BUCKET_MS) * BUCKET_MS;
  const size = Math.ceil((to - start) / CELLS / BUCKET_MS) * BUCKET_MS;
  const { rows } = await shardForStream(db, streamId).query<{ ms: number; count: number; metres: number }>(
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

/** Up to this number of readings, samples are looked up among all of them. */
const MANY = 2_000_000;
/** Mean time between readings up to which a window of 30 s has enough readings. */
const DENSE_MS = 3_000;

/**
 * Returns whether a query reads only the windows of 30 s in which its slots (domain/path-slots.ts) begin, because a month of a logger at
 * 10 Hz has 27 million readings. The roll-up alone decides, so that readings in rows and in files give the same result.
 */
export function usesSampledWindows(cells: readonly RollupInterval[], many = MANY): boolean {
  const count = cells.reduce((sum, cell) => sum + cell.count, 0);
  const ms = cells.reduce((sum, { from, to }) => sum + to - from, 0);
  return count > many && ms <= DENSE_MS * count;
}
