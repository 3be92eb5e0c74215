import { distanceMetres } from './distance.ts';
import { BUCKET_MS } from './intervals.ts';
import type { Position } from './position.ts';

/** A longer pause, or a shorter one in which the machine ran, ends a transport. */
const MAX_PAUSE_MS = 60 * 60_000;
/** A machine within this distance of the place where it stood has not left; within this distance of its destination it has arrived. */
const AT_PLACE_METRES = 100;

/** A bucket of the roll-up in which a machine was carried (docs/figures.md section 6). */
export type CarriedBucket = {
  /** ms since 1970. */
  readonly start: number;
  readonly carriedMm: number;
  /** The machine ran between the carried bucket before and this one. */
  readonly ranBefore: boolean;
};

/** The buckets of one transport: start of the first and of the last one, ms. */
export type CarriedInterval = { readonly first: number; readonly last: number; readonly carriedMm: number };

/** An interval in which a machine was carried. */
export type Transport = {
  /** ms since 1970: when the machine left the first place, and when it arrived at the last one. */
  readonly from: number;
  readonly to: number;
  readonly distanceMm: number;
  readonly begin: Position | null;
  readonly end: Position | null;
};

/** Joins carried buckets, given in order of time, if the pauses between them are at most an hour and the machine did not run in them. */
export function joinCarriedBuckets(buckets: readonly CarriedBucket[]): CarriedInterval[] {
  const intervals: CarriedInterval[] = [];
  for (const { start, carriedMm, ranBefore } of buckets) {
    const open = intervals.at(-1);
    if (open && !ranBefore && start - (open.last + BUCKET_MS) <= MAX_PAUSE_MS)
      intervals[intervals.length - 1] = { ...open, last: start, carriedMm: open.carriedMm + carriedMm };
    else intervals.push({ first: start, last: start, carriedMm });
  }
  return intervals;
}

type TimedPosition = { readonly time: number; readonly position: Position };

/**
 * Finds when and where a transport began and ended.
 * @param positions the valid positions in the transport's first and last bucket and in the bucket before the first, in order of time
 */
export function transportOf(
  { first, last, carriedMm }: CarriedInterval,
  positions: readonly TimedPosition[],
): Transport {
  const inFirst = positions.filter(({ time }) => time >= first - BUCKET_MS && time < first + BUCKET_MS);
  const inLast = positions.filter(({ time }) => time >= last && time < last + BUCKET_MS);
  const start = inFirst.findLast(({ time }) => time < first) ?? inFirst[0];
  const end = inLast.at(-1);
  const from = start ? lastAt(start, inFirst) : first;
  const to = end ? lastAt(end, inLast.toReversed()) : last + BUCKET_MS;
  return {
    from,
    to: Math.max(from, to),
    distanceMm: carriedMm,
    begin: start?.position ?? null,
    end: end?.position ?? null,
  };
}

/** Returns the time up to which all positions, from `place` on, lie within AT_PLACE_METRES of `place`. */
function lastAt(place: TimedPosition, positions: readonly TimedPosition[]): number {
  let time = place.time;
  for (const one of positions.slice(positions.indexOf(place))) {
    if (distanceMetres(one.position, place.position) > AT_PLACE_METRES) break;
    time = one.time;
  }
  return time;
}
