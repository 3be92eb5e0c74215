import { blockAddress } from '#server/auth/blocked-addresses.ts';
import { requireNoPendingDeletion } from '#server/auth/require-not-leaving.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { runPeopleChange } from '#server/organizations/change-people.ts';
import {
  accessLimitColumnValues,
  accessLimitLogFields,
  accessLimitViewSql,
  validateAccessLimit,
} from '#server/organizations/limits.store.ts';
import { findOrganization, organizationsParameter } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Database, Pool, Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { AccessLimitInput } from '#shared/contract/limits.ts';
import type { User } from '#shared/contract/users.ts';
import {
  defaultRole,
  LIMITED_ROLES,
  ROLES_WITH_TODAY_LIMIT,
  type Role,
  rolesIn,
  type Scope,
} from '#shared/domain/access.ts';

const USERS = `select a.id::text as _id, a.email, a.name, o.name as organization, o.clean as cleanorg, a.role,
    exists (select from factor f where f.account_id = a.id) as has_factor,
    a.confirmed_at is null and a.must_confirm as must_confirm, ${accessLimitViewSql('a')} as "limit"
  from account a join organization o on o.id = a.organization_id
  where ($1::integer[] is null or /*rule:users-scope*/ o.id = any ($1) /*=true*/)`;

/** Returns the users inside the scope, by e-mail. */
export async function listUsers(db: Database, scope: Scope): Promise<User[]> {
  const { rows } = await db.query<User>(`${USERS} order by lower(a.email)`, [organizationsParameter(scope)]);
  return rows;
}

/**
 * Deletes an account with its sessions, codes and known browsers.
 * @param mayReturn whether the person may register again with the organization's code
 * @throws ProblemError 404 outside the caller's scope; 409 for the last administrator, and for a beheerder who deletes their own account if
 * other people remain and none of them is a beheerder
 */
export const deleteUser = (
  pool: Pool,
  secrets: Secrets,
  caller: Caller,
  email: string,
  mayReturn: boolean,
): Promise<void> =>
  runPeopleChange(pool, { email }, async (client) => {
    // Locks organizations before accounts, in the order in which registrations lock them.
    const { rows } = await client.query<{ id: number }>(
      `select o.id from account a join organization o on o.id = a.organization_id
       where lower(a.email) = lower($1) for no key update of o`,
      [email],
    );
    const user = await lockUser(client, caller, email);
    await requireRemainingManager(client, caller, user);
    // The address of a person with an access limit is always blocked: registering again by code would give an account without the limit.
    if (!mayReturn || user.limit) await blockAddress(client, secrets, rows[0]?.id as number, user.email);
    await client.query('delete from account where id = $1', [user._id]);
    const organizationId = await organizationOf(client, user);
    await audit(client, {
      actor: caller.email,
      action: 'user.delete',
      subject: user.email,
      data: { mayReturn },
      accountId: Number(user._id),
      accountOrganizationId: organizationId,
      organizationId,
    });
  });

/**
 * Moves a user to another organization. The user's sessions end (auth/sql/end-sessions.sql), because the browser holds data of the
 * old organization.
 * @throws ProblemError 404 for the user or the organization; 409 for the last administrator
 */
export const moveUser = (pool: Pool, caller: Caller, email: string, organization: string): Promise<User> =>
  runPeopleChange(pool, { email }, async (client) => {
    const user = await lockUser(client, caller, email);
    const { rows } = await client.query<{ id: number; clean: string }>(
      'select id, clean from organization where name = $1 for key share',
      [organization],
    );
    const to = rows[0];
    if (!to) throw notFound('Deze organisatie bestaat niet.');
    if (organization === user.organization) return user;
    await requireNoPendingDeletion(client, to.id);
    await requireRemainingManager(client, caller, user);
    const role = defaultRole(organization);
    // Removes the access limit, because it names projects and labels of the old organization.
    await client.query(
      `update account set organization_id = $2, role = $3, limit_projects = null, limit_labels = null, only_today = false where id = $1`,
      [user._id, to.id, role],
    );
    // Deletes report subscriptions, because they name projects and machines of the old organization.
    await client.query('delete from report_subscription where account_id = $1', [user._id]);
    // Keeps the subscriptions to charging mails: they have an effect only for machines that the user may see.
    await client.query(
      `update alert_rule set organization_id = $2 where account_id = $1 and kind = 'charging'`,
      [user._id, to.id],
    );
    const entry = { actor: caller.email, subject: user.email, data: {} };
    const [left, came] = [{ movedTo: to.clean }, { movedFrom: user.cleanorg }];
    const organizationId = await organizationOf(client, user);
    const here = { organizationId, accountOrganizationId: organizationId };
    await audit(client, { ...entry, ...here, action: 'user.leave', aside: left });
    await audit(client, { ...entry, action: 'user.arrive', aside: came });
    return { ...user, organization, cleanorg: to.clean, role, limit: null };
  });

/**
 * Changes a user's role. The user's sessions end, because the browser shows data that only the old role could see.
 * @throws ProblemError 400 for a role that the user's organization does not have; otherwise as deleteUser()
 */
export const setRole = (pool: Pool, caller: Caller, email: string, role: Role): Promise<User> =>
  runPeopleChange(pool, { email }, async (client) => {
    const user = await lockUser(client, caller, email);
    if (!rolesIn(user.organization).includes(role))
      throw new ProblemError('invalid', 'Deze rol bestaat niet in deze organisatie.');
    if (role === user.role) return user;
    requireLimitable(user, role);
    await requireRemainingManager(client, caller, user);
    await client.query('update account set role = $2 where id = $1', [user._id, role]);
    await audit(client, {
      actor: caller.email,
      action: 'user.role',
      subject: user.email,
      data: {},
      before: { role: user.role },
      after: { role },
    });
    return { ...user, role };
  });

/** Requires that the new role allows the user's access limit. @throws ProblemError 409 if it does not */
function requireLimitable({ limit }: User, role: Role): void {
  if (!limit) return;
  if (LIMITED_ROLES.includes(role) && (!limit.onlyToday || ROLES_WITH_TODAY_LIMIT.includes(role))) return;
  throw new ProblemError('conflict', 'Haal eerst de beperking weg.');
}

/**
 * Limits a user's access to projects, labels or the present day, or removes the limit. Ends the user's sessions, because the browser holds
 * data from before the change.
 * @throws ProblemError 404 outside the caller's scope; otherwise as validateAccessLimit()
 */
export const setAccessLimit = (
  pool: Pool,
  caller: Caller,
  email: string,
  wanted: AccessLimitInput,
): Promise<User> =>
  runPeopleChange(pool, { email }, async (client) => {
    const before = await lockUser(client, caller, email);
    const limit = await validateAccessLimit(
      client,
      (await organizationOf(client, before)) as number,
      before.role,
      wanted,
    );
    await client.query(
      `update account set limit_projects = $2, limit_labels = $3, only_today = $4
       where id = $1 and (limit_projects, limit_labels, only_today) is distinct from ($2::integer[], $3::integer[], $4::boolean)`,
      [before._id, ...accessLimitColumnValues(limit)],
    );
    const after = await lockUser(client, caller, email);
    await audit(client, {
      actor: caller.email,
      action: 'user.limit',
      subject: before.email,
      data: {},
      before: accessLimitLogFields(before.limit),
      after: accessLimitLogFields(after.limit),
    });
    return after;
  });

const organizationOf = async (db: Database, { organization }: User): Promise<number | null> =>
  (await findOrganization(db, organization)) ?? null;

/** Returns a user inside the caller's scope, or the caller. Locks the account's row. */
async function lockUser(client: Transaction, caller: Caller, email: string): Promise<User> {
  const isSelf = email.toLowerCase() === caller.email.toLowerCase();
  const { rows } = await client.query<User>(`${USERS} and lower(a.email) = lower($2) for update of a`, [
    isSelf ? [caller.organizationId] : organizationsParameter(caller.scope),
    email,
  ]);
  const user = rows[0];
  if (!user) throw notFound('Deze gebruiker bestaat niet.');
  return user;
}

/**
 * Refuses a change that leaves an organization without a beheerder with a confirmed address. Administrators may leave a
 * customer without one, because they can appoint another.
 */
async function requireRemainingManager(client: Transaction, caller: Caller, user: User): Promise<void> {
  const { organization, role } = user;
  const isOwn = role === 'beheerder' && caller.accountId === Number(user._id);
  if (role !== 'administrator' && !isOwn) return;
  const { rows } = await client.query<{ same: number; others: number }>(
    `select count(*) filter (where a.role = $2 and not (a.must_confirm and a.confirmed_at is null))::int as same, count(*)::int as others
     from account a join organization o on o.id = a.organization_id where o.name = $1 and a.id <> $3`,
    [organization, role, user._id],
  );
  const { same = 0, others = 0 } = rows[0] ?? {};
  if (same > 0 || (isOwn && others === 0)) return;
  throw new ProblemError('conflict', `Dit is de laatste ${role}. Maak eerst iemand anders ${role}.`);
}
