import type { Database } from '#server/platform/database.ts';
import { ofStreams } from '#server/platform/shards.ts';
import {
  type Column,
  columnsIn,
  concatenated,
  merged,
  type OneReading,
  type ReadingColumns,
  type SentRow,
  type StreamRange,
  selectionOf,
  sentArrays,
  timeParameter,
} from './columns.ts';
import { readFileColumns } from './file-columns.ts';
import { asValues, fewOf, readFew, readRowColumns, readStreamColumns } from './read-columns.ts';
import { findEdgeFiles, findFiles, firstAt, type ReadingFile } from './reading-files.store.ts';

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
  if (among !== undefined) return readEdgesAmong(db, ranges, columns, { end, needed, among });
  const edges = await readRowEdges(db, ranges, columns, { end, needed });
  // Files are searched only beyond the row that was found.
  let open = ranges.map((range, n) => {
    const { time } = edges[n] ?? {};
    if (time === undefined) return { n, range };
    return { n, range: end === 'last' ? { ...range, from: time + 1 } : { ...range, to: time } };
  });
  for (;;) {
    const files = await findEdgeFiles(
      db,
      open.map(({ range }) => range),
      end,
    );
    const found = open.flatMap((one, at) => {
      const file = files[at];
      return file ? [{ ...one, file }] : [];
    });
    if (found.length === 0) return edges;
    const inFiles = await readInFiles(db, found, columns, end);
    open = found.flatMap(({ n, range, file }, at) => {
      const edge = edgeOf(inFiles[at] as ReadingColumns, end, needed);
      if (edge) edges[n] = edge;
      const beyond = end === 'last' ? { ...range, to: file.from } : { ...range, from: file.to + 1 };
      return edge || beyond.from >= beyond.to ? [] : [{ n, range: beyond }];
    });
  }
}

/** Reads the part of each range that its file covers; without columns only the times of the file's ends, if they are in the range. */
async function readInFiles(
  db: Database,
  found: readonly { readonly range: StreamRange; readonly file: ReadingFile }[],
  columns: readonly Column[],
  end: Edge['end'],
): Promise<readonly ReadingColumns[]> {
  const isKnown = ({ range, file }: (typeof found)[number]): boolean =>
    columns.length === 0 && (end === 'last' ? file.to < range.to : file.from >= range.from);
  const read = await readStreamColumns(
    db,
    found.flatMap((one) => {
      const { range, file } = one;
      if (isKnown(one)) return [];
      return [{ ...range, from: Math.max(range.from, file.from), to: Math.min(range.to, file.to + 1) }];
    }),
    columns,
  );
  const left = read.values();
  return found.map((one) =>
    isKnown(one)
      ? { times: Float64Array.of(end === 'last' ? one.file.to : one.file.from), values: [] }
      : (left.next().value as ReadingColumns),
  );
}

type AmongEdge = Required<Edge>;
/** A range with more files is searched file by file. */
const MOST_FILES = 2;

async function readEdgesAmong(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly Column[],
  edge: AmongEdge,
): Promise<(OneReading | undefined)[]> {
  const { end, needed, among } = edge;
  const few = { end, count: among };
  const spans = spansOf(ranges);
  // Rows first, as for every question. In closed weeks there are none, and the many ranges need no statement.
  const firstRows = await readRowColumns(db, spans, [], { end: 'first', count: 1 });
  const hasRows = firstRows.some(({ times }) => times.length > 0);
  const edges = hasRows
    ? await readRowEdges(db, ranges, columns, edge)
    : new Array<OneReading | undefined>(ranges.length).fill(undefined);
  const files = await findFiles(db, spans, []);
  if (files.length === 0) return edges;
  const filesOf = Map.groupBy(files, ({ streamId }) => streamId);
  const inFiles = ranges.flatMap((range, n) => {
    const count = (filesOf.get(range.streamId) ?? []).filter((file) => isIn(file, range)).length;
    return count === 0 ? [] : [{ n, range, count }];
  });
  const short = inFiles.filter(({ count }) => count <= MOST_FILES);
  const asked = short.map(({ range }) => range);
  const rows = hasRows ? await readRowColumns(db, asked, columns, few) : [];
  // Nearly always a range has one file and no row, and one reading is all that has to be kept.
  const isSimple = (at: number): boolean => short[at]?.count === 1 && !rows[at]?.times.length;
  const found = await readFileEnds(db, files, asked, columns, edge, isSimple);
  for (const [at, { n }] of short.entries()) {
    const none = { times: new Float64Array(), values: [] };
    const all = merged(found[at], rows[at] ?? none, columns.length);
    edges[n] = edgeOf(fewOf(all, few), end, needed);
  }
  for (const { n, range, count } of inFiles)
    if (count > MOST_FILES) edges[n] = edgeOf(await readFew(db, range, columns, few), end, needed);
  // Rows that moved into a new file after the files were found would be in neither.
  const isSame = !hasRows || keysOf(files) === keysOf(await findFiles(db, spans, []));
  return isSame ? edges : readEdgesAmong(db, ranges, columns, edge);
}

const keysOf = (files: readonly ReadingFile[]): string =>
  files.map(({ streamId, from, to, readings }) => [streamId, from, to, readings].join()).join(' ');

/** Returns one range per stream that contains all its ranges. */
const spansOf = (ranges: readonly StreamRange[]): StreamRange[] =>
  Array.from(
    Map.groupBy(ranges, ({ streamId }) => streamId),
    ([streamId, own]) => ({
      streamId,
      from: own.reduce((first, { from }) => Math.min(first, from), Infinity),
      to: own.reduce((last, { to }) => Math.max(last, to), -Infinity),
    }),
  );

const isIn = ({ from, to }: ReadingFile, range: StreamRange): boolean => from < range.to && to >= range.from;

/**
 * Reads the readings at one end of each range in files, file by file, and keeps only these.
 * @param isSimple whether only the reading that counts is kept, by index of the range
 */
async function readFileEnds(
  db: Database,
  files: readonly ReadingFile[],
  ranges: readonly StreamRange[],
  columns: readonly Column[],
  { end, needed, among }: AmongEdge,
  isSimple: (range: number) => boolean,
): Promise<ReadingColumns[]> {
  const parts = ranges.map((): ReadingColumns[] => []);
  const byStream = Map.groupBy(ranges.keys(), (n) => ranges[n]?.streamId);
  for (const file of files) {
    const { streamId } = file;
    const own = (byStream.get(streamId) ?? []).filter((n) => isIn(file, ranges[n] as StreamRange));
    const from = Math.max(file.from, Math.min(...own.map((n) => (ranges[n] as StreamRange).from)));
    const to = Math.min(file.to + 1, Math.max(...own.map((n) => (ranges[n] as StreamRange).to)));
    const [all] = from < to ? await readFileColumns(db, [{ streamId, from, to }], columns) : [];
    if (!all) continue;
    for (const n of own) {
      const range = ranges[n] as StreamRange;
      let [first, last] = [firstAt(all.times, range.from), firstAt(all.times, range.to)];
      if (end === 'first') last = Math.min(last, first + among);
      else first = Math.max(first, last - among);
      if (isSimple(n)) {
        const at = indexOf(all, end, needed, first, last);
        [first, last] = at === undefined ? [0, 0] : [at, at + 1];
      }
      // Copied, so that the file's columns can be freed.
      if (first < last)
        parts[n]?.push({
          times: all.times.slice(first, last),
          values: all.values.map((values) => values.slice(first, last)),
        });
    }
  }
  return parts.map((some) => fewOf(concatenated(some, columns.length), { end, count: among }));
}

function edgeOf(readings: ReadingColumns, end: Edge['end'], needed: number): OneReading | undefined {
  const { times, values } = readings;
  const n = indexOf(readings, end, needed, 0, times.length);
  if (n === undefined) return undefined;
  return { time: times[n] as number, values: values.map((column) => column[n] as number) };
}

/** Returns the index of the reading that counts between two indexes. */
function indexOf(
  { values }: ReadingColumns,
  end: Edge['end'],
  needed: number,
  first: number,
  last: number,
): number | undefined {
  const [begin, step] = end === 'first' ? [first, 1] : [last - 1, -1];
  for (let n = begin; n >= first && n < last; n += step) {
    let isComplete = true;
    for (let column = 0; column < needed; column += 1)
      if (Number.isNaN(values[column]?.[n])) isComplete = false;
    if (isComplete) return n;
  }
  return undefined;
}

async function readRowEdges(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly Column[],
  { end, needed, among }: Edge & Pick<AmongEdge, 'needed'>,
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
