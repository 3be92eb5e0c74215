/** Web Mercator: converts degrees to places on a square that shows the whole earth, and back. */
import type { Position } from '#shared/domain/position.ts';

/** Width of the whole earth at zoom 0. */
export const EARTH_PX = 256;
/** Latitude in degrees at which Web Mercator ends. */
const MAX_LAT = 85.05;

/** A place on the square of the earth: x and y from 0 to 1, from its top left corner. */
export type MercatorPoint = { readonly x: number; readonly y: number };

/** Returns the place on the square of the earth; clamps latitudes to its edges. */
export function toMercator({ lat, lon }: Position): MercatorPoint {
  const sine = Math.sin((Math.min(MAX_LAT, Math.max(-MAX_LAT, lat)) * Math.PI) / 180);
  return { x: (lon + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** Returns the degrees of a place on the square of the earth. */
export const toPosition = ({ x, y }: MercatorPoint): Position => ({
  lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
  lon: x * 360 - 180,
});
