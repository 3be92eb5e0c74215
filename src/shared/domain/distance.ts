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
