/** Converts the response of /api/influx/signals/…/values to a chart and its texts. */
import type { CustomSignalSeriesResponse } from '#shared/contract/history.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import { breakAtGaps, nearestIndex } from './broken-lines.ts';
import { bucketMiddle, bucketText } from './day-series.ts';

type CustomSignalSeries = CustomSignalSeriesResponse['signals'][number];

const longestGapSeconds = (bucketSeconds: number): number =>
  Math.max(MAX_GAP_MS / 1_000, bucketSeconds * 1.5);

/** Returns the chart of a signal: its mean, and its lowest and highest values if buckets have several values. */
export function customSignalChart(
  series: CustomSignalSeries,
  bucketSeconds: number,
  range: TimeRange,
): TimeChartData {
  const { time, min, mean, max } = series;
  // Each bucket is drawn at its middle.
  const middles = time.map((start) => bucketMiddle(start, bucketSeconds));
  const { times, columns } = breakAtGaps(middles, [min, mean, max], longestGapSeconds(bucketSeconds));
  const [lowest = [], middle = [], highest = []] = columns;
  const quiet = { color: 'var(--series-4)', dash: [2, 3] };
  const line = { label: 'Gemiddeld', color: 'var(--series-1)', values: middle };
  const low = min.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = max.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  // Leaves room above and below the line; a flat line stands in the middle.
  const room = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return {
    times,
    lines: bucketSeconds
      ? [{ label: 'Laagst', ...quiet, values: lowest }, { label: 'Hoogst', ...quiet, values: highest }, line]
      : [line],
    range: { from: range.from / 1_000, to: range.to / 1_000 },
    axis: { min: low - room, max: high + room, label: formatNumber },
  };
}

const withUnit = (value: number, unit: string | null): string =>
  unit ? `${formatNumber(value)} ${unit}` : formatNumber(value);

/** Returns for example 'Laagst 3 bar, gemiddeld 4,25 bar, hoogst 6 bar.'; undefined without values. */
export function extremesText(
  { min, mean, max, count }: CustomSignalSeries,
  unit: string | null,
): string | undefined {
  const values = count.reduce((a, b) => a + b, 0);
  if (values === 0) return undefined;
  const lowest = min.reduce((a, b) => Math.min(a, b));
  const highest = max.reduce((a, b) => Math.max(a, b));
  const sum = mean.reduce((total, value, n) => total + value * (count[n] ?? 0), 0);
  const [low, middle, high] = [lowest, sum / values, highest].map((value) => withUnit(value, unit));
  return `Laagst ${low}, gemiddeld ${middle}, hoogst ${high}.`;
}

/** Returns the value nearest to a moment (unix ms) with its bucket, as a Dutch text; undefined if no value is near. */
export function ownValueText(
  { time, mean }: CustomSignalSeries,
  unit: string | null,
  { bucketSeconds, range }: { readonly bucketSeconds: number; readonly range: TimeRange },
  ms: number,
): string | undefined {
  // `time` holds the start of each bucket, but the moment is compared with the middles.
  const middle = ms / 1_000 - bucketSeconds / 2;
  const index = nearestIndex(time, middle);
  if (index < 0 || Math.abs(time[index]! - middle) > longestGapSeconds(bucketSeconds) / 2) return undefined;
  const value = withUnit(mean[index]!, unit);
  return bucketSeconds > 0 ? `${value} (${bucketText(time[index]!, bucketSeconds, range)})` : value;
}
