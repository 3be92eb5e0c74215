import { readPartialBuckets } from '#server/history/cut-ends.ts';
import { dayChart } from '#server/history/day-chart.ts';
import { type OwnedSegment, ownedSegmentsOf, splitSegment } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { ComparedTimeSeries } from '#shared/contract/compare.ts';
import type { DayChart } from '#shared/contract/history.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import { MAX_COMPARED_DAYS } from '#shared/domain/compare.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import type { ComparedMachine } from './compared-machines.ts';

/** Sums for the mean power of a bucket: mJ out of the batteries, and ms for which the energy is known. */
type Work = { readonly start: number; readonly outMj: number; readonly knownMs: number };

/**
 * Returns the mean power out of a machine's batteries, in kW, in each bucket for which it is known. The buckets are those of the chart, but
 * never shorter than the roll-up's 5 minutes.
 */
async function powerCourse(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  points: number,
): Promise<ComparedTimeSeries['power']> {
  const bucketMs = Math.max(BUCKET_MS, chartBucketMs(range.to - range.from, points));
  const sums = new Map<number, { outMj: number; knownMs: number }>();
  for (const segment of ownedSegmentsOf(range, own))
    for (const { start, outMj, knownMs } of await readSegment(db, streamId, segment, bucketMs)) {
      const before = sums.get(start);
      sums.set(start, {
        outMj: (before?.outMj ?? 0) + outMj,
        knownMs: (before?.knownMs ?? 0) + knownMs,
      });
    }
  const known = [...sums].filter(([, { knownMs }]) => knownMs > 0).sort(([a], [b]) => a - b);
  return {
    time: known.map(([start]) => start / 1000),
    bucketSeconds: bucketMs / 1000,
    // mJ / ms is W.
    kw: known.map(([, { outMj, knownMs }]) => outMj / knownMs / 1000),
  };
}

async function readSegment(
  db: Database,
  streamId: number,
  segment: OwnedSegment,
  bucketMs: number,
): Promise<Work[]> {
  const { whole, ends } = splitSegment(segment);
  const [cut, rolled] = await Promise.all([
    readPartialBuckets(db, streamId, segment, ends),
    whole &&
      shardForStream(db, streamId).query<Work>(
        `select date_part('epoch', date_bin($4::interval, bucket, 'epoch')) * 1000 as start,
           sum(out_mj)::float8 as out_mj, coalesce(sum(known_ms), 0)::float8 as known_ms
         from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1`,
        [streamId, new Date(whole.from), new Date(whole.to), `${bucketMs / 1000} seconds`],
      ),
  ]);
  return [
    ...cut.map(([at, { outMj, knownMs }]) => ({
      start: Math.floor(at / bucketMs) * bucketMs,
      outMj,
      knownMs,
    })),
    ...(rolled?.rows ?? []),
  ];
}

/** Longest range that can be compared, with an hour more for a day of 25 hours. */
const MAX_COMPARED_MS = MAX_COMPARED_DAYS * 86_400_000 + 3_600_000;

/**
 * Returns charge level, power, running and charging of machines over a range, in the given order. Level, running and charging equal those
 * of the machine's page.
 * @throws ProblemError 400 for a range of more than 31 days
 */
export async function readComparedSeries(
  db: Database,
  machines: readonly ComparedMachine[],
  range: Range,
  points: number,
): Promise<ComparedTimeSeries[]> {
  if (range.to - range.from > MAX_COMPARED_MS)
    throw invalidInputError(`Kies een periode van hoogstens ${MAX_COMPARED_DAYS} dagen.`);
  const courses: ComparedTimeSeries[] = [];
  // Reads one machine after the other: a month of five machines at once would block other callers.
  for (const { serial, alias, brand, model, ...history } of machines) {
    const [chart, power] = await Promise.all([
      dayChart(db, history, range, points),
      powerCourse(db, history, range, points),
    ]);
    const { time, bucketSeconds, bands, seconds, lastDay } = chart;
    courses.push({
      serial,
      alias,
      brand,
      model,
      time,
      bucketSeconds,
      level: levelsOf(chart),
      power,
      bands,
      seconds,
      lastDay,
    });
  }
  return courses;
}

/** Returns the mean level of the packs that reported in each bucket, %. */
const levelsOf = ({ time, packs }: DayChart): (number | null)[] =>
  time.map((_, at) => {
    const known = packs.map(({ mean }) => mean[at] ?? null).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
