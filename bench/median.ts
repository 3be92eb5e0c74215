/** Middle value; of an even number of values the mean of the middle two. @throws for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.');
  return (lower + upper) / 2;
}

/** The smallest value that `share` (above 0, at most 1) of the values do not exceed. @throws for no values */
export function percentile(values: Float64Array | readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.ceil(share * sorted.length) - 1];
  if (value === undefined) throw new Error('There is no percentile of nothing.');
  return value;
}
