/** Groups machines into bubbles (cluster markers), so that at every zoom the markers are far enough apart for fingers. */
import type { Position } from '#shared/domain/position.ts';
import { EARTH_PX, type MercatorPoint, toMercator, toPosition } from './mercator.ts';

/** Number of machines from which the index runs in a worker (MAP-13; docs/design.md section 10). */
export const MIN_MARKERS_FOR_WORKER = 200;
/**
 * Minimum distance between markers on the screen, horizontally or vertically: more than the width of the widest bubble plus
 * its shift, so that a finger hits one marker only.
 */
const APART_PX = 64;
/** Maximum shift of a bubble from its first machine towards the mean of all its machines. */
const LEAN_PX = 6;

/** The edges of a part of the map, in degrees. */
export type Bounds = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** The machine at index `at` of the list. */
export type MachineSpot = { readonly kind: 'machine'; readonly at: number };

export type ClusterSpot = Position & {
  readonly kind: 'cluster';
  readonly count: number;
  /** Lowest index of the bubble's machines, which identifies the bubble while its machines stay together. */
  readonly first: number;
  /** Indexes of the bubble's machines, `first` included. */
  readonly members: readonly number[];
  /** Lowest zoom level at which the bubble splits; undefined if its machines are at one spot. */
  readonly expandsAt: number | undefined;
};

export type MarkerSpot = MachineSpot | ClusterSpot;

export type MarkerIndex = {
  /**
   * Returns the spots to draw at a whole zoom level: all spots if there are fewer than MIN_MARKERS_FOR_WORKER machines,
   * else the spots in `bounds`.
   */
  readonly spotsIn: (bounds: Bounds, zoom: number) => MarkerSpot[];
};

const apart = (a: MercatorPoint, b: MercatorPoint): number =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
const pxAt = (px: number, zoom: number): number => px / (EARTH_PX * 2 ** zoom);

/** Returns the indexes of the places that share a bubble with `spot` even at `maxZoom`. */
export function indexesAtSameSpot(places: readonly Position[], spot: Position, maxZoom: number): number[] {
  const reach = pxAt(APART_PX, maxZoom);
  const middle = toMercator(spot);
  return places.flatMap((place, at) => (apart(toMercator(place), middle) < reach ? at : []));
}

/**
 * Creates the index. It groups the machines for a zoom level when that level is first used, in some 10 ms for 10,000 machines.
 * @param maxZoom deepest zoom of the map
 */
export function markerIndex(places: readonly Position[], maxZoom: number): MarkerIndex {
  const points = places.map(toMercator);
  const levels = new Map<number, readonly MarkerSpot[]>();

  function spotsAt(zoom: number): readonly MarkerSpot[] {
    const known = levels.get(zoom);
    if (known) return known;
    const spots = groupsOf(points, pxAt(APART_PX, zoom)).map((members) =>
      spotOf(members, points, zoom, maxZoom),
    );
    levels.set(zoom, spots);
    return spots;
  }

  return {
    spotsIn({ west, south, east, north }, zoom) {
      const spots = spotsAt(zoom);
      if (places.length < MIN_MARKERS_FOR_WORKER) return [...spots];
      return spots.filter((spot) => {
        const { lat, lon } = spot.kind === 'cluster' ? spot : places[spot.at]!;
        return lat >= south && lat <= north && lon >= west && lon <= east;
      });
    },
  };
}

/**
 * Groups points. Each point in turn joins the nearest group whose first point is less than `reach` away; if there is
 * none, it starts a group. As a result, the first points are at least `reach` apart, and small movements change the
 * groups little.
 */
function groupsOf(points: readonly MercatorPoint[], reach: number): number[][] {
  const groups: number[][] = [];
  /** Groups by squares with sides of `reach`, each of which can hold one first point. */
  const bySquare = new Map<number, number[]>();
  const across = Math.ceil(1 / reach) + 3;
  points.forEach((point, at) => {
    const square = (Math.floor(point.y / reach) + 1) * across + Math.floor(point.x / reach) + 1;
    let nearest: number[] | undefined;
    let least = reach;
    for (let row = -across; row <= across; row += across) {
      for (let column = -1; column <= 1; column++) {
        const group = bySquare.get(square + row + column);
        if (!group) continue;
        const far = apart(points[group[0]!]!, point);
        if (far >= least) continue;
        least = far;
        nearest = group;
      }
    }
    if (nearest) nearest.push(at);
    else {
      const group = [at];
      bySquare.set(square, group);
      groups.push(group);
    }
  });
  return groups;
}

function spotOf(
  members: readonly number[],
  points: readonly MercatorPoint[],
  zoom: number,
  maxZoom: number,
): MarkerSpot {
  const [first = 0] = members;
  if (members.length === 1) return { kind: 'machine', at: first };
  const middle = points[first]!;
  let [spread, x, y] = [0, 0, 0];
  for (const at of members) {
    const point = points[at]!;
    spread = Math.max(spread, apart(point, middle));
    x += point.x;
    y += point.y;
  }
  const most = pxAt(LEAN_PX, zoom);
  const leaning = (mean: number, from: number): number => from + Math.min(most, Math.max(-most, mean - from));
  // The zoom at which the farthest machine is APART_PX away from the first.
  const expandsAt = Math.ceil(Math.log2(pxAt(APART_PX, 0) / spread));
  return {
    ...toPosition({ x: leaning(x / members.length, middle.x), y: leaning(y / members.length, middle.y) }),
    kind: 'cluster',
    count: members.length,
    first,
    members,
    expandsAt: expandsAt > maxZoom ? undefined : expandsAt,
  };
}
