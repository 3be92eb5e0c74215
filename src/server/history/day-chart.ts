import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { DayChart } from '#shared/contract/history.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import { offTimeMs } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readActivityBands } from './bands.ts';
import { lastDay } from './last-day.ts';
import { readPackChart } from './pack-chart.ts';
import { ownedSegmentsOf } from './range.ts';
import { rangeSums } from './range-sums.ts';

/** Up to this number of readings, bands are computed from each reading. */
const EXACT_BANDS = 20_000;
/** Up to this number of readings, the state of charge is computed from each reading; above it, from the roll-up. */
const EXACT_PACKS = 200_000;

const NEEDED = ['count', 'runningMs', 'chargingMs', 'cableMs', 'heardMs', 'distanceMm', 'carriedMm'] as const;

/** Returns the chart of a day or another range, in at most `points` whole buckets, and a partial bucket for each end. */
export async function dayChart(
  db: Database,
  history: OwnHistory,
  range: Range,
  points: number,
): Promise<DayChart> {
  const { streamId, own } = history;
  const bucketMs = chartBucketMs(range.to - range.from, points);
  const segments = ownedSegmentsOf(range, own);
  const sums = await rangeSums(db, history, range, NEEDED);
  const [charges, bands, day] = await Promise.all([
    readPackChart(db, streamId, segments, bucketMs, sums.count <= EXACT_PACKS),
    readActivityBands(db, streamId, segments, bucketMs, sums.count <= EXACT_BANDS),
    lastDay(db, history, range),
  ]);
  const ownMs = segments.reduce((ms, { from, to }) => ms + to - from, 0);
  return {
    ...charges,
    bands,
    seconds: {
      running: sums.runningMs / 1000,
      charging: sums.chargingMs / 1000,
      off: offTimeMs(sums) / 1000,
      unknown: Math.max(0, ownMs - sums.heardMs) / 1000,
    },
    distance: sums.distanceMm / 1000,
    carried: sums.carriedMm / 1000,
    lastDay: day,
  };
}
