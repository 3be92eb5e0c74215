/** Web Mercator: from degrees to the square of the whole earth and back. */
import type { Position } from '#shared/domain/position.ts';

/** The width of the whole earth at zoom 0, px. */
export const EARTH_PX = 256;
/** Web Mercator ends here, degrees. */
const MOST_LAT = 85.05;

/** Parts of the whole earth from its top left corner: x and y, 0 to 1. */
export type OnEarth = { readonly x: number; readonly y: number };

/** Returns the place on the square of the earth; latitudes beyond its edges become the edge. */
export function onEarth({ lat, lon }: Position): OnEarth {
  const sine = Math.sin((Math.min(MOST_LAT, Math.max(-MOST_LAT, lat)) * Math.PI) / 180);
  return { x: (lon + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** Returns the degrees of a place on the square of the earth. */
export const toPosition = ({ x, y }: OnEarth): Position => ({
  lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
  lon: x * 360 - 180,
});
