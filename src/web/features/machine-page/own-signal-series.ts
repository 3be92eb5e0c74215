/** From the answer of /api/influx/signals/…/values to what a chart draws and what is said about it. */
import type { OwnCourses } from '#shared/contract/history.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { plainNumber } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import { brokenAtHoles, nearestIndex } from './broken-lines.ts';
import { bucketInWords, middleOf } from './day-series.ts';

type OwnCourse = OwnCourses['signals'][number];

/** s; longer without a value is a gap. */
const gapOf = (bucketSeconds: number): number => Math.max(MAX_GAP_MS / 1_000, bucketSeconds * 1.5);

/** The mean, and around it lowest and highest where a bucket has several values. */
export function chartOf(course: OwnCourse, bucketSeconds: number, range: TimeRange): TimeChartData {
  const { time, min, mean, max } = course;
  // Of a bucket at its middle.
  const middles = time.map((start) => middleOf(start, bucketSeconds));
  const { times, columns } = brokenAtHoles(middles, [min, mean, max], gapOf(bucketSeconds));
  const [lowest = [], middle = [], highest = []] = columns;
  const quiet = { color: 'var(--pack-4)', dash: [2, 3] };
  const line = { label: 'Gemiddeld', color: 'var(--pack-1)', values: middle };
  const low = min.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = max.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  // Above and below the line some room; one that is flat stands in the middle.
  const room = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return {
    times,
    lines: bucketSeconds
      ? [{ label: 'Laagst', ...quiet, values: lowest }, { label: 'Hoogst', ...quiet, values: highest }, line]
      : [line],
    range: { from: range.from / 1_000, to: range.to / 1_000 },
    axis: { min: low - room, max: high + room, label: plainNumber },
  };
}

const withUnit = (value: number, unit: string | null): string =>
  unit ? `${plainNumber(value)} ${unit}` : plainNumber(value);

/** 'Laagst 3 bar, gemiddeld 4,25 bar, hoogst 6 bar.'; undefined without values. */
export function inWords({ min, mean, max, count }: OwnCourse, unit: string | null): string | undefined {
  const values = count.reduce((a, b) => a + b, 0);
  if (values === 0) return undefined;
  const lowest = min.reduce((a, b) => Math.min(a, b));
  const highest = max.reduce((a, b) => Math.max(a, b));
  const sum = mean.reduce((total, value, n) => total + value * (count[n] ?? 0), 0);
  const [low, middle, high] = [lowest, sum / values, highest].map((value) => withUnit(value, unit));
  return `Laagst ${low}, gemiddeld ${middle}, hoogst ${high}.`;
}

/** The value around a moment (ms), in words, and of which bucket it is; undefined where there is none near. */
export function valueAt(
  { time, mean }: OwnCourse,
  unit: string | null,
  { bucketSeconds, range }: { readonly bucketSeconds: number; readonly range: TimeRange },
  ms: number,
): string | undefined {
  // A bucket is known by its start.
  const middle = ms / 1_000 - bucketSeconds / 2;
  const index = nearestIndex(time, middle);
  if (index < 0 || Math.abs(time[index]! - middle) > gapOf(bucketSeconds) / 2) return undefined;
  const value = withUnit(mean[index]!, unit);
  return bucketSeconds > 0 ? `${value} (${bucketInWords(time[index]!, bucketSeconds, range)})` : value;
}
