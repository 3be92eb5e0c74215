/**
 * Finds the gaps in the history of a demo stream. The roll-up shows them: it is written in one transaction with the readings, so
 * it is right even after a process was killed. All times are in ms since 1970.
 */

export const BUCKET_MS = 5 * 60_000;
/** Readings of a full bucket, one per minute; a bucket with fewer is a gap. */
const FULL_BUCKET = 5;
const HOUR_MS = 3_600_000;
const READINGS_PER_PIECE = 240;

/** A stream, and the time range in which it should have a history. */
export type HistoryWindow = {
  readonly streamId: number;
  /** Start of a bucket. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Time between two readings. */
  readonly intervalMs: number;
  /** `hours`: filled in whole hours of the clock, as a logger delivers files. */
  readonly cut: 'readings' | 'hours';
};

/** Time range that one transaction fills. `to` is exclusive; `buckets` counts the missing buckets in it. */
export type HistoryStep = { readonly from: number; readonly to: number; readonly buckets: number };

export const FULL_BUCKETS_SQL = `
  select w.n::integer as n, array_agg((extract(epoch from r.bucket) * 1000)::float8) as full
  from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) with ordinality as w (stream_id, from_time, to_time, n)
  join telemetry.rollup r on r.stream_id = w.stream_id and r.bucket >= w.from_time and r.bucket < w.to_time
  where r.count >= ${FULL_BUCKET}
  group by w.n`;

/** Returns the number of whole buckets in a window, without the one that `to` cuts. */
export const bucketCount = ({ from, to }: HistoryWindow): number =>
  Math.max(0, Math.floor((to - from) / BUCKET_MS));

/**
 * Splits the gaps into steps that lock a stream only briefly. Each gap is filled with one more bucket on both sides, so that its
 * edges, half full of live readings, leave no interval over 5 minutes (domain/intervals.ts).
 * @param full starts of the full buckets
 */
export function missingSteps(window: HistoryWindow, full: ReadonlySet<number>): HistoryStep[] {
  const span = window.cut === 'hours' ? HOUR_MS : READINGS_PER_PIECE * window.intervalMs;
  const steps: { from: number; to: number; buckets: number }[] = [];
  for (let n = 0; n < bucketCount(window); n++) {
    const bucket = window.from + n * BUCKET_MS;
    if (full.has(bucket)) continue;
    const last = steps.at(-1);
    const isSameStep = last && Math.floor(last.from / span) === Math.floor(bucket / span);
    if (isSameStep && (last.to === bucket || window.cut === 'hours')) {
      last.to = bucket + BUCKET_MS;
      last.buckets += 1;
    } else steps.push({ from: bucket, to: bucket + BUCKET_MS, buckets: 1 });
  }
  return steps.map(({ from, to, buckets }) =>
    window.cut === 'hours'
      ? { from: Math.floor(from / span) * span, to: Math.ceil(to / span) * span, buckets }
      : { from: Math.max(from - BUCKET_MS, window.from), to: Math.min(to + BUCKET_MS, window.to), buckets },
  );
}
