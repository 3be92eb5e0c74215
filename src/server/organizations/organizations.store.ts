import type { Caller } from '#server/auth/sessions.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import { readableCode } from '#server/platform/readable-code.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION, type Scope, scopeCovers } from '#shared/domain/access.ts';

/** Length of a registration code in characters: 60 random bits. */
const CODE_LENGTH = 12;

const COLUMNS = `id::text as _id, name, clean, is_active, is_berende, registration,
  had_account`;
/**
 * Returns SQL for the registration code that a caller may see. A beheerder or administrator always sees it, a gebruiker only while people
 * can register with it; other callers get ''.
 */
const codeFor = ({ actions }: Scope): string => {
  if (actions.has('manage-users')) return 'code';
  return actions.has('see-code') ? `case registration when 'invitation' then '' else code end` : `''`;
};

/** Returns the organizations of a scope as a query parameter; null: all. */
export const organizationsParameter = ({ organizations }: Scope) =>
  organizations === 'all' ? null : organizations;

/**
 * Returns the organizations of a scope as a query parameter. If the access of a person is limited to some projects or machines, this is the
 * person's own organization, and the statement must apply that access restriction by a separate condition.
 */
export const organizationsOfLimitedScope = (scope: Scope) =>
  scope.limited ? [scope.limited.organizationId] : organizationsParameter(scope);

/**
 * Returns the organizations inside the scope, ordered by display name.
 * @param isLmbCustomer true: only LMB customers; false: only other organizations; undefined: both
 */
export async function listOrganizations(
  db: Database,
  scope: Scope,
  isLmbCustomer?: boolean,
): Promise<Organization[]> {
  const { rows } = await db.query<Organization>(
    `select ${COLUMNS}, ${codeFor(scope)} as code from organization
     where ($1::integer[] is null or /*rule:organizations-scope*/ id = any ($1) /*=true*/) and ($2::boolean is null or is_berende = $2)
     order by lower(clean), name`,
    [organizationsParameter(scope), isLmbCustomer ?? null],
  );
  return rows;
}

/** Returns the organization, locked until the transaction ends against changes, new people and new machines. */
export async function lockOrganization(db: Database, name: string): Promise<Organization | undefined> {
  const { rows } = await db.query<Organization>(
    `select ${COLUMNS}, code from organization where name = $1 for update`,
    [name],
  );
  return rows[0];
}

export type NewOrganization = {
  readonly name: string;
  readonly clean: string;
  readonly isLmbCustomer: boolean;
};

/** Replaces an organization's registration code. */
export async function renewStoredCode(db: Database, name: string): Promise<void> {
  await db.query('update organization set code = $2 where name = $1', [name, readableCode(CODE_LENGTH)]);
}

/** Returns the display names of all organizations except `except` (a functional name), to compare a new name with. */
export async function readOtherDisplayNames(db: Database, except: string): Promise<string[]> {
  const { rows } = await db.query<{ clean: string }>('select clean from organization where name <> $1', [
    except,
  ]);
  return rows.map(({ clean }) => clean);
}

/** Creates an organization. @returns its id */
export async function createOrganization(
  db: Database,
  { name, clean, isLmbCustomer }: NewOrganization,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'insert into organization (name, clean, code, is_berende) values ($1, $2, $3, $4) returning id',
    [name, clean, readableCode(CODE_LENGTH), isLmbCustomer],
  );
  return rows[0]?.id as number;
}

/** Returns the id of the organization with this functional name. */
export async function findOrganization(db: Database, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>('select id from organization where name = $1', [name]);
  return rows[0]?.id;
}

/** Returns the organization with this functional name. @throws ProblemError 404 outside the scope */
export async function findOrganizationInScope(
  db: Database,
  scope: Scope,
  name: string,
): Promise<{ id: number; name: string; clean: string }> {
  const { rows } = await db.query<{ id: number; name: string; clean: string }>(
    'select id, name, clean from organization where name = $1',
    [name],
  );
  if (!rows[0] || /*rule:oidc-settings-scope*/ !scopeCovers(scope, rows[0].id) /*=false*/)
    throw notFound('Deze organisatie bestaat niet.');
  return rows[0];
}

/**
 * Locks an organization until the transaction ends. If two callers change it at once, the second sees the change of the first.
 * @throws ProblemError 404 when it was deleted
 */
export async function lockExistingOrganization(client: Transaction, id: number): Promise<void> {
  const { rowCount } = await client.query('select from organization where id = $1 for no key update', [id]);
  if (rowCount !== 1) throw notFound('Deze organisatie bestaat niet.');
}

/**
 * Locks an organization as lockExistingOrganization() does, before a row is added to a table with a maximum number of rows per organization.
 * @param plural the Dutch plural noun for such rows, for the message
 * @throws ProblemError 409 when the organization has `most` rows
 */
export async function lockOrganizationForNewRow(
  client: Transaction,
  organizationId: number,
  table: string,
  most: number,
  plural: string,
): Promise<void> {
  await lockExistingOrganization(client, organizationId);
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::integer as n from ${table} where organization_id = $1`,
    [organizationId],
  );
  if ((rows[0]?.n ?? 0) >= most)
    throw new ProblemError('conflict', `Een organisatie heeft hoogstens ${most} ${plural}.`);
}

/**
 * Returns the id of the organization to which a new project, label, factor or rule will belong: the caller's own. An administrator
 * instead gives the name of a customer that can have machines.
 * @throws ProblemError 400 when the name is not that of such a customer
 */
export async function resolveTargetOrganization(
  db: Database,
  { scope, organizationId }: Caller,
  name: string | undefined,
): Promise<number> {
  if (scope.organizations !== 'all') return organizationId;
  const { rows } = await db.query<{ id: number }>(
    'select id from organization where name = $1 and name <> $2 and not is_berende',
    [name ?? '', ADMIN_ORGANIZATION],
  );
  if (!rows[0]) throw invalidInputError('Kies een organisatie.');
  return rows[0].id;
}
