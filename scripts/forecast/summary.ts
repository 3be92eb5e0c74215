import { type ChargeForecasts, type ForecastRecord, recordOf } from '#shared/domain/forecast-record.ts';
import { quantile } from '#shared/domain/weighted-quantile.ts';

export type Summary = ForecastRecord & {
  readonly charges: number;
  /** Minutes; the median width of the ranges an hour before the end. */
  readonly width: number;
};

export function summaryOf(told: readonly ChargeForecasts[]): Summary {
  const widths = told.flatMap(({ hourBefore }) => (hourBefore ? hourBefore.to - hourBefore.from : []));
  return { ...recordOf(told), charges: told.length, width: (quantile(widths, 0.5) ?? 0) / 60_000 };
}
