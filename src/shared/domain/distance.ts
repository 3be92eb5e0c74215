import type { Position } from './position.ts';

/** Earth radius of requirement MAP-08. */
export const EARTH_RADIUS_METRES = 6_371_000;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the great-circle distance, m, by the haversine formula. */
export function distanceMetres(from: Position, to: Position): number {
  const latSine = Math.sin(radians(to.lat - from.lat) / 2);
  const lonSine = Math.sin(radians(to.lon - from.lon) / 2);
  const h = latSine * latSine + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * lonSine * lonSine;
  // Rounding can make h slightly larger than 1 for opposite points, and its arcsine NaN.
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}
