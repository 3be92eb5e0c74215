/** The address of a square map tile in the usual web map scheme: y counts from the north. */
export type TileAddress = { readonly z: number; readonly x: number; readonly y: number };

export const TILE_SIZE_PX = 256;
export const MAX_ZOOM = 19;
/** Where the square Mercator world ends: atan(sinh(pi)), degrees. */
const MAX_LATITUDE = 85.0511287798066;

/** Whether the tile exists: z 0..19, x and y whole and within 2^z. */
export function isTile({ z, x, y }: TileAddress): boolean {
  if (![z, x, y].every(Number.isInteger)) return false;
  const side = 2 ** z;
  return z >= 0 && z <= MAX_ZOOM && x >= 0 && x < side && y >= 0 && y < side;
}

/**
 * Spherical Web Mercator (EPSG:3857) of a place in degrees, as x and y in 0..1 with y from the north.
 * Latitudes beyond the square world are moved to its edge.
 */
export function project(longitude: number, latitude: number): { x: number; y: number } {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.atanh(sine) / (2 * Math.PI) };
}

/** The inverse of {@link project}: degrees of a point in 0..1. */
export function unproject(x: number, y: number): { longitude: number; latitude: number } {
  return {
    longitude: (x - 0.5) * 360,
    latitude: (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI,
  };
}

/** Pixels from one side of the world to the other at a zoom. */
export function worldSizePx(z: number): number {
  return TILE_SIZE_PX * 2 ** z;
}
