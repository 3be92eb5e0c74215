import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { pathSlots } from '#shared/domain/path-slots.ts';
import { thinPath } from '#shared/domain/path-thinning.ts';
import { inEachSlot, inParts, lookUpValues, OF_SLOT, readCells } from './look-ups.ts';
import { POINT_PACKS, POINT_SOC, packCounts } from './point-soc.ts';
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
  return thinPath(points, limit).map(({ row }) => toPoint(row, packsAt));
}

async function readPoints(db: Database, streamId: number, segments: readonly Segment[]) {
  const parts: Part[] = [];
  for (const segment of segments) {
    const cells = await readCells(db, streamId, segment);
    parts.push({ segment, cells, count: cells.reduce((sum, cell) => sum + cell.count, 0) });
  }
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const rows: PointRow[] = [];
  for (const part of parts) {
    const slots = Math.ceil((SLOTS * part.count) / total);
    const read =
      total <= READ_ALL ? readEvery(db, streamId, part.segment) : readSome(db, streamId, part, slots);
    rows.push(...(await read));
  }
  return rows.map((row) => ({ lat: Number(row[0]), lon: Number(row[1]), ms: timeOf(row), row }));
}

/** A segment of the range, and its number of readings. */
type Part = {
  readonly segment: Segment;
  readonly cells: Awaited<ReturnType<typeof readCells>>;
  readonly count: number;
};

/** Returns the ends of a segment, and the first position of each of `count` slots. */
async function readSome(
  db: Database,
  streamId: number,
  { segment, cells }: Part,
  count: number,
): Promise<PointRow[]> {
  const [first, among, last] = await Promise.all([
    readEnd(db, streamId, segment, 'asc'),
    readAmong(db, streamId, segment, pathSlots(cells, count)),
    readEnd(db, streamId, segment, 'desc'),
  ]);
  const inner = among.filter((row) => isAfter(row, first[0]) && isAfter(last[0], row));
  return [...first, ...inner, ...(isAfter(last[0], first[0]) ? last : [])];
}

const isAfter = (row: PointRow | undefined, other: PointRow | undefined): boolean =>
  row !== undefined && other !== undefined && timeOf(row) > timeOf(other);

async function readEvery(db: Database, streamId: number, { from, to }: Range): Promise<PointRow[]> {
  const { rows } = await ofStream(db, streamId).query<never>({
    ...AS_TEXT,
    text: `select ${POINT_COLUMNS} from telemetry.reading r
      where stream_id = $1 and time >= $2 and time < $3 and latitude is not null order by time`,
    values: [streamId, new Date(from), new Date(to)],
  });
  return rows;
}

async function readAmong(
  db: Database,
  streamId: number,
  range: Range,
  slots: readonly Range[],
): Promise<PointRow[]> {
  const found = await inParts(slots, (part) =>
    ofStream(db, streamId).query<never>({
      ...AS_TEXT,
      text: `select found.* from ${FIRST_POINT}`,
      values: lookUpValues(streamId, range, { slots: part, most: SLOT_READINGS }),
    }),
  );
  return found.toSorted((a: PointRow, b: PointRow) => timeOf(a) - timeOf(b));
}

/** Returns the first or last position of the range; an empty list for none. */
async function readEnd(
  db: Database,
  streamId: number,
  { from, to }: Range,
  order: 'asc' | 'desc',
): Promise<PointRow[]> {
  const { rows } = await ofStream(db, streamId).query<never>({
    ...AS_TEXT,
    text: `select ${POINT_COLUMNS} from (
        select * from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 order by time ${order} limit ${END_READINGS}
      ) as r
      where latitude is not null order by time ${order} limit 1`,
    values: [streamId, new Date(from), new Date(to)],
  });
  return rows;
}

/** Columns of a path's point for the reading `r`. */
const POINT_COLUMNS = `r.latitude, r.longitude, date_part('epoch', r.time) * 1000, r.speed,
  ${POINT_SOC}, ${POINT_PACKS}`;

const FIRST_POINT = inEachSlot(`select ${POINT_COLUMNS} from ${OF_SLOT} where latitude is not null limit 1`);

/** A row of POINT_COLUMNS. PostgreSQL writes numbers as JSON does. */
type PointRow = readonly [
  lat: string,
  lon: string,
  ms: string,
  speed: string | null,
  soc: string | null,
  packs: string,
];

/** Options of pg for rows of text, which avoid converting values that become text again. */
const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } } as const;

const timeOf = (row: PointRow): number => Math.round(Number(row[2]));

function toPoint(row: PointRow, packsAt: (time: number) => number): PathPoint {
  const [lat, lon, , speed, soc, packs] = row;
  const hasAll = Number(packs) === packsAt(timeOf(row));
  return {
    lat: Number(lat),
    lon: Number(lon),
    time: new Date(timeOf(row)).toISOString(),
    ...(speed !== null && { speed: Number(speed) }),
    ...(soc !== null && hasAll && { soc: Number(soc) }),
  };
}
