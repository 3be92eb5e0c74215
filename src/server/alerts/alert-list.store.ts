import type { Caller } from '#server/auth/sessions.ts';
import { nearestContacts } from '#server/contacts/nearest.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { currentAccountJsonSql } from '#server/platform/people.ts';
import { notFound } from '#server/platform/problem.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { Alert, Alerts } from '#shared/contract/alerts.ts';
import type { Scope } from '#shared/domain/access.ts';
import { alertText } from '#shared/domain/alerts/evaluations.ts';
import type { AlertFigures } from '#shared/domain/alerts/kinds/kind.ts';
import { showsPresentPosition, thresholdUnitOf } from '#shared/domain/alerts/kinds.ts';
import { type CurrentAccount, currentAccountSeenBy } from '#shared/domain/known-people.ts';
import { readPresentMoveTexts } from './present-moves.ts';
import { ALERT_FIGURES_SQL, ALERT_SUBJECT_SQL, IS_RECIPIENT_SQL } from './record-alerts.ts';
import { alertInAccessLimitSql, visibleAlertsParameters, visibleAlertsSql } from './seen-alerts.ts';

/** The alerts that a caller sees: about machines that the caller sees, by rules of the organization or of the caller. */

/** Maximum number of resolved alerts on one page. */
const MOST = 200;
/** Maximum number of open alerts on one page. */
const MAX_OPEN = 2_000;

const { isSeen, until: UNTIL } = visibleAlertsSql('$4', '$5');

/** Returns the SQL of the alerts that a caller sees. $1 to $5 are the values that `seen` returns; $3 is the caller's account. */
const visibleTo = (
  scope: Scope,
) => `alert x join alert_rule r on r.id = x.rule_id and (r.account_id is null or r.account_id = $3)
  join organization o on o.id = x.organization_id and ($2::integer[] is null or /*rule:alerts-scope*/ o.id = any ($2) /*=true*/)
  left join ${visibleStreamsSql(scope)} on s.id = x.stream_id and s.organization_id = x.organization_id and s.owned_since <= x.at
  where cardinality($1::text[]) > 0
    and /*rule:alerts-seen-machine*/ (x.stream_id is null or s.id is not null) /*=true*/ and ${alertInAccessLimitSql(scope)} and ${isSeen}`;

/** SQL condition of a new alert: it is open, the caller is a recipient of notifications about it, and has not seen it. */
const IS_NEW = `${UNTIL} is null and x.withdrawn_at is null and x.is_news
  and exists (select from account a where a.id = $3 and a.organization_id = r.organization_id and ${IS_RECIPIENT_SQL})
  and not exists (select from alert_seen n where n.alert_id = x.id and n.account_id = $3)`;

const seen = ({ scope, accountId }: Caller, now: number) =>
  [
    ...visibleStreamsParameters(scope, ['machine']),
    accountId,
    ...visibleAlertsParameters(scope, now),
  ] as const;

type Asked = {
  readonly state: 'firing' | 'resolved';
  readonly serial?: string | undefined;
  readonly alert?: string | undefined;
  readonly before?: string | undefined;
};

export async function listAlerts(
  db: Database,
  caller: Caller,
  { state, serial, alert, before }: Asked,
  now: number,
): Promise<Alerts> {
  const most = state === 'firing' ? MAX_OPEN : MOST;
  const { rows } = await db.query<Row>(
    `select x.id::text as _id, x.stream_id, x.organization_id, x.kind, x.severity, o.name as organization, o.clean as cleanorg, ${ALERT_FIGURES_SQL} as figures, x.value, x.threshold, x.since, x.at, ${UNTIL} as until,
       ${ALERT_SUBJECT_SQL} as subject,
       case when s.id is not null then json_build_object('serialNumber', s.serial, 'alias', s.alias) end as machine,
       json_build_object('_id', r.id, 'ruleName', r.name, 'isOwn', r.account_id is not null) as rule,
       case when x.withdrawn_at is not null then 'withdrawn' when ${UNTIL} is null then 'firing' else 'resolved' end as state, ${IS_NEW} as is_new,
       x.taken_at, ${currentAccountJsonSql('x.taken_by')} as taken_by
     from ${visibleTo(caller.scope)}
       and (${UNTIL} is null and x.withdrawn_at is null) = $6
       and ($7::text is null or lower(s.serial) = lower($7)) and ($8::bigint is null or x.id = $8)
       and ($9::bigint is null or (x.made_at, x.id) < (select x.made_at, x.id from ${visibleTo(caller.scope)} and x.id = $9))
     order by x.made_at desc, x.id desc limit $10`,
    [...seen(caller, now), state === 'firing', serial ?? null, alert ?? null, before ?? null, most + 1],
  );
  // The whole list of open alerts already contains the new ones. Counting the new ones with a query took seconds for a thousand alerts,
  // before the first ANALYZE of the table.
  const isWhole = state === 'firing' && !serial && !alert && !before && rows.length <= most;
  const fresh = isWhole ? rows.filter(({ isNew }) => isNew).length : await countFresh(db, caller, now);
  const isMoving = (row: Row): boolean => showsPresentPosition(row.kind) && row.state === 'firing';
  const moving = rows.filter(isMoving).flatMap(({ streamId }) => streamId ?? []);
  const moves = await readPresentMoveTexts(db, caller.scope, moving, now);
  const wordsOf = (row: Row): string =>
    (isMoving(row) ? moves.get(row.streamId ?? 0) : undefined) ?? alertText(row.kind, row.figures);
  const shown = rows.slice(0, most);
  const open = shown.flatMap(({ streamId, organizationId, until }) =>
    streamId !== null && until === null ? [{ streamId, organizationId }] : [],
  );
  const contacts = await nearestContacts(db, caller, open, now);
  const contactOf = ({ streamId, until }: Row) => (until === null && contacts.get(streamId ?? 0)) || null;
  return {
    alerts: shown.map((row) =>
      shownAlert(caller.scope, { ...row, words: wordsOf(row), contact: contactOf(row) }),
    ),
    hasMore: rows.length > most,
    fresh,
  };
}

/** Returns how many open alerts are new to the caller. */
async function countFresh(db: Database, caller: Caller, now: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from ${visibleTo(caller.scope)} and ${IS_NEW}`,
    [...seen(caller, now)],
  );
  return rows[0]?.n ?? 0;
}

const shownAlert = (
  scope: Scope,
  {
    since,
    at,
    until,
    takenAt,
    takenBy,
    streamId: _,
    organizationId: __,
    figures: ___,
    ...alert
  }: Row & Pick<Alert, 'contact' | 'words'>,
): Alert => ({
  ...alert,
  unit: alert.value === null ? null : thresholdUnitOf(alert.kind),
  since: since.toISOString(),
  at: at.toISOString(),
  until: until?.toISOString() ?? null,
  taken: takenAt && {
    by: currentAccountSeenBy(scope, takenBy)?.name ?? 'iemand die er niet meer is',
    at: takenAt.toISOString(),
  },
});

type Row = Omit<Alert, 'words' | 'unit' | 'since' | 'at' | 'until' | 'taken' | 'contact'> &
  Times & {
    readonly figures: AlertFigures;
    readonly streamId: number | null;
    readonly organizationId: number;
  };
type Times = {
  readonly since: Date;
  readonly at: Date;
  readonly until: Date | null;
  readonly takenAt: Date | null;
  readonly takenBy: CurrentAccount | null;
};

/** Marks alerts as seen by the caller; skips those that the caller does not see. Safe to repeat. */
export async function markAlertsSeen(
  db: Database,
  caller: Caller,
  alerts: readonly string[],
  now: number,
): Promise<void> {
  await db.query(
    `insert into alert_seen (alert_id, account_id)
     select v.id, still.id from (select x.id from ${visibleTo(caller.scope)} and x.id = any ($6::bigint[])) as v
       cross join (select id from account where id = $3 for key share) as still
     on conflict do nothing`,
    [...seen(caller, now), alerts],
  );
}

export type VisibleAlert = {
  readonly id: string;
  readonly ruleId: number;
  readonly ruleName: string;
  readonly organizationId: number;
  readonly streamId: number | null;
  readonly serial: string | null;
  readonly kind: Alert['kind'];
  readonly takenBy: number | null;
};

/**
 * Locks an alert that the caller sees until the transaction ends.
 * @throws ProblemError 404
 */
export async function lockAlert(
  client: Transaction,
  caller: Caller,
  id: string,
  now: number,
): Promise<VisibleAlert> {
  const { rows } = await client.query<VisibleAlert>(
    `select x.id::text as id, x.rule_id, r.name as rule_name, x.organization_id,
       x.stream_id, s.serial, x.kind, x.taken_by
     from ${visibleTo(caller.scope)} and x.id = $6 for no key update of x`,
    [...seen(caller, now), id],
  );
  if (!rows[0]) throw notFound('Deze melding bestaat niet.');
  return rows[0];
}
