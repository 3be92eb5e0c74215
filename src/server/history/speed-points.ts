import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { type RailReadings, railValues } from './rail-readings.ts';

type Point = LmbData['spoor'][number];
type Speed = { readonly ms: number; readonly value: number };

/**
 * Returns for each bucket the first point with the lowest and the first with the highest speed (km/h), in chronological order. If
 * speeds are equal, a reading has priority over the roll-up.
 * @param parts readings outside their segment are ignored
 */
export function findSpeedExtremes(
  parts: readonly RailReadings[],
  rolled: readonly Speed[],
  range: Range,
  bucketMs: number,
): Point[] {
  const buckets = new Map<number, { low: Speed; high: Speed }>();
  const add = (speed: Speed): void => {
    const start = Math.floor(speed.ms / bucketMs) * bucketMs;
    const bucket = buckets.get(start);
    if (!bucket) buckets.set(start, { low: speed, high: speed });
    else if (speed.value < bucket.low.value) bucket.low = speed;
    else if (speed.value > bucket.high.value) bucket.high = speed;
  };
  for (const rail of parts) {
    const { segment, readings } = rail;
    const speeds = railValues(rail, 'Speed');
    for (const [n, ms] of readings.times.entries())
      if (!Number.isNaN(speeds[n]) && ms >= segment.from && ms < segment.to)
        add({ ms, value: speeds[n] as number });
  }
  for (const speed of rolled) add(speed);
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .flatMap(([start, { low, high }]) => {
      const _start = iso(Math.max(start, range.from));
      const _stop = iso(Math.min(start + bucketMs, range.to));
      return [...new Set([low, high])]
        .sort((a, b) => a.ms - b.ms)
        .map(({ ms, value }) => ({ _time: iso(ms), _value: value, _start, _stop }));
    });
}

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Returns the lowest and highest speed of the roll-up's buckets in `whole`, per bucket of the chart, so that no peak disappears when not
 * every reading is looked up. The time of each is the middle of its 5-minute bucket.
 */
export async function readRollupSpeeds(
  db: Database,
  streamId: number,
  whole: readonly Range[],
  bucketMs: number,
): Promise<Speed[]> {
  if (whole.length === 0) return [];
  // PostgreSQL compares arrays element by element, so the earliest of equal speeds is chosen.
  const { rows } = await shardForStream(db, streamId).query<{
    lowest: [number, number];
    highest: [number, number];
  }>(
    `select min(array[speed_min, date_part('epoch', bucket)]) as lowest, max(array[speed_max, -date_part('epoch', bucket)]) as highest
     from telemetry.rollup join unnest($2::timestamptz[], $3::timestamptz[]) as whole (from_time, to_time)
       on bucket >= from_time and bucket < to_time
     where stream_id = $1 and speed_min is not null group by date_bin($4::interval, bucket, 'epoch')`,
    [
      streamId,
      whole.map(({ from }) => new Date(from)),
      whole.map(({ to }) => new Date(to)),
      `${bucketMs / 1000} seconds`,
    ],
  );
  const speed = (value: number, seconds: number) => ({
    value,
    ms: Math.round(seconds * 1000) + BUCKET_MS / 2,
  });
  return rows.flatMap(({ lowest, highest }) => [speed(...lowest), speed(highest[0], -highest[1])]);
}
