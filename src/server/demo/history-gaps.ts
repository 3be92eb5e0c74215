/**
 * What a demo stream's history lacks. The roll-up knows: it is written in one transaction with the readings, so what
 * a killed process left behind is never told wrong, and a gap is a gap whatever made it. All times in ms since 1970.
 */

export const BUCKET_MS = 5 * 60_000;
/** A reading per minute; fewer is a gap. */
const FULL_BUCKET = 5;
const HOUR_MS = 3_600_000;
const READINGS_PER_PIECE = 240;

/** Part of one stream's history that should be there. */
export type HistoryWindow = {
  readonly streamId: number;
  /** A whole bucket. */
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** Between two readings. */
  readonly stepMs: number;
  /** `hours`: delivered in whole hours of the clock, as a logger's files are. */
  readonly cut: 'readings' | 'hours';
};

/** To be stored in one go. `to` is not included. `buckets`: how many of the missing ones are in it. */
export type HistoryPiece = { readonly from: number; readonly to: number; readonly buckets: number };

export const FULL_BUCKETS_SQL = `
  select w.n::integer as n, array_agg((extract(epoch from r.bucket) * 1000)::float8) as full
  from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) with ordinality as w (stream_id, from_time, to_time, n)
  join telemetry.rollup r on r.stream_id = w.stream_id and r.bucket >= w.from_time and r.bucket < w.to_time
  where r.count >= ${FULL_BUCKET}
  group by w.n`;

/** Whole buckets of a window; the one that `to` cuts is not missed yet. */
export const bucketCount = ({ from, to }: HistoryWindow): number =>
  Math.max(0, Math.floor((to - from) / BUCKET_MS));

/**
 * Cuts what is missing into pieces that do not hold a stream for long. A gap is filled with a bucket more on both
 * sides, in the piece that it borders, so that its edges, half full of live readings, leave no interval over 5
 * minutes (domain/intervals.ts).
 * @param full the starts of the buckets that are there
 */
export function missingPieces(window: HistoryWindow, full: ReadonlySet<number>): HistoryPiece[] {
  const span = window.cut === 'hours' ? HOUR_MS : READINGS_PER_PIECE * window.stepMs;
  const pieces: { from: number; to: number; buckets: number }[] = [];
  for (let n = 0; n < bucketCount(window); n++) {
    const bucket = window.from + n * BUCKET_MS;
    if (full.has(bucket)) continue;
    const last = pieces.at(-1);
    const samePiece = last && Math.floor(last.from / span) === Math.floor(bucket / span);
    if (samePiece && (last.to === bucket || window.cut === 'hours')) {
      last.to = bucket + BUCKET_MS;
      last.buckets += 1;
    } else pieces.push({ from: bucket, to: bucket + BUCKET_MS, buckets: 1 });
  }
  return pieces.map(({ from, to, buckets }) =>
    window.cut === 'hours'
      ? { from: Math.floor(from / span) * span, to: Math.ceil(to / span) * span, buckets }
      : { from: Math.max(from - BUCKET_MS, window.from), to: Math.min(to + BUCKET_MS, window.to), buckets },
  );
}
