import {
  type ChargeForecasts,
  type ForecastRecord,
  forecastRecordOf,
} from '#shared/domain/forecast-record.ts';
import { quantile } from '#shared/domain/weighted-quantile.ts';

export type ForecastSummary = ForecastRecord & {
  readonly charges: number;
  /** Median width in minutes of the time ranges that were forecast an hour before the charge was full. */
  readonly width: number;
};

export function summarizeForecasts(forecasts: readonly ChargeForecasts[]): ForecastSummary {
  const widths = forecasts.flatMap(({ hourBefore }) => (hourBefore ? hourBefore.to - hourBefore.from : []));
  return {
    ...forecastRecordOf(forecasts),
    charges: forecasts.length,
    width: (quantile(widths, 0.5) ?? 0) / 60_000,
  };
}
