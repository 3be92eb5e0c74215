import { median } from './median.ts';

export type Pair<Result> = { readonly ours: Result; readonly reference: Result };

/**
 * Runs ours and the reference right after each other, `count` times, turn about first: what else happens on the
 * machine changes by the minute, so only neighbours can be compared (docs/design.md section 11).
 */
export async function inPairs<Result>(
  count: number,
  ours: () => Promise<Result>,
  reference: () => Promise<Result>,
): Promise<Pair<Result>[]> {
  const pairs: Pair<Result>[] = [];
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
  /** Medians. */
  readonly ours: number;
  readonly reference: number;
  /** Median of each pair's own ratio. */
  readonly ratio: number;
  /** `6102/10480=0.58 …`, one per pair. */
  readonly rounds: string;
};

/** @param rate what counts of a result; more is better */
export function compare<Result>(
  pairs: readonly Pair<Result>[],
  rate: (result: Result) => number,
): Comparison {
  const rates = pairs.map(({ ours, reference }) => ({ ours: rate(ours), reference: rate(reference) }));
  return {
    ours: median(rates.map(({ ours }) => ours)),
    reference: median(rates.map(({ reference }) => reference)),
    ratio: median(rates.map(({ ours, reference }) => ours / reference)),
    rounds: rates
      .map((r) => `${Math.round(r.ours)}/${Math.round(r.reference)}=${(r.ours / r.reference).toFixed(2)}`)
      .join('  '),
  };
}
