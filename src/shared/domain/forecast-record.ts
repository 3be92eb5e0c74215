/** The accuracy of earlier charge forecasts (docs/figures.md section 13). */
import { chargeFullAt, type PastChargingSession } from './charge-forecast.ts';
import type { Range } from './intervals.ts';

/** The range in which a charge would be full, as forecast at `at`; ms. */
export type Forecast = Range & { readonly at: number };

/** `held`: number of charges whose forecast was right; `of`: number of charges with a forecast. */
export type ForecastAccuracy = { readonly held: number; readonly of: number };

/** Accuracy of the first forecast of a charge, and of the last forecast at least an hour before it was full. */
export type ForecastRecord = { readonly start: ForecastAccuracy; readonly hourBefore: ForecastAccuracy };

const HOUR_MS = 3_600_000;

/** The forecasts of a charge that became full. */
export type ChargeForecasts = {
  /** When the charge was full, ms. */
  readonly full: number;
  readonly first: Range;
  /** The last forecast at least an hour before the charge was full; undefined: there was none. */
  readonly hourBefore: Range | undefined;
};

/**
 * Returns the first forecast of a charge, and the last one at least an hour before it was full; undefined for a charge that did not become
 * full or had no forecast.
 * @param forecasts in order of time
 */
export function chargeForecastsOf(
  charge: Pick<PastChargingSession, 'from' | 'course'>,
  forecasts: readonly Forecast[],
): ChargeForecasts | undefined {
  const full = chargeFullAt(charge);
  if (full === undefined) return undefined;
  const during = forecasts.filter(({ at }) => at >= charge.from && at <= full);
  const [first] = during;
  return first && { full, first, hourBefore: during.findLast(({ at }) => at <= full - HOUR_MS) };
}

export function forecastRecordOf(charges: readonly ChargeForecasts[]): ForecastRecord {
  return {
    start: accuracyOf(charges.map(({ full, first }) => isIn(full, first))),
    hourBefore: accuracyOf(
      charges.flatMap(({ full, hourBefore }) => (hourBefore ? isIn(full, hourBefore) : [])),
    ),
  };
}

const isIn = (at: number, { from, to }: Range): boolean => from <= at && at <= to;
const accuracyOf = (right: readonly boolean[]): ForecastAccuracy => ({
  held: right.filter(Boolean).length,
  of: right.length,
});
