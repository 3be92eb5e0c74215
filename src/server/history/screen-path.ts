import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { OneReading, ReadingColumns, StreamRange } from '#server/telemetry/readings/columns.ts';
import { readColumnsAtRangeEnd, readColumnsOf } from '#server/telemetry/readings/read-columns.ts';
import { readSamples } from '#server/telemetry/readings/read-samples.ts';
import { readWindows } from '#server/telemetry/readings/read-windows.ts';
import type { RangeEnd } from '#server/telemetry/readings/reading-files.store.ts';
import { windowsOfSlots } from '#server/telemetry/readings/sampled-readings.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { choosePathTimeSlots } from '#shared/domain/path-slots.ts';
import { thinPath } from '#shared/domain/path-thinning.ts';
import { type RollupInterval, readRollupIntervals, usesSampledWindows } from './cells.ts';
import { readPackCountLookup } from './pack-counts.ts';
import { POINT_COLUMNS, POINT_SIGNALS, pathPointOf } from './path-points.ts';
import { type OwnedSegment, ownedSegmentsOf } from './range.ts';

/** Number of points that a screen can show: two for every three pixels of a wide one. */
export const MAX_PATH_POINTS_ON_SCREEN = 2_000;
/** Up to this number of readings, all are read, and the path contains each of them. */
const READ_ALL = 20_000;
/** Above READ_ALL, readings are looked up in this many slots: more than are shown, so that thinning has a choice. */
const SLOTS = 3_000;
/**
 * Number of readings of a slot among which the first with a position is used; some loggers report a position every
 * tenth time.
 */
const SLOT_READINGS = 20;
/** Number of readings at each end of a segment among which the first or last position is searched. */
const END_READINGS = 1_000;

/**
 * Returns the path of a range, thinned to MAX_PATH_POINTS_ON_SCREEN (MDET-12), from readings with a position (MDET-14). The work is
 * limited for any range: 20,000 readings, or 3,000 look-ups.
 * @param many above this number of readings, windows of 30 s are read
 */
export async function screenPath(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  limit = MAX_PATH_POINTS_ON_SCREEN,
  many?: number,
): Promise<PathPoint[]> {
  const segments = ownedSegmentsOf(
    range,
    /*rule:path-own-time*/ own /*=[{ from: -Infinity, to: Infinity }]*/,
  );
  const [points, packsAt] = await Promise.all([
    readPoints(db, streamId, segments, many),
    readPackCountLookup(db, streamId, segments),
  ]);
  return thinPath(points, limit).map(({ reading }) => pathPointOf(reading, packsAt));
}

async function readPoints(
  db: Database,
  streamId: number,
  segments: readonly OwnedSegment[],
  many: number | undefined,
) {
  const parts: Part[] = [];
  for (const segment of segments) {
    const cells = await readRollupIntervals(db, streamId, segment);
    parts.push({ segment, cells, count: cells.reduce((sum, cell) => sum + cell.count, 0) });
  }
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const isDense = usesSampledWindows(
    parts.flatMap(({ cells }) => cells),
    many,
  );
  const readings: OneReading[] = [];
  for (const part of parts) {
    const slots = Math.ceil((SLOTS * part.count) / total);
    const read =
      total <= READ_ALL
        ? readColumnsOf(db, streamId, part.segment, POINT_COLUMNS).then(locatedOf)
        : readSome(db, streamId, part, slots, isDense);
    readings.push(...(await read));
  }
  return readings.map((reading) => {
    const [lat = 0, lon = 0] = reading.values;
    return { lat, lon, ms: reading.time, reading };
  });
}

/** A segment of the range, and its number of readings. */
type Part = {
  readonly segment: OwnedSegment;
  readonly cells: readonly RollupInterval[];
  readonly count: number;
};

/** Returns the first and last position of a segment, and the first position of each of `count` slots. */
async function readSome(
  db: Database,
  streamId: number,
  { segment: { from, to }, cells }: Part,
  count: number,
  isDense: boolean,
): Promise<OneReading[]> {
  const whole = { streamId, from, to };
  const slots = choosePathTimeSlots(cells, count);
  const [first, among, last] = await Promise.all([
    readEnd(db, whole, 'first'),
    isDense
      ? readWindows(db, streamId, windowsOfSlots(slots, { from, to }), POINT_SIGNALS, 1)
      : readSamples(db, streamId, slots, POINT_COLUMNS, { most: SLOT_READINGS, needed: 1 }),
    readEnd(db, whole, 'last'),
  ]);
  const inner = locatedOf(among).filter(({ time }) => first && last && time > first.time && time < last.time);
  return [...(first ? [first] : []), ...inner, ...(first && last && last.time > first.time ? [last] : [])];
}

/** Returns the first or last position of a range. */
async function readEnd(
  db: Database,
  range: StreamRange,
  end: RangeEnd['end'],
): Promise<OneReading | undefined> {
  for (const count of [1, END_READINGS]) {
    const found = locatedOf(await readColumnsAtRangeEnd(db, range, POINT_COLUMNS, { end, count }));
    if (found.length > 0) return found.at(end === 'first' ? 0 : -1);
  }
  return undefined;
}

/** Returns the readings with a position. The columns are those of POINT_COLUMNS. */
function locatedOf({ times, values }: ReadingColumns): OneReading[] {
  const [latitudes = new Float64Array()] = values;
  const found: OneReading[] = [];
  for (const [n, time] of times.entries())
    if (!Number.isNaN(latitudes[n]))
      found.push({ time, values: values.map((column) => column[n] as number) });
  return found;
}
