/** A value and its weight. */
export type WeightedValue = { readonly value: number; readonly weight: number };

/** Returns the lowest value that, with all lower values, has at least this share (0 to 1) of the weight; undefined without values. */
export function weightedQuantile(values: readonly WeightedValue[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  // Allows for rounding in the sum of the weights.
  return sorted.find(({ weight }) => {
    below += weight;
    return below >= share * all * (1 - 1e-12);
  })?.value;
}

/** Returns the quantile of values with equal weights; undefined without values. */
export const quantile = (values: readonly number[], share: number): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length * (1 - 1e-12)) - 1)];
