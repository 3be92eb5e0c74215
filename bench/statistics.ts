/** Returns the middle value, or the mean of the middle two. @throws for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('No values have no median.');
  return (lower + upper) / 2;
}

/** Returns the smallest value that `share` (above 0, at most 1) of the values do not exceed. @throws for no values */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.ceil(share * sorted.length) - 1];
  if (value === undefined) throw new Error('No values have no percentile.');
  return value;
}

export type MeasuredPair<Result> = { readonly ours: Result; readonly reference: Result };

/**
 * Runs `ours` (the portal's measurement) and `reference` right after each other, `count` times, alternating which one runs first. The
 * load of a shared computer changes by the minute, so that only successive runs can be compared (docs/performance.md).
 */
export async function runInPairs<Result>(
  count: number,
  ours: () => Promise<Result>,
  reference: () => Promise<Result>,
): Promise<MeasuredPair<Result>[]> {
  const pairs: MeasuredPair<Result>[] = [];
  for (let n = 0; n < count; n++) {
    if (n % 2 === 0) {
      const mine = await ours();
      pairs.push({ ours: mine, reference: await reference() });
    } else {
      const other = await reference();
      pairs.push({ ours: await ours(), reference: other });
    }
  }
  return pairs;
}

export type Comparison = {
  /** Median of the portal's values, and median of the reference's values. */
  readonly ours: number;
  readonly reference: number;
  /** Median of the ratios of the pairs. */
  readonly ratio: number;
  /** Both values and the ratio of each pair, such as `6102/10480=0.58 …`. */
  readonly rounds: string;
};

export function comparePairs(pairs: readonly MeasuredPair<number>[]): Comparison {
  return {
    ours: median(pairs.map(({ ours }) => ours)),
    reference: median(pairs.map(({ reference }) => reference)),
    ratio: median(pairs.map(({ ours, reference }) => ours / reference)),
    rounds: pairs
      .map(
        (pair) =>
          `${Math.round(pair.ours)}/${Math.round(pair.reference)}=${(pair.ours / pair.reference).toFixed(2)}`,
      )
      .join('  '),
  };
}
