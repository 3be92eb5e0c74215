/** How the forecasts of charges held that are over (docs/figures.md section 13). */
import { fullAt, type PastCharge } from './charge-forecast.ts';
import type { Range } from './intervals.ts';

/** What was told of a charge, and when; ms. */
export type Forecast = Range & { readonly at: number };

/** Of how many charges the range was right. */
export type Held = { readonly held: number; readonly of: number };

/** By what was told at their start, and by what stood there an hour before the end. */
export type ForecastRecord = { readonly start: Held; readonly hourBefore: Held };

const HOUR_MS = 3_600_000;

/** What was told of a charge that became full. */
export type Told = {
  /** When it was, ms. */
  readonly full: number;
  readonly first: Range;
  /** undefined: nothing stood there yet. */
  readonly hourBefore: Range | undefined;
};

/**
 * @param forecasts in order of time
 * @returns undefined for a charge that was broken off, or of which nothing was told
 */
export function toldOf(
  charge: Pick<PastCharge, 'from' | 'course'>,
  forecasts: readonly Forecast[],
): Told | undefined {
  const full = fullAt(charge);
  if (full === undefined) return undefined;
  const during = forecasts.filter(({ at }) => at >= charge.from && at <= full);
  const [first] = during;
  return first && { full, first, hourBefore: during.findLast(({ at }) => at <= full - HOUR_MS) };
}

export function recordOf(told: readonly Told[]): ForecastRecord {
  return {
    start: heldOf(told.map(({ full, first }) => isIn(full, first))),
    hourBefore: heldOf(told.flatMap(({ full, hourBefore }) => (hourBefore ? isIn(full, hourBefore) : []))),
  };
}

const isIn = (at: number, { from, to }: Range): boolean => from <= at && at <= to;
const heldOf = (right: readonly boolean[]): Held => ({
  held: right.filter(Boolean).length,
  of: right.length,
});
