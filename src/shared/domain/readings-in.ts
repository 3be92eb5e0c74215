import type { Range } from './intervals.ts';
import type { Reading } from './signal.ts';

/** How many come before a time (ms). @param all in order */
export function firstFrom(all: readonly { readonly time: number }[], time: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.time ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those of a range. @param readings in order */
export const readingsIn = (readings: readonly Reading[], { from, to }: Range): readonly Reading[] =>
  readings.slice(firstFrom(readings, from), firstFrom(readings, to));
