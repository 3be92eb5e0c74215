import type { Database } from '#server/platform/database.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { LOOKED_UP, type LookUps, lookUpValues } from './look-ups.ts';

type Point = LmbData['spoor'][number];

/** Of each bucket the reading with the lowest and the one with the highest speed, km/h, in order of time. */
export async function speedPoints(
  db: Database,
  streamId: number,
  range: Range,
  lookUps: LookUps,
  bucketMs: number,
): Promise<Point[]> {
  // An array is compared element by element: of equal speeds the earliest reading.
  const { rows } = await db.query<{ start: number; lowest: [number, number]; highest: [number, number] }>(
    `select date_part('epoch', date_bin($7::interval, time, 'epoch')) * 1000 as start,
       min(array[speed, date_part('epoch', time)]) as lowest, max(array[speed, -date_part('epoch', time)]) as highest
     from ${LOOKED_UP} where speed is not null group by 1 order by 1`,
    [...lookUpValues(streamId, range, lookUps), `${bucketMs / 1000} seconds`],
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
