import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';

/**
 * Returns a function from time (ms) to the number of packs of the stream's bucket. A point of a path has a state of
 * charge only when its reading has all packs (docs/figures.md section 6).
 */
export async function readPackCountLookup(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<(time: number) => number> {
  if (ranges.length === 0) return () => 0;
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  const { rows } = await shardForStream(db, streamId).query<{ ms: number; packs: number }>(
    `select date_part('epoch', bucket) * 1000 as ms, packs from (
       select bucket, packs, lag(packs) over (order by bucket) as was from (
         select bucket, cardinality(array_remove(packs, null)) / 4 as packs
         from telemetry.rollup where stream_id = $1 and bucket > $2 and bucket < $3
       ) as counted
     ) as changed where packs is distinct from was order by 1`,
    [streamId, new Date(from - BUCKET_MS), new Date(to)],
  );
  return (time) => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle] as { ms: number }).ms <= time) low = middle + 1;
      else high = middle;
    }
    return rows[low - 1]?.packs ?? 0;
  };
}
