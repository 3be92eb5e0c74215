import type { Database } from '#server/platform/database.ts';
import { ofStream, ofStreams } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import {
  type Column,
  columnsIn,
  concatenated,
  type OneReading,
  type ReadingColumns,
  type SentRow,
  selectionOf,
  sentArrays,
  timeParameter,
} from './columns.ts';

/** A half-open range of a stream, in ms. */
export type StreamRange = Range & { readonly streamId: number };

/**
 * Reads columns of a stream's readings, for each range separately. Reads every reading: for long ranges use `columnPages`.
 * @param newest reads only this many readings at the end of each range
 */
export async function readColumns(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  columns: readonly Column[],
  newest?: number,
): Promise<ReadingColumns[]> {
  if (ranges.length === 0) return [];
  const { items, names } = selectionOf(columns, 3);
  const { rows } = await ofStream(db, streamId).query<SentRow>(
    `select found.* from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as w (since, until, n)
     cross join lateral (
       select ${sentArrays(items.length)} from (
         select time${asValues(items)} from telemetry.reading r
         where stream_id = $1 and time >= w.since and time < w.until
         order by time ${newest === undefined ? '' : `desc limit ${newest}`}
       ) as r
     ) as found order by n`,
    [
      streamId,
      ranges.map(({ from }) => timeParameter(from)),
      ranges.map(({ to }) => timeParameter(to)),
      ...names,
    ],
  );
  return rows.map((row) => columnsIn(row, items.length));
}

/** Like `readColumns`, for one range. */
export const readColumnsOf = async (
  db: Database,
  streamId: number,
  range: Range,
  columns: readonly Column[],
  newest?: number,
): Promise<ReadingColumns> =>
  (await readColumns(db, streamId, [range], columns, newest))[0] ?? { times: new Float64Array(), values: [] };

/** Readings per statement of `columnPages`: some hundreds of kilobytes, so that no statement takes long. */
const PAGE = 4_000;
/** Readings per row of an answer. Larger rows live longer, which makes the heap grow, and the driver copies a long row as it arrives. */
const PER_ROW = 500;

/**
 * Yields columns of a stream's readings, range by range and at most 500 readings at a time. The next page is read while the caller uses
 * one: at most one, however slow the caller is. No transaction stays open, so a reading that arrives late may be left out.
 * @param page readings per statement
 */
export async function* columnPages(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  columns: readonly Column[],
  page = PAGE,
): AsyncGenerator<ReadingColumns, void> {
  const { items, names } = selectionOf(columns, 3);
  const text = `select ${sentArrays(items.length)} from (
      select time${asValues(items)}, (row_number() over (order by time) - 1) / ${PER_ROW} as part
      from (select ${unpacked(names)} from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 order by time limit ${page} offset 0) as r
    ) as page group by part order by part`;
  const readPage = async ({
    from,
    to,
  }: Range): Promise<{ parts: ReadingColumns[]; after: Range | undefined }> => {
    const { rows } = await ofStream(db, streamId).query<SentRow>(text, [
      streamId,
      timeParameter(from),
      timeParameter(to),
      ...names,
    ]);
    const parts = rows.map((row) => columnsIn(row, items.length));
    const count = parts.reduce((sum, { times }) => sum + times.length, 0);
    const next = (parts.at(-1)?.times.at(-1) ?? to) + 1;
    return { parts, after: count === page && next < to ? { from: next, to } : undefined };
  };
  const rest = ranges.toReversed();
  const ask = (): ReturnType<typeof readPage> | undefined => {
    const range = rest.pop();
    const read = range && readPage(range);
    read?.catch(() => {}); // the await below throws the error; a caller that stopped does not want it
    return read;
  };
  for (let asked = ask(); asked; ) {
    const { parts, after } = await asked;
    if (after) rest.push(after);
    asked = ask();
    yield* parts;
  }
}

/** Slots per statement. */
const SLOTS = 500;
/** On this many connections look-ups take half the time when the database is idle. */
const AT_ONCE = 2;

/**
 * Reads columns of the first readings of each slot, in order of time.
 * @param slots in order and disjoint
 * @param most readings per slot
 */
export async function readSamples(
  db: Database,
  streamId: number,
  slots: readonly Range[],
  most: number,
  columns: readonly Column[],
): Promise<ReadingColumns> {
  const { items, names } = selectionOf(columns, 6);
  const text = `select ${sentArrays(items.length)} from unnest($4::timestamptz[], $5::timestamptz[]) as slot (since, until), lateral (
      select time${asValues(items)} from telemetry.reading r
      where stream_id = $1 and time >= $2 and time < $3 and time >= slot.since and time < slot.until order by time limit $6
    ) as r`;
  const parts: Range[][] = [];
  for (let n = 0; n < slots.length; n += SLOTS) parts.push(slots.slice(n, n + SLOTS));
  const found: ReadingColumns[] = [];
  const left = parts.entries();
  const go = async (): Promise<void> => {
    for (const [n, part] of left) {
      const { rows } = await ofStream(db, streamId).query<SentRow>(text, [
        streamId,
        timeParameter(part[0]?.from ?? 0),
        timeParameter(part.at(-1)?.to ?? 0),
        part.map(({ from }) => timeParameter(from)),
        part.map(({ to }) => timeParameter(to)),
        most,
        ...names,
      ]);
      found[n] = columnsIn(rows[0] ?? {}, items.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
  return concatenated(found, items.length);
}

/** Which reading of a range is read: the first or the last one that has a value in each of the `needed` first columns. */
export type Edge = {
  readonly end: 'first' | 'last';
  readonly needed?: number;
  /** Only this many readings at that end of the range are searched. */
  readonly among?: number;
};

/** Reads one reading of each range, in the order of the ranges; undefined when there is none. */
export async function readEdges(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly Column[],
  { end, needed = columns.length, among }: Edge,
): Promise<(OneReading | undefined)[]> {
  const { items, names } = selectionOf(columns, 4);
  const order = `order by time ${end === 'last' ? 'desc' : ''}`;
  const isFound = items.slice(0, needed).map((item) => `${item} is not null`);
  const inRange = 'r.stream_id = a.id and r.time >= a.since and r.time < a.until';
  const source =
    among === undefined
      ? `telemetry.reading r where ${[inRange, ...isFound].join(' and ')}`
      : `(select * from telemetry.reading r where ${inRange} ${order} limit ${among}) as r where ${['true', ...isFound].join(' and ')}`;
  const numbered = ranges.map((range, n) => ({ ...range, n }));
  const answers = await ofStreams(db, numbered, async (shard, own) => {
    // The last column is the index of the range, because columns are sorted by time.
    const { rows } = await shard.query<SentRow>(
      `select ${sentArrays(items.length + 1)}
       from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::float8[]) as a (id, since, until, n), lateral (
         select time${asValues([...items, 'a.n'])} from ${source} ${order} limit 1
       ) as r`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
        own.map(({ n }) => n),
        ...names,
      ],
    );
    return { rows: [columnsIn(rows[0] ?? {}, items.length + 1)] };
  });
  const edges = new Array<OneReading | undefined>(ranges.length).fill(undefined);
  for (const { times, values } of answers) {
    const indexes = values.at(-1) ?? new Float64Array();
    for (const [row, time] of times.entries())
      edges[indexes[row] as number] = {
        time,
        values: values.slice(0, -1).map((column) => column[row] as number),
      };
  }
  return edges;
}

/** Like `readEdges`, for one range. */
export const readEdge = async (
  db: Database,
  range: StreamRange,
  columns: readonly Column[],
  edge: Edge,
): Promise<OneReading | undefined> => (await readEdges(db, [range], columns, edge))[0];

/** Returns the time (ms) of the first reading of a range; undefined when it has none. */
export const firstTime = async (db: Database, range: StreamRange): Promise<number | undefined> =>
  (await readEdge(db, range, [], { end: 'first' }))?.time;

/** Returns `select` items of a reading. Decompresses `rest` once, instead of once for each of several own names. */
const unpacked = (names: readonly string[]): string =>
  names.length > 1 ? `time, ${SIGNALS.map(({ column }) => column).join(', ')}, rest || '{}' as rest` : '*';

const asValues = (items: readonly string[]): string =>
  ['', ...items.map((item, n) => `${item} as v${n}`)].join(', ');
