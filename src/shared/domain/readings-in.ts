import type { Range } from './intervals.ts';
import type { Reading } from './signal.ts';

/** Returns the index of the first element at or after a time (ms), by binary search. @param all in order of time */
export function firstIndexFrom(all: readonly { readonly time: number }[], time: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.time ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the readings in a range. @param readings in order of time */
export const readingsIn = (readings: readonly Reading[], { from, to }: Range): readonly Reading[] =>
  readings.slice(firstIndexFrom(readings, from), firstIndexFrom(readings, to));
