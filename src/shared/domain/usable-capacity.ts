/** What a battery gives and takes, from what it did (docs/figures.md section 13). */
import { weightedQuantile } from './weighted-quantile.ts';

/** Energy that went one way, and by how much the state of charge changed with it. */
export type Change = { readonly kWh: number; readonly points: number };

/** A figure with its spread: a fifth of the weight lies below `low`, a fifth above `high`. */
export type Spread = {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
  /** How many changes it is of. */
  readonly count: number;
};

/** Points; a smaller change says little: whole percents are up to one point off. */
const LEAST_POINTS = 20;
/** Fewer changes say nothing. */
const LEAST_CHANGES = 5;
/** Shares of the weight. */
const LOW = 0.2;
const HIGH = 0.8;

/** State of charge by pack number less 1, %; null: not known. */
export type PackPercents = readonly (number | null | undefined)[];

/**
 * By how many points the state of charge rose, over all packs: by their entered capacities, and where one has none all count
 * alike. undefined: of a pack one of the ends is not known, or there is none.
 * @param capacities kWh, by pack number less 1
 */
export function pointsBetween(
  from: PackPercents,
  to: PackPercents,
  capacities: readonly (number | null | undefined)[],
): number | undefined {
  const packs = Array.from({ length: Math.max(from.length, to.length, capacities.length) }, (_, pack) => ({
    from: from[pack] ?? undefined,
    to: to[pack] ?? undefined,
    capacity: capacities[pack] ?? 0,
    isListed: pack < capacities.length,
  })).filter((pack) => pack.isListed || pack.from !== undefined || pack.to !== undefined);
  const weighs = packs.every(({ capacity }) => capacity > 0);
  let points = 0;
  let all = 0;
  for (const pack of packs) {
    if (pack.from === undefined || pack.to === undefined) return undefined;
    const weight = weighs ? pack.capacity : 1;
    points += weight * (pack.to - pack.from);
    all += weight;
  }
  return all > 0 ? points / all : undefined;
}

/**
 * kWh of a change of 100 points: the median of the changes of 20 points or more, each counting by the square of its points, since
 * what a long one says is that much surer. undefined: of fewer than 5.
 * @param changes all charges, or all discharges; their ratio is the round-trip efficiency
 */
export function usableCapacity(changes: readonly Change[]): Spread | undefined {
  const values = changes
    .filter(({ kWh, points }) => points >= LEAST_POINTS && kWh > 0)
    .map(({ kWh, points }) => ({ value: (kWh / points) * 100, weight: points ** 2 }));
  const [low, middle, high] = [LOW, 0.5, HIGH].map((share) => weightedQuantile(values, share));
  if (values.length < LEAST_CHANGES || low === undefined || middle === undefined || high === undefined)
    return undefined;
  return { middle, low, high, count: values.length };
}

/**
 * What comes out of what went in, as a share: of the two capacities, and its spread as far apart as theirs allow. undefined without
 * both.
 */
export function roundTripEfficiency(
  discharge: Spread | undefined,
  charge: Spread | undefined,
): Spread | undefined {
  if (!discharge || !charge) return undefined;
  return {
    middle: discharge.middle / charge.middle,
    low: discharge.low / charge.high,
    high: discharge.high / charge.low,
    count: Math.min(discharge.count, charge.count),
  };
}
