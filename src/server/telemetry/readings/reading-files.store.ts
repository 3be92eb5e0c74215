import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams, shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type StreamRange, timeParameter } from './columns.ts';
import {
  type ChunkBytes,
  type ColumnChunk,
  DamagedFile,
  type FileReadings,
  readParquet,
  TIME_COLUMN,
  writeParquet,
} from './parquet-file.ts';
import { sampleReadings } from './sampled-readings.ts';
import { weekStartOf } from './weeks.ts';

/**
 * A file of readings.
 * @property from, to times of its first and last reading, in ms
 * @property chunks positions of its columns' bytes
 * @property isMerged false for a file that an upload made and that no background task has merged with its neighbours yet
 * @property columns the columns that were read
 */
export type ReadingFile = {
  readonly streamId: number;
  readonly from: number;
  readonly to: number;
  readonly readings: number;
  readonly isMerged: boolean;
  readonly chunks: Readonly<Record<string, ColumnChunk>>;
  readonly columns: readonly ChunkBytes[];
};

type Row = Omit<ReadingFile, 'columns'> & Readonly<Record<`c${number}`, Buffer | null>>;
/** `content` is null for a file without sampled readings. */
type WholeRow = Omit<ReadingFile, 'columns'> & { readonly content?: Buffer | null };

/** Maximum number of names in a query: a statement returns at most 1,664 columns, so for more names it returns whole files. */
const MAX_NAMES = 1_000;

const itemsOf = (
  chunks: string,
  readings: string,
): string => `f.stream_id, date_part('epoch', f.from_time) * 1000 as "from",
  date_part('epoch', f.to_time) * 1000 as "to", ${readings} as readings, f.is_merged, ${chunks} as chunks`;
const ITEMS = itemsOf('f.chunks', 'f.readings');

/**
 * Returns the files with readings in one of the ranges, in order of stream and time.
 * @param names the columns to read of each file that has them; empty: only the facts about the file
 */
export const findFiles = (
  db: Database,
  ranges: readonly StreamRange[],
  names: readonly string[],
): Promise<ReadingFile[]> => findContents(db, ranges, names, WHOLE);

/** Like `findFiles`, but with the columns of the sampled readings; without columns for a file that has no sampled readings. */
export const findSampledFiles = (
  db: Database,
  range: StreamRange,
  names: readonly string[],
): Promise<ReadingFile[]> => findContents(db, [range], names, SAMPLED);

/** SQL for the columns of table reading_file that hold a file's readings: all readings, or a copy of the sampled ones. */
type Contents = { readonly content: string; readonly chunks: string; readonly readings: string };
const WHOLE: Contents = { content: 'f.content', chunks: 'f.chunks', readings: 'f.readings' };
const SAMPLED: Contents = {
  content: 'f.sampled',
  chunks: "coalesce(f.sampled_chunks, '{}')",
  readings: 'coalesce(f.sampled_readings, 0)',
};

function findContents(
  db: Database,
  ranges: readonly StreamRange[],
  names: readonly string[],
  { content, chunks, readings }: Contents,
): Promise<ReadingFile[]> {
  const isWhole = names.length > MAX_NAMES;
  const contents = names.map((_, n) => `, ${contentOf(content, `${chunks} -> $${n + 5}`)} as c${n}`).join('');
  return runInShardsOfStreams(db, ranges, async (shard, own) => {
    const { rows } = await shard.query<Row & WholeRow>(
      `with found as (
         select distinct f.stream_id, f.from_time
         from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[]) as w (id, week, since, until), lateral (
           select stream_id, from_time from telemetry.reading_file
           where stream_id = w.id and from_time >= w.week and from_time < w.until and to_time >= w.since offset 0
         ) as f
       )
       select ${itemsOf(chunks, readings)}${isWhole ? `, ${content} as content` : contents}
       from found join telemetry.reading_file f using (stream_id, from_time) order by found.stream_id, found.from_time`,
      [
        own.map(({ streamId }) => streamId),
        // A file contains readings of one week only.
        own.map(({ from }) => timeParameter(weekStartOf(from))),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
        ...(isWhole ? [] : names),
      ],
    );
    return { rows: rows.map((row) => (isWhole ? wholeFileOf(row, names) : fileOf(row, names))) };
  });
}

const contentOf = (content: string, chunk: string): string =>
  `substring(${content} from (${chunk} ->> 0)::integer + 1 for (${chunk} ->> 1)::integer)`;

const fileOf = (
  { streamId, from, to, readings, isMerged, chunks, ...row }: Row,
  names: readonly string[],
): ReadingFile => ({
  streamId,
  from: Math.round(from),
  to: Math.round(to),
  readings,
  isMerged,
  chunks,
  columns: names.flatMap((name, n) => {
    const [chunk, bytes] = [chunks[name], row[`c${n}`]];
    return chunk && bytes ? [{ name, chunk, bytes }] : [];
  }),
});

/** Returns a file with the columns of its whole content that have one of the names. */
function wholeFileOf({ content, ...row }: WholeRow, names: Iterable<string>): ReadingFile {
  const wanted = new Set(names);
  const columns = Object.entries(row.chunks)
    .filter(([name]) => wanted.has(name))
    .flatMap(([name, chunk]) =>
      content ? [{ name, chunk, bytes: content.subarray(chunk[0], chunk[0] + chunk[1]) }] : [],
    );
  return { ...fileOf(row, []), columns };
}

/** Returns the first file of each range, or the last one, in the order of the ranges; without columns. */
export async function findEdgeFiles(
  db: Database,
  ranges: readonly StreamRange[],
  end: 'first' | 'last',
): Promise<(ReadingFile | undefined)[]> {
  const numbered = ranges.map((range, n) => ({ ...range, n }));
  const found = await runInShardsOfStreams(db, numbered, async (shard, own) => {
    const { rows } = await shard.query<Row & { n: number }>(
      `select w.n, ${ITEMS}
       from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::integer[]) as w (id, week, since, until, n), lateral (
         select * from telemetry.reading_file
         where stream_id = w.id and from_time >= w.week and from_time < w.until and to_time >= w.since
         order by from_time ${end === 'last' ? 'desc' : ''} limit 1
       ) as f`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => timeParameter(weekStartOf(from))),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
        own.map(({ n }) => n),
      ],
    );
    return { rows };
  });
  const byRange = new Map(found.map(({ n, ...row }) => [n, fileOf(row, [])]));
  return ranges.map((_, n) => byRange.get(n));
}

/** Damaged files that this process has found and that were not deleted. */
const damaged = new Set<string>();
const damagedKey = ({ streamId, from }: Pick<ReadingFile, 'streamId' | 'from'>): string =>
  `${streamId} ${from}`;
/** Returns the number of damaged files that this process has found and that were not deleted. */
export const countDamaged = (): number => damaged.size;

/** Some readings at one end of a range. */
export type RangeEnd = { readonly end: 'first' | 'last'; readonly count: number };

/**
 * Decodes the columns of a file between two times (ms).
 * @param few decodes only some readings at one end of the range
 * @throws DamagedFile
 */
export const decodeReadingFile = (file: ReadingFile, range: Range, few?: RangeEnd): Promise<FileReadings> =>
  decodeFile(file, range, few).catch((error: unknown) => {
    if (error instanceof DamagedFile) damaged.add(damagedKey(file));
    throw error;
  });

async function decodeFile(file: ReadingFile, { from, to }: Range, few?: RangeEnd): Promise<FileReadings> {
  const isTime = ({ name }: ChunkBytes) => name === TIME_COLUMN;
  const times =
    (await readParquet(file.columns.filter(isTime), file.readings)).get(TIME_COLUMN) ?? new Float64Array();
  let [first, end] = [firstIndexAt(times, from), firstIndexAt(times, to)];
  if (few?.end === 'first') end = Math.min(end, first + few.count);
  if (few?.end === 'last') first = Math.max(first, end - few.count);
  const others = file.columns.filter((one) => !isTime(one));
  return {
    times: times.subarray(first, end),
    columns: await readParquet(others, file.readings, first, end),
  };
}

/** Returns the index of the first time at or after an instant. */
export function firstIndexAt(times: Float64Array, instant: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Inserts a file.
 * @param file at least one reading, all of one week; no other file has readings between the first and the last of them
 */
export async function insertFile(
  db: Database,
  streamId: number,
  file: EncodedFile,
  isMerged = true,
): Promise<void> {
  await shardForStream(db, streamId).query(
    `insert into telemetry.reading_file
       (stream_id, from_time, to_time, readings, chunks, content, sampled_readings, sampled_chunks, sampled, is_merged)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [streamId, ...valuesOf(file), isMerged],
  );
}

const valuesOf = ({ times, content, chunks, sampled }: EncodedFile): unknown[] => [
  new Date(times[0] as number),
  new Date(times.at(-1) as number),
  times.length,
  JSON.stringify(chunks),
  content,
  sampled?.times.length ?? null,
  sampled ? JSON.stringify(sampled.chunks) : null,
  sampled?.content ?? null,
];

/**
 * Replaces a file by another file with some of its readings, in one statement.
 * @param xmin the version of the row
 * @returns false when there is no such row
 */
async function replaceFile(
  db: Database,
  { streamId, from, xmin }: Pick<ReadingFile, 'streamId' | 'from'> & { readonly xmin: string },
  file: EncodedFile,
): Promise<boolean> {
  const { rowCount } = await shardForStream(db, streamId).query(
    `update telemetry.reading_file set from_time = $4, to_time = $5, readings = $6, chunks = $7, content = $8,
       sampled_readings = $9, sampled_chunks = $10, sampled = $11
     where stream_id = $1 and from_time = $2 and xmin::text = $3`,
    [streamId, new Date(from), xmin, ...valuesOf(file)],
  );
  return rowCount === 1;
}

/**
 * Claims the exclusive right to insert files of a stream until the caller's transaction ends, so that files do not overlap. Does
 * not wait, because the caller may hold locks that the other transaction waits for.
 * @returns whether readings of this range fit between the existing files; false while another transaction inserts files
 */
export async function claimFileWriteLock(db: Database, range: StreamRange): Promise<boolean> {
  const { rows } = await db.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1, $2) as mine', [
    ADVISORY_LOCK_KEYS.readingFiles,
    range.streamId,
  ]);
  return rows[0]?.mine === true && (await findFiles(db, [range], [])).length === 0;
}

/**
 * Changes the readings in the files of a range, each in one statement; the caller has changed the rows already.
 * @param change returns the new readings, possibly none; undefined when they do not change, as when it is called with readings that
 * it returned
 */
export async function rewriteFiles(
  db: Database,
  range: StreamRange,
  change: (readings: FileReadings) => FileReadings | undefined,
): Promise<void> {
  // If another process replaces files meanwhile, all files are looked up again.
  while (!(await rewriteOnce(db, range, change)));
}

/** Rewrites the files once. @returns false when another process replaced a file */
async function rewriteOnce(
  db: Database,
  range: StreamRange,
  change: (readings: FileReadings) => FileReadings | undefined,
): Promise<boolean> {
  for (const { from } of await findFiles(db, [range], [])) {
    const file = await readWholeFile(db, range.streamId, from);
    if (!file) return false;
    const changed = change(await decodeReadingFile(file, ALL_TIME));
    if (!changed) continue;
    const isChanged =
      changed.times.length > 0
        ? await replaceFile(db, file, encodeFile(changed))
        : await deleteFile(db, range.streamId, from, file.xmin);
    if (!isChanged) return false;
  }
  return true;
}

type Encoded = ReturnType<typeof writeParquet> & Pick<FileReadings, 'times'>;
/** A file that is ready to be stored. */
export type EncodedFile = Encoded & { readonly sampled: Encoded | undefined };

export function encodeFile(readings: FileReadings): EncodedFile {
  const encode = (some: FileReadings): Encoded => ({ ...writeParquet(some), times: some.times });
  const sampled = sampleReadings(readings);
  return { ...encode(readings), sampled: sampled && encode(sampled) };
}

export const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Returns a file with all its columns; undefined when no file starts at this time (ms). */
export async function readWholeFile(
  db: Database,
  streamId: number,
  from: number,
): Promise<(ReadingFile & { readonly xmin: string }) | undefined> {
  const { rows } = await shardForStream(db, streamId).query<
    Omit<ReadingFile, 'columns'> & { content: Buffer; xmin: string }
  >(
    `select ${ITEMS}, f.content, f.xmin::text from telemetry.reading_file f where f.stream_id = $1 and f.from_time = $2`,
    [streamId, new Date(from)],
  );
  const [row] = rows;
  if (!row) return undefined;
  return { ...wholeFileOf(row, Object.keys(row.chunks)), xmin: row.xmin };
}

/** Deletes a file. @param xmin the version of the row; undefined: any. @returns false when there is no such row */
export async function deleteFile(
  db: Database,
  streamId: number,
  from: number,
  xmin?: string,
): Promise<boolean> {
  const { rowCount } = await shardForStream(db, streamId).query(
    `delete from telemetry.reading_file where stream_id = $1 and from_time = $2 and ($3::text is null or xmin::text = $3)`,
    [streamId, new Date(from), xmin ?? null],
  );
  if (rowCount !== 1) return false;
  damaged.delete(damagedKey({ streamId, from }));
  return true;
}
