import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#server/auth/sessions.ts';
import {
  lockExistingOrganization,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import { forbidden, invalidInputError, ProblemError } from '#server/platform/problem.ts';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { ADMIN_ROLES, CUSTOMER_ROLES, type Role } from '#shared/domain/access.ts';
import {
  isOperatorKind,
  isReadingKind,
  isSubscriptionAlertKind,
  kindDefinition,
  ruleHoursOfKind,
  settingErrors,
} from '#shared/domain/alerts/kinds.ts';
import { isMovementKind } from '#shared/domain/alerts/movement.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import { logEntryLines } from '#shared/domain/log-text.ts';
import { addCursors } from './cursors.store.ts';
import {
  addRule,
  changeRule,
  countRules,
  lockRule,
  type RuleFields,
  removeRule,
  type StoredRule,
} from './rules.store.ts';

/** Creates, changes and deletes rules, each with a row in the log. */

const MAX_RULES = 200;
const MAX_OWN_RULES = 20;

type Saved = Omit<AlertRule, '_id' | 'organization' | 'cleanorg' | 'open'> & {
  readonly _id?: number | undefined;
  readonly organization?: string | undefined;
};

/**
 * Creates or changes a rule.
 * @returns its id, and a message that says whether it is on or which values changed
 * @throws ProblemError 400 the rule contradicts itself, or names something that the organization does not have; 403 the caller may
 * not manage such rules; 404 the caller has no such rule; 409 there are too many rules
 */
export const saveRule = (pool: Pool, caller: Caller, saved: Saved, now: Date): Promise<SavedRule> =>
  inTransaction(pool, async (client) => {
    const before = saved._id === undefined ? undefined : await lockRule(client, caller, saved._id);
    if (isSubscriptionAlertKind(saved.kind) || (before && isSubscriptionAlertKind(before.kind)))
      throw invalidInputError('Een laadupdate zet je aan en uit op de pagina van de machine.');
    const isOwn = before ? before.accountId !== null : saved.isOwn;
    const organizationId = await ownerOf(client, caller, { ...saved, isOwn }, before);
    const rule = await checked(client, organizationId, isOwn, saved);
    const accountId = isOwn ? caller.accountId : null;
    if (!before) {
      await lockExistingOrganization(client, organizationId);
      const most = isOwn ? MAX_OWN_RULES : MAX_RULES;
      if ((await countRules(client, organizationId, accountId)) >= most)
        throw new ProblemError('conflict', `Er zijn al ${most} regels. Haal er eerst een weg.`);
      const id = await addRule(client, organizationId, accountId, rule, now);
      await begin(client, organizationId, rule);
      await logChange(client, caller, 'alert-rule.create', organizationId, rule, {
        after: ruleLogFields(rule),
      });
      return { id, message: isOnText(rule) };
    }
    await changeRule(client, before.id, rule, changesCondition(before, rule), now);
    await begin(client, organizationId, rule);
    await logChange(client, caller, 'alert-rule.edit', organizationId, rule, {
      before: ruleLogFields(before),
      after: ruleLogFields(rule),
    });
    return { id: before.id, message: changedText(before, rule) };
  });

/** `message` says whether a new rule is on, or what was changed of an existing one. */
type SavedRule = { readonly id: number; readonly message: string };

/** Returns the values that differ, before and after. */
function changesOf(before: StoredRule, after: RuleFields): Record<string, [unknown, unknown]> {
  const [had, has] = [ruleLogFields(before), ruleLogFields(after)];
  const names = Object.keys(has) as (keyof typeof has)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(had[name], has[name]))
      .map((name) => [name, [had[name], has[name]]]),
  );
}

const isOnText = ({ isOn }: RuleFields): string => (isOn ? 'De regel staat aan.' : 'De regel staat uit.');

/** Returns what differs, with the labels and units of the form. */
function changedText(before: StoredRule, after: RuleFields): string {
  const { isOn: toggled, ...changes } = changesOf(before, after);
  const lines = logEntryLines({ data: { kind: after.kind }, changes }).filter(
    (line) => line.before !== undefined,
  );
  const sentences = [
    ...(toggled ? [isOnText(after)] : []),
    ...(lines.length > 0
      ? [`Gewijzigd: ${lines.map((line) => `${line.name}: ${line.before} → ${line.value}`).join('; ')}.`]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : 'De regel is opgeslagen.';
}

/**
 * Returns the organization that a rule belongs to, or would belong to.
 * @throws ProblemError 400, 403 and 404, as saveRule
 */
async function ownerOf(
  db: Database,
  caller: Caller,
  { kind, isOwn, organization }: Pick<Saved, 'kind' | 'isOwn' | 'organization'>,
  before?: StoredRule,
): Promise<number> {
  if (isOperatorKind(kind)) {
    if (!caller.scope.actions.has('operate')) throw forbidden();
    if (isOwn || organization !== undefined || (before && !isOperatorKind(before.kind)))
      throw invalidInputError('Deze soort is van het portaal zelf, en van geen organisatie.');
    return caller.organizationId;
  }
  if (before && isOperatorKind(before.kind)) throw invalidInputError('Deze regel is van het portaal zelf.');
  if (!isOwn && !caller.scope.actions.has('manage-alerts')) throw forbidden();
  if (isOwn && before?.kind !== kind && isMovementKind(kind) && !caller.scope.actions.has('see-routes'))
    throw forbidden('Je ziet geen routes, en krijgt daarom geen meldingen van aankomst, vertrek en bewegen.');
  if (isOwn && caller.scope.organizations === 'all')
    throw invalidInputError('Wie alle organisaties beheert, heeft geen eigen regels.');
  return before?.organizationId ?? (await resolveTargetOrganization(db, caller, organization));
}

export type RuleQuery = Pick<Saved, 'kind' | 'settings' | 'hours' | 'machines' | 'isOwn' | 'organization'>;

/**
 * Returns the condition of a rule that is not saved yet.
 * @throws ProblemError as saveRule
 */
export async function requestedRuleCondition(
  db: Database,
  caller: Caller,
  asked: RuleQuery,
): Promise<RuleCondition & { readonly organizationId: number }> {
  const organizationId = await ownerOf(db, caller, asked);
  const errors = new FieldErrors(PARTS);
  const question = await readCondition(db, organizationId, asked, errors);
  errors.throwIfAny();
  return { organizationId, ...question };
}

/** Adds the cursors of an enabled rule about readings, so that readings that are stored from now on are evaluated. */
const begin = async (client: Transaction, organizationId: number, { isOn, kind }: RuleFields) => {
  if (isOn && isReadingKind(kind)) await addCursors(client, [organizationId]);
};

/**
 * Deletes a rule with its alerts.
 * @throws ProblemError 404
 */
export const deleteRule = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const rule = await lockRule(client, caller, id);
    await removeRule(client, id);
    await logChange(client, caller, 'alert-rule.delete', rule.organizationId, rule, {
      before: ruleLogFields(rule),
    });
  });

/** Whether the rule's condition changed, so that its open alerts end. */
const changesCondition = (before: StoredRule, after: RuleFields): boolean =>
  (['kind', 'settings', 'hours', 'machines', 'ids', 'isOn'] as const).some(
    (part) => !isDeepStrictEqual(before[part], after[part]),
  );

const PARTS = ['ruleName', 'machines', 'settings', 'people'];

async function checked(
  client: Transaction,
  organizationId: number,
  isOwn: boolean,
  saved: Saved,
): Promise<RuleFields> {
  const { ruleName, severity, people, roles, tellsEnd, isOn } = saved;
  const errors = new FieldErrors(PARTS);
  const question = await readCondition(client, organizationId, saved, errors);
  const accounts = isOwn ? [] : await errors.ask('people', () => accountsOf(client, organizationId, people));
  if (!isOwn && people.length === 0 && roles.length === 0)
    errors.add('people', 'Kies wie de meldingen krijgt.');
  const known: readonly Role[] = isOperatorKind(saved.kind) ? ADMIN_ROLES : CUSTOMER_ROLES;
  if (!isOwn && !roles.every((role) => known.includes(role)))
    errors.add('people', 'Die rol heeft daar niemand.');
  errors.throwIfAny();
  return {
    ruleName,
    ...question,
    severity,
    accounts: accounts ?? [],
    roles: isOwn ? [] : [...new Set(roles)].sort(),
    tellsEnd,
    isOn,
  };
}

/** The condition of a rule, and the machines that it covers. */
type RuleCondition = Pick<RuleFields, 'kind' | 'settings' | 'hours' | 'machines' | 'ids'>;

async function readCondition(
  db: Database,
  organizationId: number,
  { kind, settings, hours, machines }: RuleQuery,
  errors: FieldErrors,
): Promise<RuleCondition> {
  const { settings: fields, hasOwnHours } = kindDefinition(kind);
  for (const { setting, message } of settingErrors(kind, settings))
    errors.add(`settings.${setting}`, `${fields[setting]?.word ?? setting} ${message}.`);
  if (isOperatorKind(kind) && machines.by !== 'all')
    errors.add('machines', 'Deze soort is van geen machines.');
  if (!hasOwnHours && !ruleHoursOfKind(kind).includes(hours))
    errors.add('hours', 'Deze soort kan niet alleen buiten werktijd.');
  const ids = await errors.ask('machines', () => namedIn(db, organizationId, machines));
  return { kind, settings, hours: hasOwnHours ? 'always' : hours, machines: machines.by, ids: ids ?? [] };
}

/**
 * Returns the ids of the machines, labels, projects or terreinen of a rule, in order.
 * @throws ProblemError 400 the organization does not have one of them
 */
async function namedIn(
  client: Database,
  organizationId: number,
  machines: Saved['machines'],
): Promise<number[]> {
  if (machines.by === 'all') return [];
  if (machines.by === 'chosen') {
    const serials = [...new Set(machines.serials.map((serial) => serial.toLowerCase()))];
    const { rows } = await client.query<{ id: number; serial: string }>(
      `select s.id, lower(s.serial) as serial from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
       where s.kind = 'machine' and s.deleted_at is null and w.organization_id = $1 and lower(s.serial) = any ($2) order by s.id`,
      [organizationId, serials],
    );
    const unknown = serials.find((serial) => !rows.some((row) => row.serial === serial));
    if (unknown !== undefined) throw invalidInputError(`De organisatie heeft geen machine ${unknown}.`);
    return rows.map(({ id }) => id);
  }
  const ids = [...new Set(machines.ids)].sort((a, b) => a - b);
  const { rows } = await client.query<{ id: number }>(FIND_NAMED[machines.by], [organizationId, ids]);
  if (rows.length < ids.length)
    throw invalidInputError(`De organisatie heeft dat ${NAMED_TEXTS[machines.by]} niet.`);
  return ids;
}

type Named = Exclude<Saved['machines']['by'], 'all' | 'chosen'>;
const FIND_NAMED: Readonly<Record<Named, string>> = {
  labels: 'select id from label where organization_id = $1 and id = any ($2) order by id',
  projects:
    'select id from project where organization_id = $1 and id = any ($2) and deleted_at is null order by id',
  terreinen:
    'select id from terrein where organization_id = $1 and id = any ($2) and deleted_at is null order by id',
};
const NAMED_TEXTS: Readonly<Record<Named, string>> = {
  labels: 'label',
  projects: 'project',
  terreinen: 'terrein',
};

/**
 * Returns the ids of accounts.
 * @throws ProblemError 400 one is not of the organization
 */
async function accountsOf(
  client: Transaction,
  organizationId: number,
  people: readonly string[],
): Promise<number[]> {
  const emails = [...new Set(people.map((email) => email.toLowerCase()))];
  const { rows } = await client.query<{ id: number; email: string }>(
    'select id, lower(email) as email from account where organization_id = $1 and lower(email) = any ($2) order by id',
    [organizationId, emails],
  );
  const unknown = emails.find((email) => !rows.some((row) => row.email === email));
  if (unknown !== undefined) throw invalidInputError(`${unknown} is niet van deze organisatie.`);
  return rows.map(({ id }) => id);
}

/** Returns the values of a rule that the log shows. */
export const ruleLogFields = ({
  ruleName,
  isOn,
  settings,
  severity,
  hours,
  tellsEnd,
  roles,
}: RuleFields) => ({
  ruleName,
  isOn,
  settings,
  severity,
  hours,
  tellsEnd,
  roles,
});

const logChange = (
  client: Transaction,
  { email: actor }: Caller,
  action: 'alert-rule.create' | 'alert-rule.edit' | 'alert-rule.delete',
  organizationId: number,
  { ruleName: subject, kind }: Pick<RuleFields, 'ruleName' | 'kind'>,
  values: { readonly before?: LogValues; readonly after?: LogValues },
) => audit(client, { actor, action, subject, organizationId, data: { kind }, ...values });
