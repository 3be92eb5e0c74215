import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { knownSignal, SIGNALS } from '#shared/domain/signal.ts';
import { type StreamRange, timeParameter } from './columns.ts';
import { readFileColumns } from './file-columns.ts';
import {
  columnWithoutValues,
  concatenateFileReadings,
  mergeFileReadings,
  sliceFileReadings,
} from './file-readings.ts';
import { type FileReadings, TIME_COLUMN } from './parquet-file.ts';
import { openParquetTable } from './parquet-table.ts';
import {
  ALL_TIME,
  decodeReadingFile,
  findEdgeFiles,
  firstIndexAt,
  readWholeFile,
} from './reading-files.store.ts';
import { WEEK_MS, weekStartOf } from './weeks.ts';
import { readWholeRows, toFileReadings } from './whole-readings.ts';

/**
 * A week of a stream whose readings are in files.
 * @property from, to times of the first and the last of these readings, in ms
 * @property bytes size of all its files
 */
export type ClosedWeek = Range & { readonly readings: number; readonly bytes: number };

/** Returns the weeks of a stream that have files, newest first. @param range starts at the start of a week */
export async function findClosedWeeks(
  db: Database,
  streamId: number,
  { from, to }: Range = ALL_TIME,
): Promise<ClosedWeek[]> {
  const { rows } = await shardForStream(db, streamId).query<ClosedWeek>(
    `select date_part('epoch', min(from_time)) * 1000 as "from", date_part('epoch', max(to_time)) * 1000 as "to",
       sum(readings)::float8 as readings, sum(octet_length(content))::float8 as bytes
     from telemetry.reading_file where stream_id = $1 and from_time >= $2 and from_time < $3
     group by date_trunc('week', from_time, 'UTC') order by 1 desc`,
    [streamId, timeParameter(from), timeParameter(to)],
  );
  return rows.map((week) => ({ ...week, from: Math.round(week.from), to: Math.round(week.to) }));
}

/** Returns how many readings of the ranges are in files. */
export async function countInFiles(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<number> {
  const found = await readFileColumns(
    db,
    ranges.map((range) => ({ streamId, ...range })),
    [],
  );
  return found.reduce((sum, part) => sum + (part?.times.length ?? 0), 0);
}

/** A file as it is stored; `xmin` is the version of its row. */
export type StoredFile = {
  readonly streamId: number;
  readonly from: number;
  readonly bytes: number;
  readonly xmin: string;
};

/** Returns the file that has all readings of a week; undefined if the week has several files, or rows that wait to be merged. */
export async function findWholeWeekFile(
  db: Database,
  streamId: number,
  week: number,
): Promise<StoredFile | undefined> {
  const { rows } = await shardForStream(db, streamId).query<Omit<StoredFile, 'streamId'>>(
    `select date_part('epoch', from_time) * 1000 as "from", octet_length(content) as bytes, xmin::text from telemetry.reading_file
     where stream_id = $1 and from_time >= $2 and from_time < $3
       and not exists (select from telemetry.reading where stream_id = $1 and time >= $2 and time < $3)
     limit 2`,
    [streamId, new Date(week), new Date(week + WEEK_MS)],
  );
  const [file] = rows;
  return file && rows.length === 1 ? { ...file, from: Math.round(file.from), streamId } : undefined;
}

/** Number of bytes that one statement reads. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Yields the bytes of a stored file, unchanged.
 * @throws ProblemError 503 when the file is replaced meanwhile; the bytes so far belong to a file that no longer exists
 */
export async function* readStoredFileChunks(
  db: Database,
  { streamId, from, bytes, xmin }: StoredFile,
): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes; at += CHUNK_BYTES) {
    const { rows } = await shardForStream(db, streamId).query<{ chunk: Buffer }>(
      `select substring(content from $4::integer + 1 for ${CHUNK_BYTES}) as chunk from telemetry.reading_file
       where stream_id = $1 and from_time = $2 and xmin::text = $3`,
      [streamId, new Date(from), xmin, at],
    );
    const chunk = rows[0]?.chunk;
    if (!chunk)
      throw new ProblemError('unavailable', 'Deze week is intussen gewijzigd. Probeer het opnieuw.');
    yield chunk;
  }
}

/** Number of rows that one statement reads. */
const PAGE = 10_000;
/** Minimum number of rows of a row group, except the last. */
const GROUP = 50_000;
const PAGE_BYTES = 1024 * 1024;

/**
 * Makes one Parquet file of all readings of the ranges, with the columns that a stored file would have. The readings are read twice: first
 * for the names of the columns, which a file has before its first row, then for their values.
 * @param check called between two pages; throws to end the work
 */
export async function* makeWeekFile(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  check: () => void,
): AsyncGenerator<Buffer, void> {
  async function* pages(): AsyncGenerator<FileReadings, void> {
    for (const range of ranges)
      for await (const page of readingPages(db, { streamId, ...range })) {
        check();
        yield page;
      }
  }
  const used = new Set<string>();
  for await (const { columns } of pages())
    for (const [name, values] of columns)
      if (!used.has(name) && values.some((value) => !Number.isNaN(value))) used.add(name);
  const names = [
    ...SIGNALS.map(({ name }) => name).filter((name) => used.has(name)),
    ...[...used].filter((name) => !knownSignal(name)).sort(),
  ];
  const table = openParquetTable(
    TIME_COLUMN,
    names.map((name) => ({ name, isPartial: true })),
    PAGE_BYTES,
  );
  let group: FileReadings[] = [];
  let rows = 0;
  const encoded = (): Buffer => {
    const { times, columns } = concatenateFileReadings(group);
    group = [];
    rows = 0;
    const none = columnWithoutValues(times.length);
    return table.add(
      times,
      names.map((name) => columns.get(name) ?? none),
    );
  };
  for await (const page of pages()) {
    if (page.times.length === 0) continue;
    group.push(page);
    rows += page.times.length;
    if (rows >= GROUP) yield encoded();
  }
  if (rows > 0) yield encoded();
  yield table.end();
}

/**
 * Yields all columns of the readings of a range in order of time, at most one file and 10,000 rows at a time. Rows are read before
 * files, so that readings that move into a file meanwhile are found twice and counted once, not missed.
 */
async function* readingPages(db: Database, range: StreamRange): AsyncGenerator<FileReadings, void> {
  const { streamId, to } = range;
  for (let { from } = range; from < to; ) {
    const [whole] = await readWholeRows(db, [{ streamId, from, to }], SIGNALS, true, PAGE);
    const rows = whole ? toFileReadings(whole) : { times: new Float64Array(), columns: new Map() };
    const last = rows.times.length === PAGE ? (rows.times.at(-1) as number) : to - 1;
    const [edge] = await findEdgeFiles(db, [{ streamId, from, to: last + 1 }], 'first');
    const file = edge && (await readWholeFile(db, streamId, edge.from));
    // If another process replaced the file meanwhile, the page is read again.
    if (edge && !file) continue;
    const end = Math.min(last, file?.to ?? last) + 1;
    const ofRows = sliceFileReadings(rows, 0, firstIndexAt(rows.times, end));
    const ofFile = file && (await decodeReadingFile(file, { from, to: end }));
    yield ofFile ? (ofRows.times.length > 0 ? mergeFileReadings(ofFile, ofRows) : ofFile) : ofRows;
    from = end;
  }
}

/** Returns the start of the week that starts on a day ('YYYY-MM-DD'), in ms; undefined if the day is no Monday. */
export function parseWeekStartMs(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00Z`);
  return weekStartOf(at) === at ? at : undefined;
}
