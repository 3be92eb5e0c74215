import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { SOC_SIGNALS } from '#server/telemetry/signal-columns.ts';
import type { DayChart } from '#shared/contract/history.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readBands } from './bands.ts';
import { lastDay } from './last-day.ts';
import { LOOKED_UP, type LookUps, lookUpsOf, lookUpValues } from './look-ups.ts';
import { segmentsOf } from './range.ts';

/**
 * Up to 200,000 readings are all read. Beyond, the state of charge, which moves slowly, is that of 5,000 readings
 * spread over the range, and the bands are as fine as the roll-up.
 */
const EFFORT = { readAll: 200_000, count: 5_000, most: 1 };

/** A day at a glance, or any other range, in at most `points` buckets and one for each end. */
export async function dayChart(
  db: Database,
  history: OwnHistory,
  range: Range,
  points: number,
): Promise<DayChart> {
  const { streamId, own } = history;
  const bucketMs = chartBucketMs(range.to - range.from, points);
  const segments = segmentsOf(range, own);
  const lookUps = await lookUpsOf(db, streamId, segments, EFFORT);
  const [charges, bands, day] = await Promise.all([
    readCharges(db, streamId, range, lookUps, bucketMs),
    readBands(db, streamId, segments, bucketMs, lookUps.most === null),
    lastDay(db, history, range),
  ]);
  return { ...charges, bucketSeconds: bucketMs / 1000, bands, lastDay: day };
}

type ChargeRow = Readonly<Record<string, number | null>> & { readonly start: number };

/** Lowest, mean and highest state of charge per battery and bucket; a battery that never reported is left out. */
async function readCharges(
  db: Database,
  streamId: number,
  range: Range,
  lookUps: LookUps,
  bucketMs: number,
): Promise<Pick<DayChart, 'time' | 'packs'>> {
  // The mean from thousandths: whole numbers add up to the same in any order.
  const columns = SOC_SIGNALS.map(
    ({ column }) => `min(${column}) as ${column}_min, max(${column}) as ${column}_max,
      sum(floor(${column} * 1000 + 0.5)) / nullif(count(${column}), 0) / 1000 as ${column}_mean`,
  );
  const { rows } = await db.query<ChargeRow>(
    `select date_part('epoch', date_bin($7::interval, time, 'epoch')) as start, ${columns.join(', ')}
     from ${LOOKED_UP} group by 1 order by 1`,
    [...lookUpValues(streamId, range, lookUps), `${bucketMs / 1000} seconds`],
  );
  const series = (key: string) => rows.map((row) => row[key] ?? null);
  const packs = SOC_SIGNALS.map(({ name, column }) => ({
    name,
    min: series(`${column}_min`),
    mean: series(`${column}_mean`),
    max: series(`${column}_max`),
  })).filter(({ min }) => min.some((value) => value !== null));
  return { time: rows.map(({ start }) => start), packs };
}
