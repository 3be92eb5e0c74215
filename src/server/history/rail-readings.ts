import type { Database } from '#server/platform/database.ts';
import {
  columnForFigures,
  concatenateReadings,
  type ReadingColumns,
} from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import { readSamples } from '#server/telemetry/readings/read-samples.ts';
import { readWindows } from '#server/telemetry/readings/read-windows.ts';
import { windowsOfSlots } from '#server/telemetry/readings/sampled-readings.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { choosePathTimeSlots } from '#shared/domain/path-slots.ts';
import { type RollupInterval, readRollupIntervals, usesSampledWindows } from './cells.ts';
import type { OwnedSegment } from './range.ts';

/**
 * `readAll`: up to this number of readings (eleven days of one per second), all are read. Of more readings only the first `most` of each of
 * `slots` slots are read, so that no answer takes long. The slots are spread over the range. Of a dense logger with many readings
 * (usesSampledWindows), only the first reading of each signal in a slot is read.
 */
const EFFORT = { readAll: 1_000_000, slots: 20_000, most: 30 };
/** Readings per statement. */
const PAGE = 20_000;

const COLUMNS = ['Speed', 'Machinestatus', 'Spoor', 'Spoorstand'] as const;
/** A signal of rail machines. */
export type RailSignal = (typeof COLUMNS)[number];

/** The readings of a segment, including those outside it that its intervals extend into. */
export type RailReadings = {
  readonly segment: OwnedSegment;
  readonly readings: ReadingColumns;
  /** Whether all readings were read; otherwise a sample. */
  readonly areAll: boolean;
};

/** Returns the values of a signal, one per reading; NaN for none. */
export const railValues = ({ readings }: RailReadings, signal: RailSignal): Float64Array =>
  readings.values[COLUMNS.indexOf(signal)] ?? new Float64Array();

/** Reads the readings of each segment, or a sample if there are too many. */
export async function readRail(
  db: Database,
  streamId: number,
  segments: readonly OwnedSegment[],
  effort: typeof EFFORT & { readonly many?: number } = EFFORT,
): Promise<RailReadings[]> {
  const cells = await Promise.all(segments.map((segment) => readRollupIntervals(db, streamId, segment)));
  const areAll = cells.flat().reduce((sum, { count }) => sum + count, 0) <= effort.readAll;
  // Samples are spread over time only, because codes also change while the machine stands still.
  const still = cells.flat().map((cell: RollupInterval) => ({ ...cell, metres: 0 }));
  const sample = areAll ? [] : choosePathTimeSlots(still, effort.slots);
  const isDense = usesSampledWindows(cells.flat(), effort.many);
  const columns = COLUMNS.map(columnForFigures);
  return Promise.all(
    segments.map(async (segment) => {
      const { from, to } = segment;
      if (!areAll) {
        const slots = sample.filter((slot) => slot.from >= from && slot.to <= to);
        const readings = isDense
          ? await readWindows(db, streamId, windowsOfSlots(slots, segment), COLUMNS)
          : await readSamples(db, streamId, slots, columns, { most: effort.most });
        return { segment, readings, areAll };
      }
      const pages: ReadingColumns[] = [];
      for await (const page of readColumnPages(db, streamId, [nearOf(segment)], columns, PAGE))
        pages.push(page);
      return { segment, readings: concatenateReadings(pages, columns.length), areAll };
    }),
  );
}

/** Extends a segment at both ends by the longest time that an interval may extend beyond it, but not into another ownership. */
const nearOf = ({ from, to, own }: OwnedSegment): Range => ({
  from: Math.max(from - MAX_GAP_MS, own.from),
  to: Math.min(to + MAX_GAP_MS, own.to),
});
