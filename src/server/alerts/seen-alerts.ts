import { visiblePositionMultirange } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { alertKindsWith } from '#shared/domain/alerts/kinds.ts';
import { MOVEMENT_KINDS } from '#shared/domain/alerts/movement.ts';

/**
 * SQL of what a scope may see of alert `x` by rule `r`. Movement alerts follow shared/domain/alerts/movement.ts. Other alerts by a rule
 * for machines on projects or terreinen reveal where a machine is, so a scope with viewing hours sees them only inside these hours.
 */
export type VisibleAlertsSql = {
  /** Condition that the scope sees the alert. */
  readonly isSeen: string;
  /** When the alert ended, as far as the scope may know now; null: open. */
  readonly until: string;
};

/** Resolved alerts are kept for 400 days; this leaves a margin. */
const MAX_ALERT_AGE_MS = 450 * 86_400_000;

const MOVES = `x.kind in (${MOVEMENT_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
const SHOWS_PLACE = `(${MOVES} or r.machines in ('projects', 'terreinen'))`;

/**
 * Returns the SQL with these parameters.
 * @param routes first value of visibleAlertsParameters
 * @param hours second value of visibleAlertsParameters
 */
export function visibleAlertsSql(routes: `$${number}`, hours: `$${number}`): VisibleAlertsSql {
  const range = `${hours}::tstzmultirange`;
  const isInside = `${range} @> x.since and ${range} @> x.at and (${MOVES} or ${range} @> x.made_at)`;
  return {
    isSeen: `((${routes}::boolean or not ${MOVES}) and (${range} is null or not ${SHOWS_PLACE} or ${isInside}))`,
    until: `(case when ${range} is null or not ${SHOWS_PLACE} then x.until else (
      select greatest(x.until, lower(h)) from unnest(${range}) as h where upper(h) > x.until order by lower(h) limit 1) end)`,
  };
}

/**
 * Returns the parameter values of visibleAlertsSql.
 * @param now ms
 */
export const visibleAlertsParameters = (
  scope: Scope,
  now: number,
): [routes: boolean, hours: string | null] => [
  scope.actions.has('see-routes'),
  visiblePositionMultirange(scope, { from: now - MAX_ALERT_AGE_MS, to: now + 1 }),
];

/** Kinds whose texts name projects, or contain all running hours of the machine. */
const NOT_FOR_LIMITED = alertKindsWith(({ isNotForLimited }) => isNotForLimited);

/**
 * Returns the SQL condition on alert `x` and machine `s` for alerts that a limited person may see: those about one machine that began when
 * the person already saw it.
 */
export const alertInAccessLimitSql = ({ limited }: Scope): string =>
  /*rule:limited-alerts*/ limited /*=false*/
    ? `(s.id is not null and s.owned_since <= x.since and x.kind not in (${NOT_FOR_LIMITED.map((kind) => `'${kind}'`).join(', ')}))`
    : 'true';
