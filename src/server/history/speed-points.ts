import { ofStream } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { LOOKED_UP, type LookUps, lookUpValues } from './look-ups.ts';

type Point = LmbData['spoor'][number];

/**
 * Of each bucket the reading with the lowest and the one with the highest speed, km/h, in order of time. What lies
 * between look-ups is known from the roll-up, so that no peak disappears: its time is then the middle of 5 minutes.
 * @param rolled where not every reading is looked up: whole buckets of the roll-up
 */
export async function speedPoints(
  db: Database,
  streamId: number,
  range: Range,
  lookUps: LookUps,
  bucketMs: number,
  rolled: readonly Range[],
): Promise<Point[]> {
  // An array is compared element by element: of equal speeds the earliest reading.
  const { rows } = await ofStream(db, streamId).query<{
    start: number;
    lowest: [number, number];
    highest: [number, number];
  }>(
    `select date_part('epoch', date_bin($7::interval, time, 'epoch')) * 1000 as start,
       min(array[speed, date_part('epoch', time)]) as lowest, max(array[speed, -date_part('epoch', time)]) as highest
     from (
       select r.time, r.speed from ${LOOKED_UP} where r.speed is not null
       union all
       select bucket + interval '${BUCKET_MS / 2} ms', unnest(array[speed_min, speed_max])
       from telemetry.rollup join unnest($8::timestamptz[], $9::timestamptz[]) as whole (from_time, to_time)
         on bucket >= from_time and bucket < to_time
       where stream_id = $1 and bucket >= $2 and bucket < $3 and speed_min is not null
     ) as known group by 1 order by 1`,
    [
      ...lookUpValues(streamId, range, lookUps),
      `${bucketMs / 1000} seconds`,
      rolled.map(({ from }) => new Date(from)),
      rolled.map(({ to }) => new Date(to)),
    ],
  );
  return rows.flatMap(({ start, lowest, highest }) => {
    const _start = new Date(Math.max(start, range.from)).toISOString();
    const _stop = new Date(Math.min(start + bucketMs, range.to)).toISOString();
    const point = (value: number, seconds: number) => ({
      _time: new Date(Math.round(seconds * 1000)).toISOString(),
      _value: value,
      _start,
      _stop,
    });
    const low = point(...lowest);
    const high = point(highest[0], -highest[1]);
    if (low._time === high._time) return [low];
    return low._time < high._time ? [low, high] : [high, low];
  });
}
