import type { Database } from '#server/platform/database.ts';
import { columnAsSent, type ReadingColumns } from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** The time of a reading in ms since 1970, and the reading's value of each signal. */
export type ValuesOfReading = [time: number, ...(number | null)[]];

/**
 * Yields the values of signals of stored readings in order of time, some hundreds or thousands of readings at a time.
 * @param names the names of signals of the catalogue, or of a stream's custom signals
 * @param needed number of names at the start of `names`; a reading that has a value for none of these names is left out
 */
export async function* readStoredColumns(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  names: readonly string[],
  needed = names.length,
): AsyncGenerator<ReadingColumns, void> {
  for await (const page of readColumnPages(db, streamId, ranges, names.map(columnAsSent)))
    yield withNeeded(page, needed);
}

/** Returns the readings that have a value in one of the first `needed` columns. */
function withNeeded(page: ReadingColumns, needed: number): ReadingColumns {
  const { times, values } = page;
  const hasNeeded = new Uint8Array(times.length);
  for (const column of values.slice(0, needed))
    for (let n = 0; n < column.length; n += 1) if (!Number.isNaN(column[n])) hasNeeded[n] = 1;
  if (!hasNeeded.includes(0)) return page;
  const kept = (column: Float64Array): Float64Array => column.filter((_, n) => hasNeeded[n] === 1);
  return { times: kept(times), values: values.map(kept) };
}

/** Like `readStoredColumns`, with an array per reading. */
export async function* readStoredValueRows(
  ...asked: Parameters<typeof readStoredColumns>
): AsyncGenerator<ValuesOfReading[], void> {
  for await (const page of readStoredColumns(...asked)) yield valueRowsOf(page);
}

/** Returns an array per reading; null where the reading has no value. */
export const valueRowsOf = ({ times, values }: ReadingColumns): ValuesOfReading[] =>
  Array.from(times, (time, n) => {
    const row: ValuesOfReading = [time];
    for (const column of values) {
      const value = column[n] as number;
      row.push(Number.isNaN(value) ? null : value);
    }
    return row;
  });
