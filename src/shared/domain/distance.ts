/** Great-circle distance, and the machines nearby (MAP-08, MAP-09). */
import type { Position } from './position.ts';

/** MAP-08. */
export const EARTH_RADIUS_METRES = 6_371_000;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres along the great circle (haversine): 2 R asin(sqrt(h)). */
export function distanceMetres(from: Position, to: Position): number {
  const latSine = Math.sin(radians(to.lat - from.lat) / 2);
  const lonSine = Math.sin(radians(to.lon - from.lon) / 2);
  const h = latSine * latSine + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * lonSine * lonSine;
  // Between opposite points rounding lifts h above 1 by a bit; the arcsine of more than 1 is NaN.
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}

export type Nearby<T> = { readonly item: T; readonly metres: number | undefined };

/**
 * The items with their distance in metres, nearest first; equally far ones and those without a position (last)
 * keep the order they came in. When `from` is not known: all in received order, without distances.
 */
export function nearestFirst<T>(
  items: readonly T[],
  positionOfItem: (item: T) => Position | undefined,
  from: Position | undefined,
): Nearby<T>[] {
  const nearby = items.map((item) => {
    const position = from && positionOfItem(item);
    return { item, metres: from && position && distanceMetres(from, position) };
  });
  return nearby.sort((a, b) => byMetres(a.metres, b.metres));
}

function byMetres(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a - b;
}
