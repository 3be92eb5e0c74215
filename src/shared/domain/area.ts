/** The area of a project or terrein: a circle or a polygon on the map (docs/figures.md section 13). */
import { distanceMetres, EARTH_RADIUS_METRES } from './distance.ts';
import type { Position } from './position.ts';

export type Circle = { readonly centre: Position; readonly radiusMetres: number };
/** The corners, clockwise or counterclockwise; the last corner is joined to the first. */
export type Polygon = { readonly corners: readonly Position[] };
export type Area = Circle | Polygon;

/** A bounding box, degrees. */
export type Box = {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
};

const SMALLEST_RADIUS_METRES = 10;
/** Largest width and height of an area: a work area is never as large as a province. */
const MAX_SPAN_METRES = 50_000;
export const MAX_CORNERS = 500;
/** Largest latitude, degrees, at which the flat projection below is accurate to a centimetre. */
const MAX_FLAT_LATITUDE_DEGREES = 80;

export type AreaError =
  | 'few-corners'
  | 'many-corners'
  | 'crosses-itself'
  | 'no-surface'
  | 'too-large'
  | 'radius'
  | 'off-the-map';

/** Returns the first error of an area that a user drew or a caller sent; undefined: the area is valid. */
export function areaErrorOf(area: Area): AreaError | undefined {
  if ('centre' in area) {
    if (!isOnMap(area.centre)) return 'off-the-map';
    if (!(area.radiusMetres >= SMALLEST_RADIUS_METRES)) return 'radius';
    return area.radiusMetres * 2 <= MAX_SPAN_METRES ? undefined : 'too-large';
  }
  const { corners } = area;
  if (corners.length < 3) return 'few-corners';
  if (corners.length > MAX_CORNERS) return 'many-corners';
  if (!corners.every(isOnMap)) return 'off-the-map';
  const { south, west, north, east } = boxOf(area);
  if (distanceMetres({ lat: south, lon: west }, { lat: north, lon: west }) > MAX_SPAN_METRES)
    return 'too-large';
  // The width is also checked in degrees, because an area across the date line seems as wide as the earth.
  if (
    east - west > 10 ||
    distanceMetres({ lat: south, lon: west }, { lat: south, lon: east }) > MAX_SPAN_METRES
  )
    return 'too-large';
  if (crossesItself(flat(corners, corners[0] as Position))) return 'crosses-itself';
  return areaSquareMetres(area) >= 1 ? undefined : 'no-surface';
}

const isOnMap = ({ lat, lon }: Position): boolean =>
  Math.abs(lat) <= MAX_FLAT_LATITUDE_DEGREES && Math.abs(lon) <= 180;

/** Metres east (x) and north (y) of an origin, by an equirectangular projection at the origin's latitude. */
type Point = { readonly x: number; readonly y: number };

const RADIAN = Math.PI / 180;

function flatten({ lat, lon }: Position, origin: Position): Point {
  const x = (lon - origin.lon) * RADIAN * Math.cos(origin.lat * RADIAN) * EARTH_RADIUS_METRES;
  return { x, y: (lat - origin.lat) * RADIAN * EARTH_RADIUS_METRES };
}

const flat = (positions: readonly Position[], origin: Position): Point[] =>
  positions.map((position) => flatten(position, origin));

const sidesOf = (points: readonly Point[]): [Point, Point][] =>
  points.map((point, n) => [point, points[(n + 1) % points.length] as Point]);

export function areaSquareMetres(area: Area): number {
  if ('centre' in area) return Math.PI * area.radiusMetres ** 2;
  const sides = sidesOf(flat(area.corners, area.corners[0] as Position));
  return Math.abs(sides.reduce((sum, [a, b]) => sum + a.x * b.y - b.x * a.y, 0)) / 2;
}

/**
 * Sorts things by the size of their area in whole m2, because the smallest area wins where areas overlap. Things of the same size keep
 * their order.
 */
export const sortBySmallestArea = <Thing extends { readonly area: Area }>(all: readonly Thing[]): Thing[] =>
  all
    .map((thing) => ({ thing, size: Math.round(areaSquareMetres(thing.area)) }))
    .sort((a, b) => a.size - b.size)
    .map(({ thing }) => thing);

export function boxOf(area: Area): Box {
  if ('centre' in area) {
    const lat = area.radiusMetres / EARTH_RADIUS_METRES / RADIAN;
    const lon = lat / Math.cos(area.centre.lat * RADIAN);
    return {
      south: area.centre.lat - lat,
      west: area.centre.lon - lon,
      north: area.centre.lat + lat,
      east: area.centre.lon + lon,
    };
  }
  const lats = area.corners.map(({ lat }) => lat);
  const lons = area.corners.map(({ lon }) => lon);
  return {
    south: Math.min(...lats),
    west: Math.min(...lons),
    north: Math.max(...lats),
    east: Math.max(...lons),
  };
}

/**
 * Returns the distance of a position from the edge of an area, m; negative inside the area. The distance from a
 * circle is measured along the great circle, the distance from a polygon in the flat projection at the position.
 */
export function signedDistanceMetres(area: Area, position: Position): number {
  if ('centre' in area) return distanceMetres(area.centre, position) - area.radiusMetres;
  const sides = sidesOf(flat(area.corners, position));
  const metres = Math.sqrt(Math.min(...sides.map(([a, b]) => squareToSide(a, b))));
  return isInside(sides) ? -metres : metres;
}

/** Returns whether the origin lies in the polygon: a ray to the east crosses its sides an odd number of times. */
function isInside(sides: readonly (readonly [Point, Point])[]): boolean {
  let inside = false;
  for (const [a, b] of sides) {
    if (a.y > 0 === b.y > 0) continue;
    if (a.x + ((b.x - a.x) * -a.y) / (b.y - a.y) > 0) inside = !inside;
  }
  return inside;
}

/** Returns the squared distance of the origin to a side. */
function squareToSide(a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(a.x * dx + a.y * dy) / length));
  return (a.x + along * dx) ** 2 + (a.y + along * dy) ** 2;
}

/** Returns whether two sides that are not neighbours touch, or two neighbours overlap. */
function crossesItself(points: readonly Point[]): boolean {
  const sides = sidesOf(points);
  return sides.some(([a, b], n) =>
    sides.some(([c, d], m) => {
      if (m <= n) return false;
      if (m === n + 1) return liesOn(b, a, d);
      if (n === 0 && m === sides.length - 1) return liesOn(a, b, c);
      return meet(a, b, c, d);
    }),
  );
}

/** Returns whether the two sides at a corner have the same direction. */
const liesOn = (corner: Point, a: Point, b: Point): boolean =>
  turn(corner, a, b) === 0 && (a.x - corner.x) * (b.x - corner.x) + (a.y - corner.y) * (b.y - corner.y) > 0;

/** Returns the direction in which a path from a over b to c turns: 1 left, -1 right, 0 straight on. */
const turn = (a: Point, b: Point, c: Point): number =>
  Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));

function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const turns = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (turns[0] !== turns[1] && turns[2] !== turns[3]) return true;
  return (
    (turns[0] === 0 && isBetween(a, b, c)) ||
    (turns[1] === 0 && isBetween(a, b, d)) ||
    (turns[2] === 0 && isBetween(c, d, a)) ||
    (turns[3] === 0 && isBetween(c, d, b))
  );
}

const isBetween = (a: Point, b: Point, p: Point): boolean =>
  Math.min(a.x, b.x) <= p.x &&
  p.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= p.y &&
  p.y <= Math.max(a.y, b.y);
