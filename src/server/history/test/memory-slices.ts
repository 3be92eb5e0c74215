import {
  type BucketSlices,
  type BucketSlicesWithPositions,
  clipReadings,
} from '#server/history/bucket-slices.ts';
import { neededReadingRange, splitSegment } from '#server/history/range.ts';
import { bucketsOf, findIntervals, NEW_FIGURES_STATE } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { positionOf } from '#shared/domain/position.ts';
import { firstIndexFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';

const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Returns the bucket slices of readings in memory, as openBucketSlices does for stored ones.
 * @param readings all readings of a stream in order, with unused values marked
 */
export function inMemoryBucketSlices(readings: readonly Reading[]): BucketSlicesWithPositions {
  const buckets = bucketsOf(readings);
  const motorSince = readings.find(({ signals }) => signals.MotorSpeed !== undefined)?.time;
  const inRange = ({ from, to }: Range) =>
    readings.slice(firstIndexFrom(readings, from), firstIndexFrom(readings, to));
  const around: BucketSlices['around'] = async (range) => {
    const found = inRange(neededReadingRange(range, ALWAYS));
    return { readings: found, ...findIntervals(found, { ...NEW_FIGURES_STATE, motorSince }) };
  };
  const within: BucketSlices['within'] = async (range) => clipReadings(await around(range), range);
  const of: BucketSlices['of'] = async (range) => {
    const { whole = { from: 0, to: 0 }, ends } = splitSegment({ ...range, own: ALWAYS });
    const cut = await Promise.all(
      ends.map(async (end) => {
        const { readings: found, ...followed } = await within(end);
        return [...bucketsOf(found, followed, end)].map(([start, bucket]) => ({
          from: Math.max(start, end.from),
          to: Math.min(start + BUCKET_MS, end.to),
          bucket,
        }));
      }),
    );
    const kept = [...buckets]
      .filter(([start]) => start >= whole.from && start < whole.to)
      .map(([start, bucket]) => ({ from: start, to: start + BUCKET_MS, bucket }));
    return [...cut.flat(), ...kept].sort((a, b) => a.from - b.from);
  };
  return {
    ...{ mostCached: Number.POSITIVE_INFINITY, of, within, around, seen: of },
    positions: async (ranges) =>
      ranges.flatMap(inRange).flatMap(({ time, signals }) => {
        const position = positionOf(signals);
        return position ? [{ time, position }] : [];
      }),
  };
}
