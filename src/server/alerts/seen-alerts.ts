import { positionHoursIn } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { AlertKind } from '#shared/domain/alerts/kinds.ts';
import { MOVEMENT_KINDS } from '#shared/domain/alerts/movement.ts';

/**
 * SQL for the part of alert `x` of rule `r` that a scope may see. Movements follow shared/domain/alerts/movement.ts. Other alerts of a
 * rule for machines on projects or terreinen reveal where the machine is, so the scope sees them inside its hours only.
 */
export type SeenAlerts = {
  /** The condition for seeing the alert. */
  readonly isSeen: string;
  /** When the alert was over, as far as the scope may know by now; null: open. */
  readonly until: string;
};

/** ms; alerts that ended are kept for 400 days. */
const LONGEST_MS = 450 * 86_400_000;

const MOVES = `x.kind in (${MOVEMENT_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
const TELLS_PLACE = `(${MOVES} or r.machines in ('projects', 'terreinen'))`;

/** @param routes @param hours parameters: the values of seenAlertsBy */
export function seenAlerts(routes: `$${number}`, hours: `$${number}`): SeenAlerts {
  const range = `${hours}::tstzmultirange`;
  const isInside = `${range} @> x.since and ${range} @> x.at and (${MOVES} or ${range} @> x.made_at)`;
  return {
    isSeen: `((${routes}::boolean or not ${MOVES}) and (${range} is null or not ${TELLS_PLACE} or ${isInside}))`,
    until: `(case when ${range} is null or not ${TELLS_PLACE} then x.until else (
      select greatest(x.until, lower(h)) from unnest(${range}) as h where upper(h) > x.until order by lower(h) limit 1) end)`,
  };
}

/** @param now ms */
export const seenAlertsBy = (scope: Scope, now: number): [routes: boolean, hours: string | null] => [
  scope.actions.has('see-routes'),
  positionHoursIn(scope, { from: now - LONGEST_MS, to: now + 1 }),
];

/** Kinds whose texts name projects, or contain all running hours of the machine. */
const NOT_FOR_LIMITED: readonly AlertKind[] = ['arrived', 'left', 'maintenance'];

/**
 * Returns the SQL condition, of alert `x` and the machine `s` that the scope sees, for alerts that a limited person may see: of one
 * machine, and from when the machine is seen on.
 */
export const isInLimit = ({ limited }: Scope): string =>
  /*rule:limited-alerts*/ limited /*=false*/
    ? `(s.id is not null and s.owned_since <= x.since and x.kind not in (${NOT_FOR_LIMITED.map((kind) => `'${kind}'`).join(', ')}))`
    : 'true';
