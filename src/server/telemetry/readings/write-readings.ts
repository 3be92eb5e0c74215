import { columnArrays, instantArray, textArray } from '#server/platform/binary-array.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { POSITION_SIGNALS, UNUSED_LATITUDE, UNUSED_LONGITUDE } from '#shared/domain/unused-names.ts';
import type { StreamRange } from './columns.ts';
import { columnWithoutValues } from './file-readings.ts';
import { customSignalColumnName, type FileReadings } from './parquet-file.ts';
import {
  claimFileWriteLock,
  deleteFile,
  encodeFile,
  findEdgeFiles,
  firstIndexAt,
  insertFile,
  rewriteFiles,
} from './reading-files.store.ts';
import type { ReadingRow } from './signal-columns.ts';
import { firstOpenWeek, weekStartOf } from './weeks.ts';

/** A changed or late reading, as a row. New readings in order of time are stored together with their figures by readings.store.ts. */

type TimedRow = { readonly time: number; readonly row: ReadingRow };

const COLUMNS = SIGNALS.map(({ column }) => column);
const VALUES = `unnest($2::timestamptz[], ${COLUMNS.map((_, n) => `$${n + 3}::float8[]`).join(', ')}, $${COLUMNS.length + 3}::jsonb[])`;
/**
 * SQL that inserts rows. Joins with the stream's own row, so that a cluster executes the statement on the shard and reports why a
 * value is refused. Without the join it would copy the rows there and not report the reason.
 */
const INSERT = `insert into telemetry.reading (stream_id, time, ${COLUMNS.join(', ')}, rest)
  select l.stream_id, n.* from ${VALUES} as n, telemetry.latest l where l.stream_id = $1`;
/** SQL that inserts or replaces rows. A file keeps its reading of that time; the row is used instead when both are read. */
const REPLACE = `${INSERT} on conflict (stream_id, time) do update
  set ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}, rest = excluded.rest`;

/**
 * Inserts and replaces readings, in the caller's transaction.
 * @param inserted in order of time, at times at which the stream has no reading
 * @param changed at times at which it has one
 */
export async function writeRows(
  db: Database,
  streamId: number,
  inserted: readonly TimedRow[],
  changed: readonly TimedRow[],
): Promise<void> {
  for (const [statement, rows] of [
    [INSERT, await writeFiles(db, streamId, inserted)],
    [REPLACE, changed],
  ] as const) {
    if (rows.length === 0) continue;
    const { rowCount } = await shardForStream(db, streamId).query(statement, [
      streamId,
      ...argumentsOf(rows),
    ]);
    if (rowCount !== rows.length) throw new Error(`There is no stream ${streamId}.`);
  }
}

/** Minimum number of readings of a week for a file. Fewer become rows, which a background task moves into files. */
const MIN_READINGS_FOR_FILE = 1_000;

/** Returns whether a batch has so many readings of closed weeks that `writeFiles` makes files of them. @param rows in order of time */
export const isWrittenAsFiles = (rows: readonly TimedRow[]): boolean =>
  rows.length >= MIN_READINGS_FOR_FILE && (rows[0] as TimedRow).time < firstOpenWeek(Date.now());

/**
 * Stores many new readings of closed weeks as files, without a row for each. In the caller's transaction.
 * @param rows in order of time, at times at which the stream has no reading
 * @returns the readings that remain to be stored as rows
 */
export async function writeFiles(
  db: Database,
  streamId: number,
  rows: readonly TimedRow[],
): Promise<readonly TimedRow[]> {
  if (!isWrittenAsFiles(rows)) return rows;
  const open = firstOpenWeek(Date.now());
  const left: TimedRow[] = [];
  for (const [week, own] of Map.groupBy(rows, ({ time }) => weekStartOf(time))) {
    const range = { streamId, from: own[0]?.time ?? week, to: (own.at(-1)?.time ?? week) + 1 };
    const isFile =
      week < open && own.length >= MIN_READINGS_FOR_FILE && (await claimFileWriteLock(db, range));
    if (isFile) await insertFile(db, streamId, encodeFile(fileReadingsOf(own)), false);
    else left.push(...own);
  }
  return left;
}

function fileReadingsOf(rows: readonly TimedRow[]): FileReadings {
  const columns = new Map<string, Float64Array>();
  const columnOf = (name: string): Float64Array => {
    const column = columns.get(name) ?? columnWithoutValues(rows.length);
    columns.set(name, column);
    return column;
  };
  for (const [n, { row }] of rows.entries()) {
    for (const [at, value] of row.columns.entries())
      if (value !== undefined) columnOf(SIGNALS[at]?.name ?? '')[n] = value;
    // Adds 0 to turn -0 into 0, because JSON does so too.
    for (const name in row.rest) columnOf(customSignalColumnName(name))[n] = (row.rest[name] as number) + 0;
  }
  return { times: Float64Array.from(rows, ({ time }) => time), columns };
}

const argumentsOf = (rows: readonly TimedRow[]): Buffer[] => [
  instantArray(rows.map(({ time }) => time)),
  ...columnArrays('double', rows, COLUMNS.length, ({ row }, column) => row.columns[column]),
  textArray(
    'jsonb',
    rows.map(({ row: { rest } }) => rest && JSON.stringify(rest)),
  ),
];

/** Deletes readings of a stream. @param times ms, at least one */
export async function deleteReadings(
  db: Database,
  streamId: number,
  times: readonly number[],
): Promise<void> {
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  await shardForStream(db, streamId).query(
    'delete from telemetry.reading where stream_id = $1 and time >= $2 and time <= $3 and time = any ($4::timestamptz[])',
    [streamId, new Date(first), new Date(last), instantArray(times)],
  );
  const gone = new Set(times);
  await rewriteFiles(db, { streamId, from: first, to: last + 1 }, (readings) => {
    const kept = [...readings.times.keys()].filter((n) => !gone.has(readings.times[n] as number));
    if (kept.length === readings.times.length) return undefined;
    const take = (values: Float64Array) => Float64Array.from(kept, (n) => values[n] as number);
    return {
      times: take(readings.times),
      columns: new Map([...readings.columns].map(([name, values]) => [name, take(values)])),
    };
  });
}

/** Deletes readings of a stream: at most `most` rows, or a file. @returns their number; 0 when none is left */
export async function deleteSomeReadings(db: Database, streamId: number, most: number): Promise<number> {
  // Deletes rows before files: rows that are moved into a file in between are then deleted with that file.
  const { rowCount } = await shardForStream(db, streamId).query(
    `delete from telemetry.reading where stream_id = $1 and time <= (
       select max(time) from (select time from telemetry.reading where stream_id = $1 order by time limit ${most}) as oldest
     )`,
    [streamId],
  );
  if (rowCount) return rowCount;
  const ever = { streamId, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  for (;;) {
    const [file] = await findEdgeFiles(db, [ever], 'first');
    if (!file) return 0;
    // Another process may have replaced the file meanwhile.
    if (await deleteFile(db, streamId, file.from)) return file.readings;
  }
}

/** Names of the columns of files that contain positions, whether figures use them or not. */
const POSITIONS = [...POSITION_SIGNALS, UNUSED_LATITUDE, UNUSED_LONGITUDE];

/** Removes the positions of readings, whether figures use them or not, and keeps the other values. */
export async function removePositions(db: Database, range: StreamRange): Promise<void> {
  const { streamId, from, to } = range;
  await shardForStream(db, streamId).query(
    `update telemetry.reading set latitude = null, longitude = null, rest = nullif(rest - $4::text[], '{}')
     where stream_id = $1 and time >= $2 and time < $3 and (latitude is not null or longitude is not null or rest ?| $4)`,
    [streamId, new Date(from), new Date(to), [UNUSED_LATITUDE, UNUSED_LONGITUDE]],
  );
  await rewriteFiles(db, range, ({ times, columns }) => {
    const [first, end] = [firstIndexAt(times, from), firstIndexAt(times, to)];
    const removed = POSITIONS.flatMap((name) => {
      const values = columns.get(name);
      if (!values?.subarray(first, end).some((value) => !Number.isNaN(value))) return [];
      return [[name, values.slice().fill(Number.NaN, first, end)] as const];
    });
    return removed.length === 0 ? undefined : { times, columns: new Map([...columns, ...removed]) };
  });
}
