/** A value and how much it counts. */
export type Weighted = { readonly value: number; readonly weight: number };

/** The lowest value that, with all below it, has at least this share (0 to 1) of the weight; undefined: of none. */
export function weightedQuantile(values: readonly Weighted[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  // Sums of fractions may miss a whole share by a bit.
  return sorted.find(({ weight }) => {
    below += weight;
    return below >= share * all * (1 - 1e-12);
  })?.value;
}

/** The same, each value counting once. */
export const quantile = (values: readonly number[], share: number): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length * (1 - 1e-12)) - 1)];
