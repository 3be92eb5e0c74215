import type { Caller } from '#server/auth/sessions.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { SUBSCRIPTION_ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';
import { visibleAlertsParameters, visibleAlertsSql } from './seen-alerts.ts';

/** Stored rules, and who may see them. */

export type RuleFields = Pick<
  AlertRule,
  'ruleName' | 'kind' | 'settings' | 'hours' | 'severity' | 'roles' | 'tellsEnd' | 'isOn'
> & {
  readonly machines: AlertRule['machines']['by'];
  /** Ids of labels, projects, terreinen or streams. */
  readonly ids: readonly number[];
  /** Ids of accounts. */
  readonly accounts: readonly number[];
};

export type StoredRule = RuleFields & {
  readonly id: number;
  readonly organizationId: number;
  /** Account of the person whose own rule it is; null: a rule of the organization. */
  readonly accountId: number | null;
};

/**
 * SQL condition on rule `r`; $1: the organizations whose rules the caller manages (null: all), $2: the caller's account, $3: the caller's
 * organization.
 */
const MANAGED = `(r.account_id = $2 and r.organization_id = $3
  or r.account_id is null and ($1::integer[] is null or /*rule:rules-scope*/ r.organization_id = any ($1) /*=true*/))`;

/** Returns the parameters of MANAGED. A caller without the right to manage rules manages only their own rules. */
const managedBy = ({ scope, accountId, organizationId }: Caller) =>
  [
    scope.actions.has('manage-alerts') ? organizationsParameter(scope) : [],
    accountId,
    organizationId,
  ] as const;

const { isSeen, until: UNTIL } = visibleAlertsSql('$5', '$6');

/**
 * Returns the rules that the caller may see, without subscriptions to machines that the caller no longer sees.
 * @param now ms
 */
export async function listRules(db: Database, caller: Caller, now: number): Promise<AlertRule[]> {
  const { rows } = await db.query<AlertRule>(
    `select r.id as _id, r.name as rule_name, r.kind, r.settings, r.hours, r.severity, r.roles, r.tells_end,
       r.is_on, o.name as organization, o.clean as cleanorg, r.account_id is not null as is_own,
       array(select a.email from account a where a.id = any (r.accounts) and a.organization_id = r.organization_id order by a.email) as people,
       case r.machines when 'all' then json_build_object('by', 'all')
         when 'chosen' then json_build_object('by', 'chosen', 'serials', serials)
         else json_build_object('by', r.machines, 'ids', array(
           select id from label l where r.machines = 'labels' and l.id = any (r.ids) and l.organization_id = r.organization_id
           union all
           select id from project p where r.machines = 'projects' and p.id = any (r.ids) and p.organization_id = r.organization_id
             and p.deleted_at is null
           union all
           select id from terrein t where r.machines = 'terreinen' and t.id = any (r.ids) and t.organization_id = r.organization_id
             and t.deleted_at is null)) end as machines,
       (select count(*)::int from alert x where x.rule_id = r.id and ${UNTIL} is null and x.withdrawn_at is null
         and ${isSeen}) as open
     from (select r.*, array(
         select s.serial from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
         where r.machines = 'chosen' and s.id = any (r.ids) and s.deleted_at is null
           and (w.organization_id = r.organization_id or r.kind = any ($7) and $4)
         order by s.serial) as serials from alert_rule r) as r join organization o on o.id = r.organization_id
     where ${MANAGED} and (r.kind <> all ($7) or cardinality(serials) > 0)
     order by lower(r.name), serials, r.id`,
    [
      ...managedBy(caller),
      caller.scope.organizations === 'all',
      ...visibleAlertsParameters(caller.scope, now),
      SUBSCRIPTION_ALERT_KINDS,
    ],
  );
  return rows;
}

/**
 * Locks a rule until the transaction ends.
 * @throws ProblemError 404 there is none, or the caller may not change it
 */
export async function lockRule(client: Transaction, caller: Caller, id: number): Promise<StoredRule> {
  const { rows } = await client.query<StoredRule>(
    `select r.id, r.organization_id, r.account_id, r.name as rule_name, r.kind, r.settings,
       r.hours, r.machines, r.ids, r.severity, r.accounts, r.roles, r.tells_end, r.is_on
     from alert_rule r where r.id = $4 and ${MANAGED} for update`,
    [...managedBy(caller), id],
  );
  if (!rows[0]) throw notFound('Deze regel bestaat niet.');
  return rows[0];
}

export async function countRules(
  db: Database,
  organizationId: number,
  accountId: number | null,
): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from alert_rule where organization_id = $1 and account_id is not distinct from $2 and kind <> all ($3)`,
    [organizationId, accountId, SUBSCRIPTION_ALERT_KINDS],
  );
  return rows[0]?.n ?? 0;
}

const values = (rule: RuleFields) => [
  rule.ruleName,
  rule.kind,
  JSON.stringify(rule.settings),
  rule.hours,
  rule.machines,
  rule.ids,
  rule.severity,
  rule.accounts,
  rule.roles,
  rule.tellsEnd,
  rule.isOn,
];

/**
 * Adds a rule.
 * @param now the rule ignores earlier readings
 * @returns its id
 */
export async function addRule(
  db: Database,
  organizationId: number,
  accountId: number | null,
  rule: RuleFields,
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into alert_rule (organization_id, account_id, name, kind, settings, hours, machines, ids, severity, accounts, roles,
       tells_end, is_on, valid_from)
     values ($1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $3) returning id`,
    [organizationId, accountId, now, ...values(rule)],
  );
  return rows[0]?.id as number;
}

/**
 * Changes a rule.
 * @param changesCondition if true, the rule gets a new version that is valid from `now`, and its open alerts end
 */
export async function changeRule(
  db: Database,
  id: number,
  rule: RuleFields,
  changesCondition: boolean,
  now: Date,
): Promise<void> {
  await db.query(
    `update alert_rule set name = $4, kind = $5, settings = $6, hours = $7, machines = $8, ids = $9, severity = $10, accounts = $11,
       roles = $12, tells_end = $13, is_on = $14, version = version + $2::boolean::int, valid_from = case when $2 then $3 else valid_from end
     where id = $1`,
    [id, changesCondition, now, ...values(rule)],
  );
  if (!changesCondition) return;
  await db.query(
    `delete from alert_outbox b using alert x where x.id = b.alert_id and x.rule_id = $1 and b.message_id is null`,
    [id],
  );
  await db.query(
    'update alert set until = $2 where rule_id = $1 and until is null and withdrawn_at is null',
    [id, now],
  );
}

export const removeRule = (db: Database, id: number) =>
  db.query('delete from alert_rule where id = $1', [id]);
