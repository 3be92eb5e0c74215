/** Finds the stops of a machine on its route. */
import { dateAndTime, hoursText } from '#shared/domain/nl.ts';
import { stopsOf } from '#shared/domain/path-thinning.ts';
import type { RoutePoint } from './history-queries.ts';

/** A stop that is shorter than this is not listed, because it is part of the work. */
const MIN_STOP_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;

export type RouteStop = {
  /** Index of the stop's first point on the route. */
  readonly index: number;
  readonly lat: number;
  readonly lon: number;
  /** Unix ms, like `to`. */
  readonly from: number;
  readonly to: number;
};

/** Returns the stops of 5 minutes and longer, in order (docs/figures.md section 6). */
export const routeStops = (points: readonly RoutePoint[]): RouteStop[] =>
  stopsOf(points)
    .map(({ first, last }) => {
      const { lat, lon, ms } = points[first] as RoutePoint;
      return { index: first, lat, lon, from: ms, to: (points[last] as RoutePoint).ms };
    })
    .filter(({ from, to }) => to - from >= MIN_STOP_MS);

export const stopDurationText = ({ from, to }: RouteStop): string => hoursText((to - from) / HOUR_MS);

/** Returns for example '23-11-26, 08:00 tot 08:25'. */
export function stopTimesText({ from, to }: RouteStop): string {
  const [begin, end] = [dateAndTime(from), dateAndTime(to)];
  return `${begin} tot ${begin.slice(0, 10) === end.slice(0, 10) ? end.slice(10) : end}`;
}

/** Returns for example '3 stops, samen 1 u 5 min'. */
export function stopsText(stops: readonly RouteStop[]): string {
  if (stops.length === 0) return 'geen stops van 5 min of langer';
  const ms = stops.reduce((sum, { from, to }) => sum + to - from, 0);
  const together = hoursText(ms / HOUR_MS);
  return stops.length === 1 ? `1 stop van ${together}` : `${stops.length} stops, samen ${together}`;
}
