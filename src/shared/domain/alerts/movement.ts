/** The rule for alerts that say where a machine was, or when it moved (docs/privacy.md, decision 56). */
import type { Scope } from '../access.ts';
import { firstMomentInWorkingHours, isWorkingTime } from '../privacy.ts';
import { type AlertKind, alertKindsWith, kindDefinition } from './kinds.ts';

/** Kinds of alert about a movement; such an alert reveals when a machine travelled. */
export const MOVEMENT_KINDS = alertKindsWith(({ isMovement }) => isMovement);

export const isMovementKind = (kind: AlertKind): boolean => kindDefinition(kind).isMovement === true;

/** Times in ms. */
type Times = { readonly since: number; readonly at: number; readonly until?: number | undefined };

/**
 * Returns the movement as the scope may see it; undefined: the scope may not see it. The scope must have the right to see routes, and
 * `since` and `at` must lie inside the hours whose positions the scope sees. An end (`until`) outside these hours is replaced by the
 * next time inside them. server/alerts/seen-alerts.ts applies the same rule in SQL.
 * @param now ms
 */
export function visibleMovement<Seen extends Times>(
  { actions, positionHours }: Pick<Scope, 'actions' | 'positionHours'>,
  movement: Seen,
  now: number,
): Seen | undefined {
  if (!actions.has('see-routes')) return undefined;
  if (!positionHours) return movement;
  const { since, at, until } = movement;
  if (!isWorkingTime(positionHours, since) || !isWorkingTime(positionHours, at)) return undefined;
  return until === undefined
    ? movement
    : { ...movement, until: firstMomentInWorkingHours(positionHours, until, now) };
}
