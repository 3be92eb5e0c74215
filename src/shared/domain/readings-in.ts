import type { Range } from './intervals.ts';
import type { Reading } from './signal.ts';

/** How many come before a time (ms). @param readings in order */
export function firstFrom(readings: readonly Reading[], time: number): number {
  let [low, high] = [0, readings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((readings[middle] as Reading).time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those of a range. @param readings in order */
export const readingsIn = (readings: readonly Reading[], { from, to }: Range): readonly Reading[] =>
  readings.slice(firstFrom(readings, from), firstFrom(readings, to));
