/**
 * Thins a path so that it looks the same (MDET-12). Keeps the ends of the path and of its stops first. Then adds, one by one, the point
 * that lies farthest from the path through the points kept so far (Douglas-Peucker). The distance is to a segment and not to its line, so
 * that a drive out and back along one road keeps its turning point. If the limit then allows more points, adds points spread over time, so
 * that the time slider has a point near any time.
 */
import { EARTH_RADIUS_METRES } from './distance.ts';
import { type FlatPath, splitByDeviation, splitByTime } from './path-splitting.ts';
import type { Position } from './position.ts';

/** `ms` since 1970. */
export type TimedPosition = Position & { readonly ms: number };

/** A stop lasts at least this long. */
const STOP_MS = 2 * 60_000;
/** During a stop all points lie within this distance of where it began. */
const STOP_METRES = 20;

/** Indexes of the first and the last point, both included. */
type Stop = { readonly first: number; readonly last: number };

/**
 * Returns the points that stay, at most `limit`, in order.
 * @param points in order of time
 * @param limit at least 2
 */
export function thinPath<P extends TimedPosition>(points: readonly P[], limit: number): readonly P[] {
  if (points.length <= limit) return points;
  const plane = planeOf(points);
  const anchors = [...anchorsOf(plane, limit)].sort((a, b) => a - b);
  const shaped = splitByDeviation(plane, anchors, limit);
  const kept = splitByTime(plane, shaped, limit);
  return kept.map((index) => points[index] as P);
}

/** Returns the stops of a path, in order. */
export const stopsOf = (points: readonly TimedPosition[]): Stop[] => stopsIn(planeOf(points));

function planeOf(points: readonly TimedPosition[]): FlatPath {
  const metresPerDegree = (Math.PI * EARTH_RADIUS_METRES) / 180;
  const { lat = 0, lon = 0 } = points[0] ?? {};
  const shrink = Math.cos((lat * Math.PI) / 180);
  return {
    x: Float64Array.from(points, (point) => (point.lon - lon) * shrink * metresPerDegree),
    y: Float64Array.from(points, (point) => (point.lat - lat) * metresPerDegree),
    ms: Float64Array.from(points, ({ ms }) => ms),
  };
}

function stopsIn({ x, y, ms }: FlatPath): Stop[] {
  const stops: Stop[] = [];
  for (let first = 0; first < ms.length; first++) {
    let last = first;
    while (
      last + 1 < ms.length &&
      Math.hypot(at(x, last + 1) - at(x, first), at(y, last + 1) - at(y, first)) <= STOP_METRES
    )
      last += 1;
    if (at(ms, last) - at(ms, first) < STOP_MS) continue;
    stops.push({ first, last });
    first = last;
  }
  return stops;
}

/** Returns the indexes of the path's ends and of its stops' ends, the longest stops first, up to half of the limit. */
function anchorsOf(plane: FlatPath, limit: number): Set<number> {
  const longestFirst = stopsIn(plane).sort(
    (a, b) => lengthOf(plane, b) - lengthOf(plane, a) || a.first - b.first,
  );
  const anchors = new Set([0, plane.ms.length - 1]);
  for (const { first, last } of longestFirst) {
    if (anchors.size + 2 > Math.max(2, limit / 2)) break;
    anchors.add(first).add(last);
  }
  return anchors;
}

const lengthOf = ({ ms }: FlatPath, { first, last }: Stop): number => at(ms, last) - at(ms, first);
const at = (values: Float64Array, index: number): number => values[index] as number;
