import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import {
  type ColumnArraysRow,
  columnArraysSql,
  columnSelectionSql,
  decodeColumnArrays,
  type OneReading,
  type ReadingColumn,
  type ReadingColumns,
  type StreamRange,
  timeParameter,
} from './columns.ts';
import { numberedSelectItemsSql, readStreamColumns } from './read-columns.ts';
import { findEdgeFiles, type ReadingFile } from './reading-files.store.ts';

/** Selects a reading of a range: the first or the last one that has a value in each of the `needed` first columns. */
export type EdgeReadingSelector = {
  readonly end: 'first' | 'last';
  readonly needed?: number;
};

/** Reads one reading of each range, in the order of the ranges; undefined when there is none. */
export async function readEdgeReadings(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly ReadingColumn[],
  { end, needed = columns.length }: EdgeReadingSelector,
): Promise<(OneReading | undefined)[]> {
  const edges = await readRowEdges(db, ranges, columns, { end, needed });
  // Searches only the files beyond the row that was found.
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

/**
 * Reads the part of each range that its file covers. Without columns, reads only the times of the file's ends, if these are in the
 * range.
 */
async function readInFiles(
  db: Database,
  found: readonly { readonly range: StreamRange; readonly file: ReadingFile }[],
  columns: readonly ReadingColumn[],
  end: EdgeReadingSelector['end'],
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

/** Returns the first or last of the readings that has the needed values. */
function edgeOf(
  { times, values }: ReadingColumns,
  end: EdgeReadingSelector['end'],
  needed: number,
): OneReading | undefined {
  const required = values.slice(0, needed);
  const [begin, step] = end === 'first' ? [0, 1] : [times.length - 1, -1];
  for (let n = begin; n >= 0 && n < times.length; n += step)
    if (required.every((column) => !Number.isNaN(column[n])))
      return { time: times[n] as number, values: values.map((column) => column[n] as number) };
  return undefined;
}

async function readRowEdges(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly ReadingColumn[],
  { end, needed }: Required<EdgeReadingSelector>,
): Promise<(OneReading | undefined)[]> {
  const { items, names } = columnSelectionSql(columns, 4);
  const isFound = items
    .slice(0, needed)
    .map((item) => ` and ${item} is not null`)
    .join('');
  const numbered = ranges.map((range, n) => ({ ...range, n }));
  const answers = await runInShardsOfStreams(db, numbered, async (shard, own) => {
    // The last column has the index of the range, because `decodeColumnArrays` may sort the readings of several ranges by time.
    const { rows } = await shard.query<ColumnArraysRow>(
      `select ${columnArraysSql(items.length + 1)}
       from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::float8[]) as a (id, since, until, n), lateral (
         select time${numberedSelectItemsSql([...items, 'a.n'])} from telemetry.reading r
         where r.stream_id = a.id and r.time >= a.since and r.time < a.until${isFound}
         order by time ${end === 'last' ? 'desc' : ''} limit 1
       ) as r`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
        own.map(({ n }) => n),
        ...names,
      ],
    );
    return { rows: [decodeColumnArrays(rows[0] ?? {}, items.length + 1)] };
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

/** Like `readEdgeReadings`, for one range. */
export const readEdgeReading = async (
  db: Database,
  range: StreamRange,
  columns: readonly ReadingColumn[],
  edge: EdgeReadingSelector,
): Promise<OneReading | undefined> => (await readEdgeReadings(db, [range], columns, edge))[0];

/** Returns the time (ms) of the first reading of a range; undefined when it has none. */
export const readFirstReadingTime = async (db: Database, range: StreamRange): Promise<number | undefined> =>
  (await readEdgeReading(db, range, [], { end: 'first' }))?.time;
