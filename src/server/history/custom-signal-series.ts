import type { Database } from '#server/platform/database.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { columnAsSent } from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import type { CustomSignalSeriesResponse } from '#shared/contract/history.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import { MAX_OWN_SIGNALS } from '#shared/domain/custom-signals.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { parseJson } from '#shared/domain/outside-json.ts';
import { ownedSegmentsOf } from './range.ts';
import { rangeSums } from './range-sums.ts';

/**
 * Maximum number of readings of a range: somewhat more than 31 days at 0.1 Hz have. All readings of a range are read, because no roll-up
 * contains these signals. To read 8 signals over 30 days at 0.1 Hz takes 1 s of processor time if 40 signals are stored, 2.4 s if 120 are.
 */
const MAX_READING_COUNT = 300_000;

/**
 * Returns the values of custom signals (which no mapping makes signals of the portal) in a range: lowest, mean, highest and number of values
 * per bucket, or every value of a range with at most `points` readings.
 * @param names a JSON list
 * @throws ProblemError 400 for an invalid list, or for too many readings
 */
export async function readCustomSignalSeries(
  db: Database,
  history: OwnHistory,
  range: Range,
  names: string,
  points: number,
): Promise<CustomSignalSeriesResponse> {
  const { streamId, own } = history;
  const asked = namesIn(names);
  const { count } = await rangeSums(db, history, range, ['count']);
  if (count > MAX_READING_COUNT)
    throw invalidInputError(
      `Deze periode heeft ${formatNumber(count)} metingen; van eigen signalen worden er hoogstens ${formatNumber(MAX_READING_COUNT)} getoond. Kies een kortere periode.`,
    );
  const bucketMs = count <= points ? 0 : chartBucketMs(range.to - range.from, points);
  const segments = ownedSegmentsOf(range, own);
  const buckets = asked.map(
    () => new Map<number, { min: number; sum: number; max: number; count: number }>(),
  );
  for await (const { times, values } of readColumnPages(db, streamId, segments, asked.map(columnAsSent)))
    for (const [n, column] of values.entries())
      for (const [row, value] of column.entries()) {
        if (Number.isNaN(value)) continue;
        const time = times[row] as number;
        const start = bucketMs === 0 ? time : Math.floor(time / bucketMs) * bucketMs;
        const bucket = buckets[n]?.get(start);
        if (!bucket) buckets[n]?.set(start, { min: value, sum: value, max: value, count: 1 });
        else {
          bucket.min = Math.min(bucket.min, value);
          bucket.sum += value;
          bucket.max = Math.max(bucket.max, value);
          bucket.count += 1;
        }
      }
  const signals = asked.map((name, n) => {
    const known = [...(buckets[n] ?? [])];
    return {
      name,
      time: known.map(([start]) => start / 1000),
      min: known.map(([, { min }]) => min),
      mean: known.map(([, { sum, count: values }]) => sum / values),
      max: known.map(([, { max }]) => max),
      count: known.map(([, { count: values }]) => values),
    };
  });
  return { bucketSeconds: bucketMs / 1_000, signals };
}

function namesIn(text: string): string[] {
  const list = listIn(text);
  const names = [...new Set(list)].filter((name) => typeof name === 'string');
  if (names.length === 0 || names.length < list.length || names.length > MAX_OWN_SIGNALS)
    throw invalidInputError(
      `De namen zijn een JSON-lijst van 1 tot ${MAX_OWN_SIGNALS} verschillende signalen.`,
    );
  return names;
}

function listIn(text: string): unknown[] {
  try {
    const list = parseJson(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
