import { mergedColumnValues, mergedOrder } from './columns.ts';
import type { FileReadings } from './parquet-file.ts';

/** Returns readings of a file and of rows together; a row replaces the reading of a file at its time. */
export function mergeFileReadings(file: FileReadings, rows: FileReadings): FileReadings {
  const order = mergedOrder(file.times, rows.times);
  if (!order) return concatenateFileReadings([file, rows]);
  const names = new Set([...file.columns.keys(), ...rows.columns.keys()]);
  const ofFile = columnWithoutValues(file.times.length);
  const ofRows = columnWithoutValues(rows.times.length);
  return {
    times: mergedColumnValues(order, file.times, rows.times),
    columns: new Map(
      Array.from(names, (name) => [
        name,
        mergedColumnValues(order, file.columns.get(name) ?? ofFile, rows.columns.get(name) ?? ofRows),
      ]),
    ),
  };
}

export const columnWithoutValues = (length: number): Float64Array =>
  new Float64Array(length).fill(Number.NaN);

/** Concatenates readings. The readings of each part are later than those of the part before it. */
export function concatenateFileReadings(parts: readonly FileReadings[]): FileReadings {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const length = parts.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(length);
  const columns = new Map<string, Float64Array>();
  let at = 0;
  for (const part of parts) {
    times.set(part.times, at);
    for (const [name, values] of part.columns) {
      const column = columns.get(name) ?? columnWithoutValues(length);
      columns.set(name, column);
      column.set(values, at);
    }
    at += part.times.length;
  }
  return { times, columns };
}

/** Returns the readings from one index to another. */
export const sliceFileReadings = (
  { times, columns }: FileReadings,
  from: number,
  to: number,
): FileReadings =>
  from === 0 && to === times.length
    ? { times, columns }
    : {
        times: times.subarray(from, to),
        columns: new Map([...columns].map(([name, values]) => [name, values.subarray(from, to)])),
      };
