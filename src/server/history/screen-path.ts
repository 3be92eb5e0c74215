import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { OneReading } from '#server/telemetry/readings/columns.ts';
import { readColumnsOf } from '#server/telemetry/readings/read-columns.ts';
import { readEdge, readEdges } from '#server/telemetry/readings/read-edges.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { pathSlots } from '#shared/domain/path-slots.ts';
import { thinPath } from '#shared/domain/path-thinning.ts';
import { type Cell, readCells } from './cells.ts';
import { packCounts } from './pack-counts.ts';
import { POINT_COLUMNS, pointOf } from './path-points.ts';
import { type Segment, segmentsOf } from './range.ts';

/** Number of points that a screen can show: two for every three pixels of a wide one. */
export const SCREEN_POINTS = 2_000;
/** Up to this number of readings all are read, and the path contains each of them. */
const READ_ALL = 20_000;
/** Above it, readings are looked up in this many slots: more than are shown, so that thinning has a choice. */
const SLOTS = 3_000;
/**
 * Number of readings of a slot among which the first with a position is used; some loggers report a position every
 * tenth time.
 */
const SLOT_READINGS = 20;
/** Number of readings at each end of the path among which a position is used. */
const END_READINGS = 1_000;

/**
 * Returns the path of a range, thinned to SCREEN_POINTS (MDET-12), from readings with a position (MDET-14). The work is
 * limited for any range: 20,000 readings, or 3,000 look-ups.
 */
export async function screenPath(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  limit = SCREEN_POINTS,
): Promise<PathPoint[]> {
  const segments = segmentsOf(range, /*rule:path-own-time*/ own /*=[{ from: -Infinity, to: Infinity }]*/);
  const [points, packsAt] = await Promise.all([
    readPoints(db, streamId, segments),
    packCounts(db, streamId, segments),
  ]);
  return thinPath(points, limit).map(({ reading }) => pointOf(reading, packsAt));
}

async function readPoints(db: Database, streamId: number, segments: readonly Segment[]) {
  const parts: Part[] = [];
  for (const segment of segments) {
    const cells = await readCells(db, streamId, segment);
    parts.push({ segment, cells, count: cells.reduce((sum, cell) => sum + cell.count, 0) });
  }
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const readings: OneReading[] = [];
  for (const part of parts) {
    const slots = Math.ceil((SLOTS * part.count) / total);
    const read =
      total <= READ_ALL ? readEvery(db, streamId, part.segment) : readSome(db, streamId, part, slots);
    readings.push(...(await read));
  }
  return readings.map((reading) => {
    const [lat = 0, lon = 0] = reading.values;
    return { lat, lon, ms: reading.time, reading };
  });
}

/** A segment of the range, and its number of readings. */
type Part = {
  readonly segment: Segment;
  readonly cells: readonly Cell[];
  readonly count: number;
};

/** Returns the ends of a segment, and the first position of each of `count` slots. */
async function readSome(
  db: Database,
  streamId: number,
  { segment, cells }: Part,
  count: number,
): Promise<OneReading[]> {
  const whole = { streamId, from: segment.from, to: segment.to };
  const [first, among, last] = await Promise.all([
    readEdge(db, whole, POINT_COLUMNS, { end: 'first', needed: 1, among: END_READINGS }),
    readAmong(db, streamId, pathSlots(cells, count)),
    readEdge(db, whole, POINT_COLUMNS, { end: 'last', needed: 1, among: END_READINGS }),
  ]);
  const inner = among.filter(({ time }) => first && last && time > first.time && time < last.time);
  return [...(first ? [first] : []), ...inner, ...(first && last && last.time > first.time ? [last] : [])];
}

async function readEvery(db: Database, streamId: number, range: Range): Promise<OneReading[]> {
  const { times, values } = await readColumnsOf(db, streamId, range, POINT_COLUMNS);
  const located = values[0] ?? new Float64Array();
  return Array.from(times, (time, n) => ({
    time,
    values: values.map((column) => column[n] as number),
  })).filter((_, n) => !Number.isNaN(located[n]));
}

/** On this many connections look-ups take half the time when the database is idle. */
const AT_ONCE = 2;

async function readAmong(db: Database, streamId: number, slots: readonly Range[]): Promise<OneReading[]> {
  const size = Math.ceil(slots.length / AT_ONCE);
  const parts = Array.from({ length: AT_ONCE }, (_, n) => slots.slice(n * size, (n + 1) * size));
  const found = await Promise.all(
    parts.map((part) =>
      readEdges(
        db,
        part.map(({ from, to }) => ({ streamId, from, to })),
        POINT_COLUMNS,
        { end: 'first', needed: 1, among: SLOT_READINGS },
      ),
    ),
  );
  return found.flat().filter((one) => one !== undefined);
}
