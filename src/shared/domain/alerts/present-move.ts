/** The text of an open alert 'moved outside working hours': how far and where the machine is now, and whether it drives or is carried. */
import { distanceMetres } from '../distance.ts';
import { isDriving } from '../figures.ts';
import { type LatestValue, MAX_SIGNAL_AGE_MS } from '../live-data.ts';
import { clockTime, formatDistance } from '../nl.ts';
import { type PlaceName, placePhrase } from '../place-text.ts';
import type { Position } from '../position.ts';

/** Distances at which people are notified again, once each per alert. */
export const NOTIFY_AGAIN_METRES = [1_000, 10_000] as const;

/** Returns the largest distance in NOTIFY_AGAIN_METRES that `metres` reaches; undefined: it reaches none. */
export const largestDistanceReached = (metres: number): number | undefined =>
  NOTIFY_AGAIN_METRES.findLast((limit) => metres >= limit);

export type PresentMove = {
  /** The place where the machine was left. */
  readonly left: Position;
  readonly position: Position & { readonly at: number };
  readonly place: PlaceName;
  readonly speed: LatestValue | undefined;
  readonly motorSpeed: LatestValue | undefined;
};

/** A lower speed is noise of the receiver. */
const MOVES_FROM_KMH = 3;

/**
 * Returns '12,4 km verplaatst, rijdt 45 km/u, 3 km van Amersfoort'. In a tunnel, where positions stop: '12,4 km verplaatst, om 22:14 nog
 * 3 km van Amersfoort'.
 * @param now ms
 */
export function presentMoveText(
  { left, position, place, speed, motorSpeed }: PresentMove,
  now: number,
): string {
  const moved = `${formatDistance(distanceMetres(left, position))} verplaatst`;
  const where = placePhrase(place);
  if (now - position.at > MAX_SIGNAL_AGE_MS) return `${moved}, om ${clockTime(position.at)} nog ${where}`;
  const freshValue = (latest: LatestValue | undefined): number | undefined =>
    latest && now - latest.time <= MAX_SIGNAL_AGE_MS ? latest.value : undefined;
  const kmh = freshValue(speed);
  if (kmh === undefined) return `${moved}, ${where}`;
  if (Math.abs(kmh) < MOVES_FROM_KMH) return `${moved}, staat stil, ${where}`;
  const how = isDriving(freshValue(motorSpeed), motorSpeed !== undefined, kmh) ? 'rijdt' : 'wordt vervoerd,';
  return `${moved}, ${how} ${Math.round(Math.abs(kmh))} km/u, ${where}`;
}
