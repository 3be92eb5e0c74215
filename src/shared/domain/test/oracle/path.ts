import type { Reading } from '#shared/domain/signal.ts';
import { positionDistancesOf } from './movement.ts';
import { meanOfPacks, packsByBucket, socByPack } from './soc.ts';
import {
  bucketOf,
  isInRange,
  ownedStreams,
  type Range,
  type ReadingStream,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes the distance and the route, as docs/figures.md section 6 defines. */

/** Degrees. */
export type Place = { readonly lat: number; readonly lon: number };

/** Time in ms since 1970. */
export type Position = Place & { readonly time: number };

export const positionsOf = ({ readings }: ReadingStream): Position[] =>
  readings.flatMap(({ time, signals }) => {
    const { LATITUDE: lat, LONGITUDE: lon } = signals;
    return lat === undefined || lon === undefined ? [] : [{ time, lat, lon }];
  });

const EARTH_RADIUS_MM = 6_371_000_000;
export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the great-circle distance in whole mm. */
export function greatCircle(a: Place, b: Place): number {
  const halfLat = Math.sin(radians(b.lat - a.lat) / 2);
  const halfLon = Math.sin(radians(b.lon - a.lon) / 2);
  const h = halfLat ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * halfLon ** 2;
  return Math.floor(2 * EARTH_RADIUS_MM * Math.asin(Math.min(1, Math.sqrt(h))) + 0.5);
}

/** Returns the mm that each position adds to the distance. */
export const addedDistancesMm = (
  stream: ReadingStream,
): { readonly time: number; readonly mm: number; readonly carriedMm: number }[] =>
  positionDistancesOf(stream, positionsOf(stream)).map(({ time, distanceMm: mm, carriedMm }) => ({
    time,
    mm,
    carriedMm,
  }));

/** Returns the distance, driven and carried, of the positions in the range, in whole mm. */
export const distanceMm = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): number =>
  ownedStreams(readings, ownRanges)
    .flatMap(({ stream }) => addedDistancesMm(stream))
    .filter(({ time }) => isInRange(range, time))
    .reduce((sum, { mm }) => sum + mm, 0);

/** Returns the distance, driven and carried, of the positions in the range, m. */
export const distanceMetres = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): number => distanceMm(readings, range, ownRanges) / 1000;

/** A point of the route, with the values of the same reading. */
export type PathPoint = Position & {
  readonly speed: number | undefined;
  /** % per pack. */
  readonly soc: ReadonlyMap<number, number>;
  /** Mean level, %; undefined unless the reading has every pack that its bucket has. */
  readonly mean: number | undefined;
};

/** Returns the route before thinning: every position in the range. */
export const pathPoints = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): PathPoint[] =>
  ownedStreams(readings, ownRanges).flatMap((owned) => {
    const packs = packsByBucket(owned);
    const signalsAt = new Map(owned.stream.readings.map(({ time, signals }) => [time, signals]));
    return positionsOf(owned.stream)
      .filter(({ time }) => isInRange(range, time))
      .map((position) => {
        const signals = signalsAt.get(position.time) ?? {};
        const soc = socByPack(signals);
        const { mean, isOfAll } = meanOfPacks(soc, [...(packs.get(bucketOf(position.time)) ?? [])]);
        return { ...position, speed: signals.Speed, soc, mean: isOfAll ? mean : undefined };
      });
  });
