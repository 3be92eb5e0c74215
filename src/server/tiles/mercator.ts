/** The address of a square map tile in the usual web map scheme: y counts from the north. */
export type TileAddress = { readonly z: number; readonly x: number; readonly y: number };

export const TILE_SIZE_PX = 256;
export const MAX_ZOOM = 19;
/** Latitude at the northern edge of the square Mercator map of the world, in degrees: atan(sinh(pi)). */
const MAX_LATITUDE = 85.0511287798066;

/** Returns whether the tile exists: z 0..19, x and y integers from 0 to 2^z - 1. */
export function isValidTileAddress({ z, x, y }: TileAddress): boolean {
  if (![z, x, y].every(Number.isInteger)) return false;
  const side = 2 ** z;
  return z >= 0 && z <= MAX_ZOOM && x >= 0 && x < side && y >= 0 && y < side;
}

/**
 * Returns the spherical Web Mercator projection (EPSG:3857) of degrees, as x and y in 0..1 with y from the north.
 * Latitudes beyond the square map are moved to its edge.
 */
export function projectToMercator(longitude: number, latitude: number): { x: number; y: number } {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.atanh(sine) / (2 * Math.PI) };
}

/** Returns the degrees of a point in 0..1, the inverse of {@link projectToMercator}. */
export function unprojectFromMercator(x: number, y: number): { longitude: number; latitude: number } {
  return {
    longitude: (x - 0.5) * 360,
    latitude: (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI,
  };
}

/** Returns the width of the world at a zoom, in pixels. */
export function worldSizePx(z: number): number {
  return TILE_SIZE_PX * 2 ** z;
}
