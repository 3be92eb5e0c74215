import type { Database } from '#server/platform/database.ts';
import { initialFiguresState } from '#server/telemetry/motor-since.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import { type Bucket, bucketsOf, findIntervals } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { neededReadingRange, type OwnedSegment } from './range.ts';

/**
 * Computes the figures of the ends of a segment that are no whole buckets, from the readings.
 * @returns the start of each bucket (ms), and the figures of its part in the ends
 */
export async function readPartialBuckets(
  db: Database,
  streamId: number,
  { own }: OwnedSegment,
  ends: readonly Range[],
): Promise<[number, Bucket][]> {
  const windows = await readReadingsInRanges(
    db,
    ends.map((end) => ({ streamId, ...neededReadingRange(end, own) })),
  );
  if (windows.length === 0) return [];
  const inside = await initialFiguresState(db, streamId);
  return windows.flatMap((readings, n) => [
    ...bucketsOf(readings, findIntervals(readings, inside), ends[n] as Range),
  ]);
}
