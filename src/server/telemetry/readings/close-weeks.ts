import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { type Shard, shardForStream, shardsFrom } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { closedPartitions } from './closed-partitions.ts';
import { timeParameter } from './columns.ts';
import { concatenateFileReadings, mergeFileReadings } from './file-readings.ts';
import { DamagedFile, type FileReadings } from './parquet-file.ts';
import {
  ALL_TIME,
  claimFileWriteLock,
  decodeReadingFile,
  deleteFile,
  type EncodedFile,
  encodeFile,
  findFiles,
  insertFile,
  type ReadingFile,
  readWholeFile,
} from './reading-files.store.ts';
import { WEEK_MS, weekStartOf } from './weeks.ts';
import { readWholeRows, toFileReadings } from './whole-readings.ts';

/** Maximum number of readings per file: a little more than a day at one per second. */
const MAX_READING_COUNT = 100_000;
/**
 * Maximum number of columns per file; a file with more is split, because each column takes some hundred bytes, however few values
 * it has.
 */
const MAX_COLUMNS = 400;
/** Number of rows that one statement reads. */
const PAGE = 10_000;

/**
 * The result of one step. `rows`: number of rows that are now in files. `isDone` is false when another process changed the rows
 * meanwhile, or when the step failed; the rows are then unchanged.
 */
export type ClosingStepResult = {
  readonly streamId: number;
  readonly rows: number;
  readonly isDone: boolean;
  readonly error?: unknown;
};

/**
 * Moves the rows of closed weeks into files, newest week first, at most 100,000 rows of one stream per step, and merges small
 * files. Each step is one short transaction; an interrupted step changes nothing. Uploads and queries do not wait for it.
 * @param before rows from this time (ms) on stay; the start of a week, or Infinity
 * @throws the first error of a step, after the steps of all other streams
 */
export async function* closeWeeks(pool: Pool, before: number): AsyncGenerator<ClosingStepResult, void> {
  let failed: unknown;
  for (const shard of shardsFrom(pool, 0))
    for (const span of await spansOf(shard, before)) {
      let streamId = -1;
      for (;;) {
        const next = await firstOpen(shard, span, streamId);
        if (!next) break;
        const step: Omit<ClosingStepResult, 'streamId'> = await closeStep(pool, next, before).catch(
          // A damaged file is not an error here, because queries on the week report it.
          (error: unknown) => ({ rows: 0, isDone: false, ...(!(error instanceof DamagedFile) && { error }) }),
        );
        failed ??= step.error;
        yield { streamId: next.streamId, ...step };
        // A stream may have more rows, so it is selected again. After a conflict or an error its rows wait for the next call.
        streamId = step.isDone ? next.streamId - 1 : next.streamId;
      }
    }
  if (failed !== undefined) throw failed;
}

/** Returns how many closed weeks have rows that are not in files. Consecutive weeks without their own partitions count as one. */
export async function countOpenWeeks(db: Database, before: number): Promise<number> {
  const open = new Set<number>();
  for (const shard of shardsFrom(db, 0))
    for (const span of await spansOf(shard, before))
      if (!open.has(span.from) && (await firstOpen(shard, span, -1))) open.add(span.from);
  return open.size;
}

/**
 * Returns the closed weeks that have a partition, newest first, and the times between them, whose rows are in the default partition. The
 * portal's role may not read partitions themselves.
 */
async function spansOf(shard: Shard, before: number): Promise<Range[]> {
  const weeks = (await closedPartitions(shard, before)).map(({ from }) => ({ from, to: from + WEEK_MS }));
  const gaps: Range[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of [...weeks, { from: before, to: before }]) {
    if (from > end) gaps.push({ from: end, to: from });
    end = to;
  }
  return [...weeks.toReversed(), ...gaps.toReversed()];
}

/** The first row of a stream in a span, or the first file that is not merged. */
type FirstOpen = { readonly streamId: number; readonly time: number };

async function firstOpen(shard: Shard, span: Range, afterStream: number): Promise<FirstOpen | undefined> {
  const row = await firstOf(shard, 'telemetry.reading where', 'time', span, afterStream);
  const file = await firstOf(
    shard,
    'telemetry.reading_file where not is_merged and',
    'from_time',
    span,
    afterStream,
  );
  return !row || (file && file.streamId < row.streamId) ? file : row;
}

/** Returns the first entry of a table in a range, of the first stream after `afterStream` that has one. */
async function firstOf(
  shard: Shard,
  table: string,
  time: string,
  { from, to }: Range,
  afterStream: number,
): Promise<FirstOpen | undefined> {
  const { rows } = await shard.query<FirstOpen>(
    `select stream_id, date_part('epoch', ${time}) * 1000 as time from ${table}
     stream_id > $1 and ${time} >= $2 and ${time} < $3 order by stream_id, ${time} limit 1`,
    [afterStream, timeParameter(from), timeParameter(to)],
  );
  return rows[0];
}

/** Number of the rows in a time range (ms, both ends inclusive), and a fingerprint that changes with every change of a row. */
type Rows = {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly fingerprint: string;
};
const FINGERPRINT = 'bit_xor(hash_record_extended(row(time, xmin::text), 0))::text as fingerprint';

/** Moves the first rows of a stream's week into files. Merges into them the existing files of the same times and small adjacent files. */
async function closeStep(
  pool: Pool,
  { streamId, time }: FirstOpen,
  before: number,
): Promise<{ readonly rows: number; readonly isDone: boolean }> {
  const opened = Math.round(time);
  const week = { streamId, from: weekStartOf(opened), to: Math.min(weekStartOf(opened) + WEEK_MS, before) };
  const found = await readFingerprint(pool, streamId, week);
  const rows = await readRows(pool, streamId, found);
  const conflict = { rows: 0, isDone: false };
  if (rows.times.length !== found.count) return conflict;
  const merged = filesToMerge(await findFiles(pool, [week], []), found);
  const [only] = merged;
  if (found.count === 0 && merged.length < 2) {
    if (only) await markMerged(pool, streamId, only.from);
    return { rows: 0, isDone: true };
  }
  let readings = rows;
  const versions: { readonly from: number; readonly xmin: string }[] = [];
  for (const { from } of merged) {
    const file = await readWholeFile(pool, streamId, from);
    if (!file) return conflict;
    versions.push(file);
    readings = mergeFileReadings(await decodeReadingFile(file, ALL_TIME), readings);
  }
  const files = splitReadings(readings).map(encodeFile);
  return (await replace(pool, streamId, found, versions, files))
    ? { rows: found.count, isDone: true }
    : conflict;
}

const markMerged = (db: Database, streamId: number, from: number): Promise<unknown> =>
  shardForStream(db, streamId).query(
    'update telemetry.reading_file set is_merged = true where stream_id = $1 and from_time = $2',
    [streamId, new Date(from)],
  );

async function readFingerprint(db: Database, streamId: number, { from, to }: Range): Promise<Rows> {
  const { rows } = await shardForStream(db, streamId).query<
    Omit<Rows, 'first' | 'last'> & { first: number | null; last: number | null }
  >(
    `select count(*)::integer as count, date_part('epoch', min(time)) * 1000 as first, date_part('epoch', max(time)) * 1000 as last,
       ${FINGERPRINT}
     from (
       select time, xmin from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 order by time limit ${MAX_READING_COUNT}
     ) as r`,
    [streamId, new Date(from), timeParameter(to)],
  );
  const { first, last, ...row } = rows[0] as (typeof rows)[number];
  return { ...row, first: Math.round(first ?? 0), last: Math.round(last ?? 0) };
}

async function readRows(db: Database, streamId: number, { count, first, last }: Rows): Promise<FileReadings> {
  const pages: FileReadings[] = [];
  for (let from = first; count > 0 && from <= last; ) {
    const [page] = await readWholeRows(db, [{ streamId, from, to: last + 1 }], SIGNALS, true, PAGE);
    if (!page || page.times.length === 0) break;
    pages.push(toFileReadings(page));
    from = (page.times.at(-1) as number) + 1;
  }
  return concatenateFileReadings(pages);
}

/**
 * Returns the files to merge: those between the times of the rows, or, if there are no rows, the first file that is not merged; and
 * neighbouring files as long as all fit into one file.
 * @param files of the week, in order
 */
function filesToMerge(files: readonly ReadingFile[], { count, first, last }: Rows): readonly ReadingFile[] {
  const unmerged = files.findIndex(({ isMerged }) => !isMerged);
  let from = count > 0 ? files.findIndex(({ to }) => to >= first) : unmerged;
  if (from < 0) from = files.length;
  let to =
    count > 0 ? files.findLastIndex((file) => file.from <= last) + 1 : Math.min(files.length, from + 1);
  let total = files.slice(from, to).reduce((sum, { readings }) => sum + readings, count);
  const fits = (file: ReadingFile | undefined): boolean => {
    if (!file || total + file.readings > MAX_READING_COUNT) return false;
    total += file.readings;
    return true;
  };
  while (fits(files[to])) to += 1;
  while (fits(files[from - 1])) from -= 1;
  return files.slice(from, Math.max(from, to));
}

/** Splits readings into files of about the same size. */
function splitReadings(readings: FileReadings): FileReadings[] {
  const { times, columns } = readings;
  const used = [...columns].filter(([, values]) => values.some((value) => !Number.isNaN(value)));
  const parts = Math.max(Math.ceil(times.length / MAX_READING_COUNT), used.length > MAX_COLUMNS ? 2 : 1);
  const size = Math.ceil(times.length / parts);
  if (size === times.length) return [{ times, columns: new Map(used) }];
  return Array.from({ length: parts }, (_, n) => ({
    times: times.subarray(n * size, (n + 1) * size),
    columns: new Map(used.map(([name, values]) => [name, values.subarray(n * size, (n + 1) * size)])),
  })).flatMap(splitReadings);
}

/** Thrown if the rows or files were changed after they were read. */
class Changed extends Error {}

/**
 * Replaces rows and files by new files. @returns false, and changes nothing, when the rows or files were changed since they were
 * read
 */
async function replace(
  pool: Pool,
  streamId: number,
  { count, first, last, fingerprint }: Rows,
  before: readonly { readonly from: number; readonly xmin: string }[],
  files: readonly EncodedFile[],
): Promise<boolean> {
  try {
    await inTransaction(pool, async (client) => {
      for (const { from, xmin } of before)
        if (!(await deleteFile(client, streamId, from, xmin))) throw new Changed();
      for (const { times } of files) {
        const range = { streamId, from: times[0] as number, to: (times.at(-1) as number) + 1 };
        if (!(await claimFileWriteLock(client, range))) throw new Changed();
      }
      for (const file of files) await insertFile(client, streamId, file);
      if (count === 0) return;
      const { rows } = await shardForStream(client, streamId).query<Pick<Rows, 'count' | 'fingerprint'>>(
        `with gone as (
           delete from telemetry.reading where stream_id = $1 and time >= $2 and time <= $3 returning time, xmin
         )
         select count(*)::integer as count, ${FINGERPRINT} from gone`,
        [streamId, new Date(first), new Date(last)],
      );
      if (rows[0]?.count !== count || rows[0]?.fingerprint !== fingerprint) throw new Changed();
    });
    return true;
  } catch (error) {
    if (error instanceof Changed) return false;
    throw error;
  }
}
