/** Measures the usable capacity of batteries from their charges and discharges (docs/figures.md section 13). */
import { weightedQuantile } from './weighted-quantile.ts';

/** The energy of a charge or discharge, and the change of the state of charge in percentage points. */
export type EnergyChange = { readonly kWh: number; readonly points: number };

/** Weighted median and spread: a fifth of the weight lies below `low`, a fifth above `high`. */
export type WeightedSpread = {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
  /** Number of changes. */
  readonly count: number;
};

/** A smaller change is too inaccurate, because levels in whole percents are up to one percentage point off. */
const MIN_PERCENTAGE_POINTS = 20;
/** With fewer changes no capacity is computed. */
const MIN_CHANGES = 5;
/** Quantiles of the spread, as shares of the weight. */
const LOW = 0.2;
const HIGH = 0.8;

/** State of charge by pack number - 1, %; null: not known. */
export type PackPercents = readonly (number | null | undefined)[];

/**
 * Returns the rise of the state of charge over all packs, in percentage points, weighted by their entered capacities,
 * or equally if one has none; undefined: there are no packs, or a level of a pack is not known.
 * @param capacities kWh, by pack number - 1
 */
export function levelRisePoints(
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
 * Returns the kWh of 100 percentage points: the median over changes of at least 20 points, weighted by the square of
 * their points because a larger change is more accurate; undefined with fewer than 5 changes.
 * @param changes all charges, or all discharges; their ratio is the round-trip efficiency
 */
export function usableCapacity(changes: readonly EnergyChange[]): WeightedSpread | undefined {
  const values = changes
    .filter(({ kWh, points }) => points >= MIN_PERCENTAGE_POINTS && kWh > 0)
    .map(({ kWh, points }) => ({ value: (kWh / points) * 100, weight: points ** 2 }));
  const [low, middle, high] = [LOW, 0.5, HIGH].map((share) => weightedQuantile(values, share));
  if (values.length < MIN_CHANGES || low === undefined || middle === undefined || high === undefined)
    return undefined;
  return { middle, low, high, count: values.length };
}

/**
 * Returns the share of the charged energy that is discharged again: the ratio of the two capacities, with the
 * widest spread that the two spreads allow; undefined unless both are known.
 */
export function roundTripEfficiency(
  discharge: WeightedSpread | undefined,
  charge: WeightedSpread | undefined,
): WeightedSpread | undefined {
  if (!discharge || !charge) return undefined;
  return {
    middle: discharge.middle / charge.middle,
    low: discharge.low / charge.high,
    high: discharge.high / charge.low,
    count: Math.min(discharge.count, charge.count),
  };
}
