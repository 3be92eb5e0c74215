import type { Database } from '#server/platform/database.ts';
import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { packNumberOf } from '#shared/domain/packs.ts';
import { isChargingFlag, type KnownSignal, SIGNALS, type Signals } from '#shared/domain/signal.ts';
import { mergedColumnValues, mergedOrder, type StreamRange, timeParameter } from './columns.ts';
import { decodeFilesInRanges } from './file-columns.ts';
import { columnWithoutValues } from './file-readings.ts';
import {
  customSignalColumnName,
  customSignalNameOf,
  type FileReadings,
  TIME_COLUMN,
} from './parquet-file.ts';
import { findFiles, type ReadingFile } from './reading-files.store.ts';
import type { WholeReadings } from './signal-columns.ts';

/**
 * Reads the readings of each range.
 * @param wanted signals whose columns are read
 * @param counts returns whether the values of `rest` under a name are read; null: none are read
 */
export async function readWholeReadings(
  db: Database,
  ranges: readonly StreamRange[],
  wanted: readonly KnownSignal[] = SIGNALS,
  counts: ((name: string) => boolean) | null = () => true,
): Promise<WholeReadings[]> {
  // Reads rows before files, so that readings of a week that is closed in between are found in both, and not in neither.
  const rows = await readWholeRows(db, ranges, wanted, counts !== null);
  const files = await readWholeReadingsInFiles(db, ranges, wanted, counts);
  return rows.map((row, n) => {
    const file = files[n];
    return file ? joined(file, row) : row;
  });
}

/** Reads only the readings that are in files; undefined for a range without any. */
export async function readWholeReadingsInFiles(
  db: Database,
  ranges: readonly StreamRange[],
  wanted: readonly KnownSignal[] = SIGNALS,
  counts: ((name: string) => boolean) | null = () => true,
): Promise<(WholeReadings | undefined)[]> {
  return decodeFilesInRanges(
    await findWithNames(db, ranges, wanted, counts),
    ranges,
    (readings) => wholeOf(readings, wanted),
    (parts) => parts.reduce((before, after) => joined(before, after)),
  );
}

/** Columns as binary arrays, because converting numbers to text costs more than everything else. */
type Sent = Readonly<Record<`c${number}`, Buffer | null>> & {
  readonly rest: readonly (Signals | null)[] | null;
};

/** Reads only the readings that are stored as rows. @param most maximum number per range; undefined: all */
export async function readWholeRows(
  db: Database,
  ranges: readonly StreamRange[],
  wanted: readonly KnownSignal[],
  withRest: boolean,
  most?: number,
): Promise<WholeReadings[]> {
  const columns = [`date_part('epoch', time) * 1000`, ...wanted.map(({ column }) => column)];
  const asked = ranges.map((range, at) => ({ ...range, at }));
  const found = await runInShardsOfStreams(db, asked, async (shard, own) => {
    const { rows } = await shard.query<Sent>({
      name: `readings ${withRest ? '' : 'in columns '}${wanted.reduce((sum, signal) => sum + 2 ** SIGNALS.indexOf(signal), 0)} ${most ?? ''}`,
      // Reads range by range with the primary key; otherwise the planner would read all readings of a stream for each range. The
      // last two conditions keep it from opening the partitions of other weeks.
      text: `select found.* from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as w (stream_id, since, until, n)
       cross join lateral (
         select ${columns.map((column, n) => `array_send(array_agg((${column})::float8)) as c${n}`).join(', ')},
           ${withRest ? 'case when count(rest) > 0 then array_to_json(array_agg(rest)) end' : 'null'} as rest
         from (
           select * from telemetry.reading where stream_id = w.stream_id and time >= w.since and time < w.until
             and time >= $4 and time < $5
           order by time ${most === undefined ? '' : `limit ${most}`}
         ) as r
       ) as found order by n`,
      values: [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
        timeParameter(own.reduce((first, { from }) => Math.min(first, from), Infinity)),
        timeParameter(own.reduce((last, { to }) => Math.max(last, to), -Infinity)),
      ],
    });
    return { rows: rows.map((row, n) => ({ row, at: own[n]?.at as number })) };
  });
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ row: { rest, ...sent } }) => {
      const [times = new Float64Array(), ...known] = columns.map((_, n) =>
        decodeDoubleArray(sent[`c${n}`] ?? null),
      );
      return { times: times.map(Math.round), known, rests: rest ?? Array<null>(times.length).fill(null) };
    });
}

/**
 * Finds files with their columns. First finds the names of the columns in the files; files that change in between are looked up
 * again.
 */
async function findWithNames(
  db: Database,
  ranges: readonly StreamRange[],
  wanted: readonly KnownSignal[],
  counts: ((name: string) => boolean) | null,
): Promise<ReadingFile[]> {
  const known = new Set([TIME_COLUMN, ...wanted.map(({ name }) => name)]);
  const isRead = (column: string): boolean => {
    const name = customSignalNameOf(column);
    if (name === undefined || !counts) return known.has(column);
    // Also reads the values of packs and flags in `rest`: if a reading has such values, all values that were sent for the pack or flag
    // are in `rest`, and the value in its column is ignored.
    return column === TIME_COLUMN || counts(name) || packNumberOf(name) !== undefined || isChargingFlag(name);
  };
  let files = await findFiles(db, ranges, []);
  for (const read = new Set<string>(); files.length > 0; ) {
    const missing = files.flatMap(({ chunks }) =>
      Object.keys(chunks).filter((name) => isRead(name) && !read.has(name)),
    );
    if (missing.length === 0) break;
    for (const name of missing) read.add(name);
    files = await findFiles(db, ranges, [...read]);
  }
  return files;
}

function wholeOf({ times, columns }: FileReadings, wanted: readonly KnownSignal[]): WholeReadings {
  const none = columnWithoutValues(times.length);
  const rests = Array<Record<string, number> | null>(times.length).fill(null);
  for (const [column, values] of columns) {
    const name = customSignalNameOf(column);
    if (name === undefined) continue;
    for (const [n, value] of values.entries()) {
      if (Number.isNaN(value)) continue;
      const rest = rests[n] ?? {};
      rest[name] = value;
      rests[n] = rest;
    }
  }
  return { times, known: wanted.map(({ name }) => columns.get(name) ?? none), rests };
}

/** Returns the readings of files and of rows together; a row replaces the reading of a file at its time. */
function joined(files: WholeReadings, rows: WholeReadings): WholeReadings {
  if (rows.times.length === 0) return files;
  const order =
    mergedOrder(files.times, rows.times) ??
    Int32Array.from({ length: files.times.length + rows.times.length }, (_, n) =>
      n < files.times.length ? n : files.times.length - n - 1,
    );
  return {
    times: mergedColumnValues(order, files.times, rows.times),
    known: files.known.map((values, n) => mergedColumnValues(order, values, rows.known[n] as Float64Array)),
    rests: Array.from(order, (at) => (at < 0 ? rows.rests[-1 - at] : files.rests[at]) ?? null),
  };
}

/** Returns the columns of a file for these readings. @param whole with all signals */
export function toFileReadings({ times, known, rests }: WholeReadings): FileReadings {
  const columns = new Map(SIGNALS.map(({ name }, n) => [name, known[n] as Float64Array]));
  for (const [n, rest] of rests.entries())
    for (const name in rest) {
      const column = customSignalColumnName(name);
      let values = columns.get(column);
      if (!values) {
        values = columnWithoutValues(times.length);
        columns.set(column, values);
      }
      values[n] = rest[name] as number;
    }
  return { times, columns };
}
