/** Breaks the lines of a chart where nothing was measured. */

export type NullableColumns = readonly (readonly (number | null)[])[];

/**
 * Returns the times and columns with an extra time inside every gap longer than `longest`. Every column is null at
 * the extra time.
 * @param times ascending, in Unix seconds
 * @param columns one value per time; null if unknown
 * @param longest in seconds; a line connects two values that are at most this far apart
 */
export function breakAtGaps(
  times: readonly number[],
  columns: NullableColumns,
  longest: number,
): { readonly times: number[]; readonly columns: (number | null)[][] } {
  const broken: number[] = [];
  const filled: (number | null)[][] = columns.map(() => []);
  times.forEach((time, index) => {
    const before = times[index - 1];
    if (before !== undefined && time - before > longest) {
      broken.push(before + longest / 2);
      for (const column of filled) column.push(null);
    }
    broken.push(time);
    for (const [n, column] of columns.entries()) filled[n]!.push(column[index] ?? null);
  });
  return { times: broken, columns: filled };
}

/** Returns the index of the time nearest to `time` in a sorted list; -1 in an empty list. */
export function nearestIndex(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && time - times[low - 1]! <= times[low]! - time) return low - 1;
  return times.length === 0 ? -1 : low;
}
