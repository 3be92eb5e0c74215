/** Which machines share a bubble: at every zoom markers are as far apart as fingers need them. */
import type { Position } from '#shared/domain/position.ts';
import { EARTH_PX, type OnEarth, onEarth, toPosition } from './mercator.ts';

/** From this many machines on the index lives in a worker (MAP-13; docs/design.md section 10). */
export const WORKER_FROM = 200;
/**
 * px on the screen. What is drawn lies at least this far apart, across or upright: more than the widest bubble and what
 * it leans, so that no two of them can be hit at once.
 */
const APART_PX = 64;
/** px; a bubble leans this far at most from the first of its machines towards the middle of them all. */
const LEAN_PX = 6;

/** Degrees. */
export type Bounds = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** Machine `at` in the list the index was made of. */
export type MachineSpot = { readonly kind: 'machine'; readonly at: number };

export type ClusterSpot = Position & {
  readonly kind: 'cluster';
  readonly count: number;
  /** The lowest `at` in the bubble: its name as long as its machines stay together. */
  readonly first: number;
  /** Every `at` in it, `first` included. */
  readonly members: readonly number[];
  /** The lowest zoom level at which it falls apart; undefined: it never does, its machines stand at one spot. */
  readonly expandsAt: number | undefined;
};

export type Spot = MachineSpot | ClusterSpot;

export type MarkerIndex = {
  /** What to draw at a whole zoom level: below WORKER_FROM all of it, else what is in `bounds`. */
  readonly spotsIn: (bounds: Bounds, zoom: number) => Spot[];
};

const apart = (a: OnEarth, b: OnEarth): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
const pxAt = (px: number, zoom: number): number => px / (EARTH_PX * 2 ** zoom);

/**
 * Which of `places` no zoom up to `maxZoom` tells apart from `spot`: a list of them is what remains.
 * @returns their turns in `places`
 */
export function atOneSpot(places: readonly Position[], spot: Position, maxZoom: number): number[] {
  const reach = pxAt(APART_PX, maxZoom);
  const middle = onEarth(spot);
  return places.flatMap((place, at) => (apart(onEarth(place), middle) < reach ? at : []));
}

/**
 * Which markers to draw where. A zoom level is counted when it is first asked for: 10,000 machines take some 10 ms.
 *
 * @param maxZoom The deepest zoom of the map.
 */
export function markerIndex(places: readonly Position[], maxZoom: number): MarkerIndex {
  const points = places.map(onEarth);
  const levels = new Map<number, readonly Spot[]>();

  function spotsAt(zoom: number): readonly Spot[] {
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
      if (places.length < WORKER_FROM) return [...spots];
      return spots.filter((spot) => {
        const { lat, lon } = spot.kind === 'cluster' ? spot : places[spot.at]!;
        return lat >= south && lat <= north && lon >= west && lon <= east;
      });
    },
  };
}

/**
 * In their order each point joins the nearest group whose first point is less than `reach` away, else it is the first of a
 * group of its own. So the first points are `reach` or more apart, and what moves a little changes little.
 */
function groupsOf(points: readonly OnEarth[], reach: number): number[][] {
  const groups: number[][] = [];
  /** By square with sides of `reach`: there is room for one first point in each. */
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

function spotOf(members: readonly number[], points: readonly OnEarth[], zoom: number, maxZoom: number): Spot {
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
  // From the zoom on at which the farthest is APART_PX away.
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
