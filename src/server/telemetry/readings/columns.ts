import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isSocSignal, knownSignal } from '#shared/domain/signal.ts';

/**
 * A column of readings. A pack's state of charge and the charging flag can be sent under several names: `counted` is the value that
 * figures use, `sent` the value that was sent under exactly this name.
 */
export type ReadingColumn = { readonly name: string; readonly as: 'counted' | 'sent' };

/** Returns the column with the value that figures use. @param name a known signal */
export const columnForFigures = (name: string): ReadingColumn => ({ name, as: 'counted' });
/** Returns the column with the value that was sent under this name. @param name of a known signal, or a logger's own */
export const columnAsSent = (name: string): ReadingColumn => ({ name, as: 'sent' });

/** Readings in order of time: their times in ms since 1970, and per column a value for each reading; NaN if there is none. */
export type ReadingColumns = {
  readonly times: Float64Array;
  readonly values: readonly Float64Array[];
};

/** One reading: its time in ms since 1970 and a value per column; NaN if there is none. */
export type OneReading = { readonly time: number; readonly values: readonly number[] };

/** A half-open range of a stream, in ms. */
export type StreamRange = Range & { readonly streamId: number };

/**
 * Returns whether the database column of a signal also stores values that were sent under other names. A value that was sent under
 * the signal's own name may then be in the column `rest` (JSON) instead.
 */
export const isSharedColumn = ({ name, as }: ReadingColumn): boolean =>
  as === 'sent' && (isSocSignal(name) || name === 'IsCharging');

/** Returns the column's values; an empty array for a column that was not read. */
export const columnValues = ({ values }: ReadingColumns, column: number): Float64Array =>
  values[column] ?? new Float64Array();

/** SQL for columns of the reading `r`, and its parameters, which follow those of the caller. */
export type ColumnSelection = { readonly items: readonly string[]; readonly names: readonly string[] };

/** Returns the SQL that selects columns. @param before number of parameters of the caller */
export function columnSelectionSql(columns: readonly ReadingColumn[], before: number): ColumnSelection {
  const names: string[] = [];
  const ownValue = (name: string): string => `(r.rest -> $${before + names.push(name)}::text)::float8`;
  const items = columns.map((column) => {
    const { name } = column;
    const known = knownSignal(name);
    if (!known) return ownValue(name);
    return isSharedColumn(column) ? `coalesce(${ownValue(name)}, r.${known.column})` : `r.${known.column}`;
  });
  return { items, names };
}

/**
 * Returns `select` items that collect rows with `time` and `v0`, `v1` … into an array per column, in the order of the rows and in
 * PostgreSQL's binary format.
 */
export const columnArraysSql = (count: number): string =>
  ["date_part('epoch', time) * 1000", ...Array.from({ length: count }, (_, n) => `v${n}`)]
    .map((value, n) => `array_send(array_agg((${value})::float8)) as c${n}`)
    .join(', ');

/** A row of `columnArraysSql`. */
export type ColumnArraysRow = Readonly<Record<`c${number}`, Buffer | null>>;

/** Decodes a row of `columnArraysSql`, and sorts it by time if the statement's plan did not. */
export function decodeColumnArrays(row: ColumnArraysRow, count: number): ReadingColumns {
  const times = decodeDoubleArray(row.c0 ?? null);
  let isInOrder = true;
  for (let n = 0; n < times.length; n += 1) {
    times[n] = Math.round(times[n] as number);
    if (n > 0 && (times[n] as number) < (times[n - 1] as number)) isInOrder = false;
  }
  const values = Array.from({ length: count }, (_, n) => decodeDoubleArray(row[`c${n + 1}`] ?? null));
  if (isInOrder) return { times, values };
  const order = Array.from(times.keys()).sort((a, b) => (times[a] as number) - (times[b] as number));
  const sorted = (column: Float64Array) => Float64Array.from(order, (at) => column[at] as number);
  return { times: sorted(times), values: values.map(sorted) };
}

/** Concatenates the readings of consecutive ranges, column by column. */
export function concatenateReadings(parts: readonly ReadingColumns[], count: number): ReadingColumns {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const joined = (of: (part: ReadingColumns) => Float64Array): Float64Array => {
    const all = new Float64Array(parts.reduce((sum, { times }) => sum + times.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(of(part), at);
      at += part.times.length;
    }
    return all;
  };
  return {
    times: joined(({ times }) => times),
    values: Array.from({ length: count }, (_, n) => joined((part) => columnValues(part, n))),
  };
}

/** A merged order of two lists of times: each number is an index in the first list, or -1 minus an index in the second list. */
type Order = Int32Array;

/**
 * Returns the merged order of two lists of times. At a time that both contain, only the reading of `rows` is used.
 * @returns undefined when all of `rows` come after all of `files`
 */
export function mergedOrder(files: Float64Array, rows: Float64Array): Order | undefined {
  if (files.length === 0 || rows.length === 0 || (files.at(-1) as number) < (rows[0] as number))
    return undefined;
  const order = new Int32Array(files.length + rows.length);
  let [count, file, row] = [0, 0, 0];
  while (file < files.length || row < rows.length) {
    const [ofFile, ofRow] = [files[file] ?? Infinity, rows[row] ?? Infinity];
    if (ofFile < ofRow) order[count++] = file++;
    else {
      if (ofFile === ofRow) file += 1;
      order[count++] = -1 - row++;
    }
  }
  return order.subarray(0, count);
}

/** Returns the values of a column of files and rows, in the order that mergedOrder returned. */
export const mergedColumnValues = (order: Order, files: Float64Array, rows: Float64Array): Float64Array =>
  Float64Array.from(order, (at) => (at < 0 ? rows[-1 - at] : files[at]) as number);

/** Returns the readings of files and of rows together; a row replaces the reading of a file at its time. */
export function mergeReadings(
  files: ReadingColumns | undefined,
  rows: ReadingColumns,
  count: number,
): ReadingColumns {
  if (!files || files.times.length === 0) return rows;
  if (rows.times.length === 0) return files;
  const order = mergedOrder(files.times, rows.times);
  if (!order) return concatenateReadings([files, rows], count);
  return {
    times: mergedColumnValues(order, files.times, rows.times),
    values: Array.from({ length: count }, (_, n) =>
      mergedColumnValues(order, columnValues(files, n), columnValues(rows, n)),
    ),
  };
}

/** Returns the readings from one index to another. */
export const sliceReadings = (
  { times, values }: ReadingColumns,
  from: number,
  to?: number,
): ReadingColumns => ({
  times: times.subarray(from, to),
  values: values.map((column) => column.subarray(from, to)),
});

/** Returns a time in ms, which may be infinite, as a parameter of a statement. */
export const timeParameter = (ms: number): Date | string =>
  Number.isFinite(ms) ? new Date(ms) : ms < 0 ? '-infinity' : 'infinity';
