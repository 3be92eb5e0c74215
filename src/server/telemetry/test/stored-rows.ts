import type { Database } from '#server/platform/database.ts';
import { runInAllShards } from '#server/platform/shards.ts';
import { readColumnsOf, readStreamColumns } from '#server/telemetry/readings/read-columns.ts';
import type { WholeReadings } from '#server/telemetry/readings/signal-columns.ts';
import { readWholeReadings } from '#server/telemetry/readings/whole-readings.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { SIGNALS, type Signals } from '#shared/domain/signal.ts';

/** Columns of table `reading`; null for no value. */
type StoredRow<Column extends string> = {
  [Name in Column]: Name extends 'time' ? Date : Name extends 'rest' ? Signals | null : number | null;
};

/** Names of all columns of table `reading` except that of the stream. */
export const STORED_COLUMNS = ['time', ...SIGNALS.map(({ column }) => column), 'rest'];

const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Returns columns of the stored readings of a stream in the form of table `reading`, in order of time; includes readings in Parquet files.
 * @param columns names of columns of table `reading`: `time`, `rest`, `soc1`, …
 */
export async function storedRows<const Column extends string>(
  db: Database,
  streamId: number,
  columns: readonly Column[],
  range: Range = EVER,
): Promise<StoredRow<Column>[]> {
  const [found] = await readWholeReadings(db, [{ streamId, ...range }]);
  const { times } = found as WholeReadings;
  const values = columns.map((column) => valuesOf(found as WholeReadings, column));
  return Array.from(
    times,
    (_, row) =>
      Object.fromEntries(columns.map((column, n) => [column, values[n]?.(row)])) as StoredRow<Column>,
  );
}

function valuesOf({ times, known, rests }: WholeReadings, column: string): (row: number) => unknown {
  if (column === 'time') return (row) => new Date(times[row] as number);
  if (column === 'rest') return (row) => rests[row];
  const values = known[SIGNALS.findIndex((signal) => signal.column === column)];
  if (!values) throw new Error(`Table reading has no column ${column}.`);
  return (row) => {
    const value = values[row] as number;
    return Number.isNaN(value) ? null : value;
  };
}

/** Returns the number of stored readings of a stream. */
export const countStoredReadings = async (db: Database, streamId: number): Promise<number> =>
  (await readColumnsOf(db, streamId, EVER, [])).times.length;

/** Returns the number of stored readings of all streams. */
export async function countAllStoredReadings(db: Database): Promise<number> {
  const streams = await runInAllShards(db, (shard) =>
    shard.query<{ streamId: number }>('select stream_id as "streamId" from telemetry.latest'),
  );
  const ranges = streams.map(({ streamId }) => ({ streamId, ...EVER }));
  const found = await readStreamColumns(db, ranges, []);
  return found.reduce((sum, { times }) => sum + times.length, 0);
}
