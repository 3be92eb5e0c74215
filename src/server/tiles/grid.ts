import { TOWNS } from '#shared/domain/towns.ts';
import {
  projectToMercator,
  TILE_SIZE_PX,
  type TileAddress,
  unprojectFromMercator,
  worldSizePx,
} from './mercator.ts';

/** A crossing of two grid lines: its position in degrees, and its pixel, which is in the tile or a little outside it. */
export type GridCrossing = {
  readonly longitude: number;
  readonly latitude: number;
  readonly x: number;
  readonly y: number;
};

const STEPS_DEGREES = [5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
const EARTH_RADIUS_KM = 6371;
const FARTHEST_PLACE_KM = 150;
const WINDS = ['N', 'NO', 'O', 'ZO', 'Z', 'ZW', 'W', 'NW'] as const;

/** Returns the smallest distance in degrees between grid lines for which meridians are at least `leastPx` pixels apart at a zoom. */
export function gridStep(z: number, leastPx: number): number {
  const pxPerDegree = worldSizePx(z) / 360;
  const fine = STEPS_DEGREES.filter((step) => step * pxPerDegree >= leastPx);
  return fine.at(-1) ?? STEPS_DEGREES[0]!;
}

/**
 * Returns the lines of a grid of meridians and parallels every `stepDegrees` in a tile: x of the meridians and y of the parallels in tile
 * pixels, up to `marginPx` outside it.
 */
export function gridLines(
  tile: TileAddress,
  stepDegrees: number,
  marginPx = 0,
): { meridians: { at: number; x: number }[]; parallels: { at: number; y: number }[] } {
  const size = worldSizePx(tile.z);
  const left = tile.x * TILE_SIZE_PX;
  const top = tile.y * TILE_SIZE_PX;
  const northWest = unprojectFromMercator((left - marginPx) / size, (top - marginPx) / size);
  const southEast = unprojectFromMercator(
    (left + TILE_SIZE_PX + marginPx) / size,
    (top + TILE_SIZE_PX + marginPx) / size,
  );
  const meridians: { at: number; x: number }[] = [];
  for (let n = Math.ceil(northWest.longitude / stepDegrees); n * stepDegrees <= southEast.longitude; n++) {
    meridians.push({ at: n * stepDegrees, x: projectToMercator(n * stepDegrees, 0).x * size - left });
  }
  const parallels: { at: number; y: number }[] = [];
  for (let n = Math.ceil(southEast.latitude / stepDegrees); n * stepDegrees <= northWest.latitude; n++) {
    parallels.push({ at: n * stepDegrees, y: projectToMercator(0, n * stepDegrees).y * size - top });
  }
  return { meridians, parallels };
}

/** Returns the points at which the lines of gridLines() cross. */
export function gridCrossings(tile: TileAddress, stepDegrees: number, marginPx: number): GridCrossing[] {
  const { meridians, parallels } = gridLines(tile, stepDegrees, marginPx);
  return parallels.flatMap((parallel) =>
    meridians.map((meridian) => ({
      longitude: meridian.at,
      latitude: parallel.at,
      x: meridian.x,
      y: parallel.y,
    })),
  );
}

/**
 * Returns a position relative to the nearest town: '6 km NO van Amersfoort'; undefined within a kilometre of a town and far from all towns.
 * @param decimals the number of decimals of the distance in kilometres
 */
export function relativePositionText(
  longitude: number,
  latitude: number,
  decimals: 0 | 1 = 0,
): string | undefined {
  // At these distances, distances computed as on a flat earth are accurate to a percent.
  const kmPerDegree = (EARTH_RADIUS_KM * Math.PI) / 180;
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let nearest: { name: string; km: number; east: number; north: number } | undefined;
  for (const place of TOWNS) {
    const east = (longitude - place.longitude) * kmPerDegree * shrink;
    const north = (latitude - place.latitude) * kmPerDegree;
    const km = Math.hypot(east, north);
    if (nearest === undefined || km < nearest.km) nearest = { name: place.name, km, east, north };
  }
  if (nearest === undefined || nearest.km < 1 || nearest.km > FARTHEST_PLACE_KM) return undefined;
  const eighths = Math.round((Math.atan2(nearest.east, nearest.north) * 4) / Math.PI);
  const km = nearest.km.toFixed(decimals).replace('.', ',');
  return `${km} km ${WINDS[(eighths + 8) % 8]} van ${nearest.name}`;
}
