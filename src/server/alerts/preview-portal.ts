import type { Database } from '#server/platform/database.ts';
import { EVALUATIONS } from '#shared/domain/alerts/evaluations.ts';
import type { PortalFactKind } from '#shared/domain/alerts/kinds/kind.ts';
import { ALERT_KINDS, type OperatorAlertKind } from '#shared/domain/alerts/kinds.ts';
import { HEALTHY_PORTAL, type UnknownKey } from '#shared/domain/alerts/portal-state.ts';
import type { ActiveRule } from './active-rules.store.ts';
import type { PreviewedAlert } from './past-machine-state.ts';

/** Finds the alerts that rules about the portal itself would have raised, as far as the database contains the portal's past state. */

const DAY_MS = 86_400_000;

export type PreviewedPortalAlert = PreviewedAlert & { readonly subject: string };
type Find = (
  db: Database,
  rule: ActiveRule,
  kind: OperatorAlertKind,
  now: number,
) => Promise<PreviewedPortalAlert[]>;

/** Returns the alerts since the rule's `validFrom`, in order of time; undefined if the past state is not known. */
export const findPortalAlerts = (
  db: Database,
  rule: ActiveRule,
  kind: OperatorAlertKind,
  now: number,
): Promise<PreviewedPortalAlert[] | undefined> =>
  FINDERS[ALERT_KINDS[kind].needs]?.(db, rule, kind, now) ?? Promise.resolve(undefined);

const FINDERS: Readonly<Partial<Record<PortalFactKind, Find>>> = {
  'unknown-keys': findKeys,
  quarantined: findQuarantines,
};

/** Returns an alert for each unknown access key, at the time at which the key was first seen. */
async function findKeys(
  db: Database,
  { settings, validFrom }: ActiveRule,
  kind: OperatorAlertKind,
  now: number,
): Promise<PreviewedPortalAlert[]> {
  const { rows } = await db.query<UnknownKey & { lastSeen: number }>(
    `select access_key, extract(epoch from first_seen_at)::float8 * 1000 as first_seen,
       extract(epoch from last_seen_at)::float8 * 1000 as last_seen, count::float8 as count
     from unknown_key where first_seen_at > $1 order by first_seen_at`,
    [new Date(validFrom)],
  );
  return rows.flatMap((key) => {
    const until = key.lastSeen + DAY_MS;
    const unknownKeys = [key];
    return EVALUATIONS[kind]
      .evaluate({ ...HEALTHY_PORTAL, unknownKeys }, settings, key.firstSeen, NONE)
      .map((found) => ({
        ...found,
        ...(until <= now && { until }),
      }));
  });
}

/** Evaluates the quarantined deliveries that are kept: the last 100 per logger. */
async function findQuarantines(
  db: Database,
  { settings, validFrom }: ActiveRule,
  kind: OperatorAlertKind,
  now: number,
): Promise<PreviewedPortalAlert[]> {
  const { rows } = await db.query<{ time: number; loggerSerial: string }>(
    `select extract(epoch from received_at)::float8 * 1000 as time, logger_serial from quarantine
     where received_at > $1 and received_at <= $2 order by received_at`,
    [new Date(validFrom - DAY_MS), new Date(now)],
  );
  // The number of quarantined deliveries changes when a delivery arrives and when it is a day old.
  const changes = rows
    .flatMap(({ time, loggerSerial }) => [
      { time, loggerSerial, by: 1 },
      { time: time + DAY_MS, loggerSerial, by: -1 },
    ])
    .filter(({ time }) => time <= now)
    .sort((a, b) => a.time - b.time);
  const counts = new Map<string, number>();
  const alerts: PreviewedPortalAlert[] = [];
  let open: PreviewedPortalAlert | undefined;
  for (const { time, loggerSerial, by } of changes) {
    counts.set(loggerSerial, (counts.get(loggerSerial) ?? 0) + by);
    const quarantined = [...counts].map(([serial, count]) => ({ loggerSerial: serial, count }));
    const isOpen = open ? OPEN : NONE;
    const [found] = EVALUATIONS[kind].evaluate({ ...HEALTHY_PORTAL, quarantined }, settings, time, isOpen);
    if (open && !found) alerts.push({ ...open, until: time });
    open = found && (open ?? found);
  }
  return [...alerts, ...(open ? [open] : [])].filter(({ at }) => at > validFrom);
}

const NONE: ReadonlySet<string> = new Set();
const OPEN: ReadonlySet<string> = new Set(['']);
