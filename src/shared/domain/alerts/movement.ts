/** The rule for alerts that say where a machine was, or when it moved (docs/privacy.md, decision 56). */
import type { Scope } from '../access.ts';
import { firstWorkingTime, isWorkingTime } from '../privacy.ts';
import type { AlertKind } from './kinds.ts';

/** Kinds whose content is a movement: they tell a time of a route. */
export const MOVEMENT_KINDS = ['moved', 'arrived', 'left'] as const satisfies readonly AlertKind[];

export const isMovement = (kind: AlertKind): boolean => MOVEMENT_KINDS.some((one) => one === kind);

/** Milliseconds since 1970. */
type Times = { readonly since: number; readonly at: number; readonly until?: number | undefined };

/**
 * Returns the movement as the scope may see it; undefined: not at all. A movement takes the right to see routes, and lies inside the
 * hours whose positions the scope sees; an end outside them is known from the first moment inside them that follows.
 * server/alerts/seen-alerts.ts says the same in SQL.
 * @param now ms
 */
export function movementSeen<Seen extends Times>(
  { actions, positionHours }: Pick<Scope, 'actions' | 'positionHours'>,
  movement: Seen,
  now: number,
): Seen | undefined {
  if (!actions.has('see-routes')) return undefined;
  if (!positionHours) return movement;
  const { since, at, until } = movement;
  if (!isWorkingTime(positionHours, since) || !isWorkingTime(positionHours, at)) return undefined;
  return until === undefined ? movement : { ...movement, until: firstWorkingTime(positionHours, until, now) };
}
