import { distanceMetres } from './distance.ts';
import { BUCKET_MS } from './intervals.ts';
import type { Position } from './position.ts';

/** ms; a longer pause ends a transport, and so does running in a shorter one. */
const LONGEST_PAUSE_MS = 60 * 60_000;
/** m; a machine that is nearer to a place is still, or already, there. */
const AT_PLACE_METRES = 100;

/** A bucket of the roll-up in which a machine was carried (docs/figures.md section 6). */
export type CarriedBucket = {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly carriedMm: number;
  /** The machine ran after the carried bucket before this one, and before this one. */
  readonly ranBefore: boolean;
};

/** Buckets that belong to one transport; `last`: start of its last one, ms. */
export type CarriedStretch = { readonly first: number; readonly last: number; readonly carriedMm: number };

/** A time at which a machine was carried. */
export type Transport = {
  /** Milliseconds since 1970, when it left the first place and when it came to the last one. */
  readonly from: number;
  readonly to: number;
  readonly distanceMm: number;
  readonly begin: Position | null;
  readonly end: Position | null;
};

/** Joins carried buckets, in order of time, to stretches: with pauses of at most an hour in which the machine did not run. */
export function joinCarried(buckets: readonly CarriedBucket[]): CarriedStretch[] {
  const stretches: CarriedStretch[] = [];
  for (const { start, carriedMm, ranBefore } of buckets) {
    const open = stretches.at(-1);
    if (open && !ranBefore && start - (open.last + BUCKET_MS) <= LONGEST_PAUSE_MS)
      stretches[stretches.length - 1] = { ...open, last: start, carriedMm: open.carriedMm + carriedMm };
    else stretches.push({ first: start, last: start, carriedMm });
  }
  return stretches;
}

type TimedPosition = { readonly time: number; readonly position: Position };

/**
 * Finds when and where a transport began and ended.
 * @param positions that count, in order of time, of its first and last bucket and of the bucket before the first one
 */
export function transportOf(
  { first, last, carriedMm }: CarriedStretch,
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

/** Returns the time of the last one of the positions that, from `place` on, are all near it. */
function lastAt(place: TimedPosition, positions: readonly TimedPosition[]): number {
  let time = place.time;
  for (const one of positions.slice(positions.indexOf(place))) {
    if (distanceMetres(one.position, place.position) > AT_PLACE_METRES) break;
    time = one.time;
  }
  return time;
}
