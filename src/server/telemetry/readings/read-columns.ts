import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams, shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import {
  type ColumnArraysRow,
  columnArraysSql,
  columnSelectionSql,
  concatenateReadings,
  decodeColumnArrays,
  mergeReadings,
  type ReadingColumn,
  type ReadingColumns,
  type StreamRange,
  sliceReadings,
  timeParameter,
} from './columns.ts';
import { readFileColumns } from './file-columns.ts';
import { findEdgeFiles, firstIndexAt, type RangeEnd } from './reading-files.store.ts';

/*
 * Readings are stored as rows or, in weeks that are closed, in files. Every query reads rows before files, so that readings of a
 * week that is closed meanwhile are found in both; a row replaces the reading of a file at its time.
 */

/**
 * Reads columns of a stream's readings, for each range separately. Reads every reading: for long ranges use `readColumnPages`.
 * @param newest reads only this many readings at the end of each range
 */
export async function readColumns(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  columns: readonly ReadingColumn[],
  newest?: number,
): Promise<ReadingColumns[]> {
  const asked = ranges.map((range) => ({ streamId, ...range }));
  if (newest === undefined) return readStreamColumns(db, asked, columns);
  const found: ReadingColumns[] = [];
  for (const range of asked)
    found.push(await readColumnsAtRangeEnd(db, range, columns, { end: 'last', count: newest }));
  return found;
}

/** Like `readColumns`, for ranges of several streams. */
export async function readStreamColumns(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly ReadingColumn[],
): Promise<ReadingColumns[]> {
  if (ranges.length === 0) return [];
  const rows = await readRowColumns(db, ranges, columns);
  const files = await readFileColumns(db, ranges, columns);
  return rows.map((row, n) => mergeReadings(files[n], row, columns.length));
}

/** Reads columns of the readings at one end of a range, and no file beyond those readings. */
export async function readColumnsAtRangeEnd(
  db: Database,
  range: StreamRange,
  columns: readonly ReadingColumn[],
  few: RangeEnd,
): Promise<ReadingColumns> {
  const { end, count } = few;
  const [rows] = await readRowColumns(db, [range], columns, few);
  let found = rows as ReadingColumns;
  /** The part of the range whose files have not been read. */
  let { from, to } = range;
  for (;;) {
    const isFull = found.times.length >= count;
    if (isFull && end === 'last') from = Math.max(from, found.times.at(-count) as number);
    if (isFull && end === 'first') to = Math.min(to, (found.times[count - 1] as number) + 1);
    const [file] = from < to ? await findEdgeFiles(db, [{ ...range, from, to }], end) : [];
    if (!file) return readingsAtEnd(found, few);
    const part = { ...range, from: Math.max(from, file.from), to: Math.min(to, file.to + 1) };
    const [ofFile] = await readFileColumns(db, [part], columns, few);
    found = mergeReadings(ofFile, found, columns.length);
    if (end === 'last') to = part.from;
    else from = part.to;
  }
}

/** Returns the readings at one end of a range. */
export const readingsAtEnd = (readings: ReadingColumns, { end, count }: RangeEnd): ReadingColumns =>
  end === 'first'
    ? sliceReadings(readings, 0, count)
    : sliceReadings(readings, Math.max(0, readings.times.length - count));

/** Reads rows only. @param only reads only this many readings at one end of each range */
export async function readRowColumns(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly ReadingColumn[],
  only?: RangeEnd,
): Promise<ReadingColumns[]> {
  const { items, names } = columnSelectionSql(columns, 3);
  const limit = only ? `${only.end === 'last' ? 'desc' : ''} limit ${only.count}` : '';
  const asked = ranges.map((range, at) => ({ ...range, at }));
  const found = await runInShardsOfStreams(db, asked, async (shard, own) => {
    const { rows } = await shard.query<ColumnArraysRow>(
      `select found.* from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) with ordinality as w (stream_id, since, until, n)
       cross join lateral (
         select ${columnArraysSql(items.length)} from (
           select time${numberedSelectItemsSql(items)} from telemetry.reading r
           where stream_id = w.stream_id and time >= w.since and time < w.until
           order by time ${limit}
         ) as r
       ) as found order by n`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
        ...names,
      ],
    );
    return { rows: rows.map((row, n) => ({ at: own[n]?.at as number, row })) };
  });
  return found.sort((a, b) => a.at - b.at).map(({ row }) => decodeColumnArrays(row, items.length));
}

/** Like `readColumns`, for one range. */
export const readColumnsOf = async (
  db: Database,
  streamId: number,
  range: Range,
  columns: readonly ReadingColumn[],
  newest?: number,
): Promise<ReadingColumns> =>
  (await readColumns(db, streamId, [range], columns, newest))[0] ?? { times: new Float64Array(), values: [] };

/** Rows per statement of `readColumnPages`: some hundreds of kilobytes, so that no statement takes long. */
const PAGE = 4_000;
/**
 * Number of readings that one row of a query result holds, as arrays. With more the heap grows, because the garbage collector frees
 * large arrays later, and the driver copies an incomplete row each time that more of it arrives.
 */
const PER_ROW = 500;
/** Maximum number of a file's readings that a caller gets at a time. */
const PER_TURN = 8_000;

/**
 * Yields columns of a stream's readings, range by range and at most 8,000 readings at a time. Reads the next page while the caller
 * uses the present one, and not more than that, however slow the caller is. No transaction stays open, so a reading that arrives
 * late may be left out.
 * @param page rows per statement
 */
export async function* readColumnPages(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  columns: readonly ReadingColumn[],
  page = PAGE,
): AsyncGenerator<ReadingColumns, void> {
  const { items, names } = columnSelectionSql(columns, 3);
  const text = `select ${columnArraysSql(items.length)} from (
      select time${numberedSelectItemsSql(items)}, (row_number() over (order by time) - 1) / ${PER_ROW} as part
      from (select ${unpacked(names)} from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 order by time limit ${page} offset 0) as r
    ) as page group by part order by part`;
  const readPage = async ({
    from,
    to,
  }: Range): Promise<{ parts: ReadingColumns[]; after: Range | undefined }> => {
    const { rows } = await shardForStream(db, streamId).query<ColumnArraysRow>(text, [
      streamId,
      timeParameter(from),
      timeParameter(to),
      ...names,
    ]);
    const parts = rows.map((row) => decodeColumnArrays(row, items.length));
    const count = parts.reduce((sum, { times }) => sum + times.length, 0);
    const last = count === page ? (parts.at(-1)?.times.at(-1) as number) : to;
    const [file] = await findEdgeFiles(db, [{ streamId, from, to: Math.min(to, last + 1) }], 'first');
    // A page contains at most one file.
    const end = Math.min(to, last + 1, file ? file.to + 1 : Infinity);
    const after = end < to ? { from: end, to } : undefined;
    if (!file) return { parts, after };
    const [ofFile] = await readFileColumns(db, [{ streamId, from, to: end }], columns);
    const ofRows = concatenateReadings(parts, items.length);
    return {
      parts: [mergeReadings(ofFile, sliceReadings(ofRows, 0, firstIndexAt(ofRows.times, end)), items.length)],
      after,
    };
  };
  const rest = ranges.toReversed();
  const ask = (): ReturnType<typeof readPage> | undefined => {
    const range = rest.pop();
    const read = range && readPage(range);
    read?.catch(() => {}); // the await below throws the error; without it, the caller has stopped and does not need the error
    return read;
  };
  for (let asked = ask(); asked; ) {
    const { parts, after } = await asked;
    if (after) rest.push(after);
    asked = ask();
    for (const part of parts) {
      if (part.times.length <= PER_TURN) yield part;
      else
        for (let n = 0; n < part.times.length; n += PER_TURN) {
          yield sliceReadings(part, n, n + PER_TURN);
          await nextTurn();
        }
    }
  }
}

/** Returns `select` items of a reading. Decompresses `rest` once, not once for each name in it. */
const unpacked = (names: readonly string[]): string =>
  names.length > 1 ? `time, ${SIGNALS.map(({ column }) => column).join(', ')}, rest || '{}' as rest` : '*';

/** Returns `select` items named v0, v1 …, each after a comma. */
export const numberedSelectItemsSql = (items: readonly string[]): string =>
  ['', ...items.map((item, n) => `${item} as v${n}`)].join(', ');
