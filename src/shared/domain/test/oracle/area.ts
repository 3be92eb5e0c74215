import { greatCircle, type Place, radians } from './path.ts';

/** Computes distances and sizes of the areas of projects, as docs/figures.md section 13 defines. */

/** Degrees and m; the last corner is joined to the first. */
export type Area =
  | { readonly kind: 'circle'; readonly centre: Place; readonly radius: number }
  | { readonly kind: 'polygon'; readonly corners: readonly Place[] };

const EARTH_RADIUS = 6_371_000;

/** Metres east and north of the origin of the flat projection. */
type Flat = { readonly x: number; readonly y: number };
type Side = readonly [Flat, Flat];

/** Returns the sides of a polygon in the flat projection at a place. */
function sidesAt(origin: Place, corners: readonly Place[]): Side[] {
  const flat = corners.map(({ lat, lon }) => ({
    x: EARTH_RADIUS * Math.cos(radians(origin.lat)) * radians(lon - origin.lon),
    y: EARTH_RADIUS * radians(lat - origin.lat),
  }));
  return flat.flatMap((corner, n) => {
    const next = flat[(n + 1) % flat.length];
    return next === undefined ? [] : [[corner, next] as const];
  });
}

/** Returns the distance from the origin of the projection to the nearest point of a side, m. */
function distanceTo([a, b]: Side): number {
  const along = { x: b.x - a.x, y: b.y - a.y };
  const squared = along.x ** 2 + along.y ** 2;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, -(a.x * along.x + a.y * along.y) / squared));
  return Math.hypot(a.x + share * along.x, a.y + share * along.y);
}

/** Returns whether the ray east from the origin of the projection crosses a side. */
const isCrossed = ([a, b]: Side): boolean =>
  a.y > 0 !== b.y > 0 && a.x - (a.y * (b.x - a.x)) / (b.y - a.y) > 0;

/** Returns the distance of a position from the edge of an area, m; negative inside. */
export function metresOutside(area: Area, position: Place): number {
  if (area.kind === 'circle') return greatCircle(area.centre, position) / 1000 - area.radius;
  const sides = sidesAt(position, area.corners);
  const distance = Math.min(...sides.map(distanceTo));
  return sides.filter(isCrossed).length % 2 === 1 ? -distance : distance;
}

/** Returns the size of an area, m2. */
export function areaSizeSquareMetres(area: Area): number {
  if (area.kind === 'circle') return Math.PI * area.radius ** 2;
  const [first] = area.corners;
  if (first === undefined) return 0;
  const twice = sidesAt(first, area.corners).reduce((sum, [a, b]) => sum + a.x * b.y - b.x * a.y, 0);
  return Math.abs(twice) / 2;
}
