import type { Range } from '#shared/domain/intervals.ts';
import { knownSignal } from '#shared/domain/signal.ts';
import type { FileReadings } from './parquet-file.ts';

/**
 * Length of a window; windows are consecutive from 1970 on. Charts and paths of millions of readings need only the first value of
 * each column in a window. The readings with these values are the sampled readings, of which a file has a copy.
 */
const WINDOW_MS = 30_000;
/** Maximum share of a file's readings in the copy of the sampled readings: a larger copy would save too little time. */
const MAX_SAMPLED_SHARE = 0.25;

const windowAt = (time: number): number => Math.floor(time / WINDOW_MS) * WINDOW_MS;

/** Returns the windows in which slots begin, without windows that are not entirely inside the range. @param slots in order */
export function windowsOfSlots(slots: readonly Range[], range: Range): Range[] {
  const windows: Range[] = [];
  for (const slot of slots) {
    const from = windowAt(slot.from);
    const to = from + WINDOW_MS;
    if (from >= range.from && to <= range.to && from !== windows.at(-1)?.from) windows.push({ from, to });
  }
  return windows;
}

/** Returns the indexes of the readings that have, for at least one column, the first value in their window. */
export function firstIndexesOfWindows(times: Float64Array, columns: readonly Float64Array[]): number[] {
  const kept: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  /** Columns that had no value yet in the present window. */
  let missing: Float64Array[] = [];
  for (let n = 0; n < times.length; n += 1) {
    const time = times[n] as number;
    if (time >= end) {
      end = windowAt(time) + WINDOW_MS;
      missing = [...columns];
    }
    if (!missing.some((column) => !Number.isNaN(column[n]))) continue;
    missing = missing.filter((column) => Number.isNaN(column[n]));
    kept.push(n);
  }
  return kept;
}

/**
 * Returns, for each window and each known signal, the first reading with a value; undefined when these readings are too many
 * (MAX_SAMPLED_SHARE).
 */
export function sampleReadings({ times, columns }: FileReadings): FileReadings | undefined {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const most = times.length * MAX_SAMPLED_SHARE;
  if ((last - first) / WINDOW_MS > most) return undefined;
  const known = [...columns].filter(
    ([name, values]) => knownSignal(name) && values.some((value) => !Number.isNaN(value)),
  );
  const kept = firstIndexesOfWindows(
    times,
    known.map(([, values]) => values),
  );
  if (kept.length === 0 || kept.length > most) return undefined;
  return {
    times: pickValues(times, kept),
    columns: new Map(known.map(([name, values]) => [name, pickValues(values, kept)])),
  };
}

/** Returns the values at some indexes. */
export function pickValues(values: Float64Array, indexes: readonly number[]): Float64Array {
  const taken = new Float64Array(indexes.length);
  for (let n = 0; n < indexes.length; n += 1) taken[n] = values[indexes[n] as number] as number;
  return taken;
}
