import { findOrganization, lockOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { User } from '#shared/contract/users.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';

const USERS = `select a.id::text as _id, a.email, o.name as organization, o.clean as cleanorg
  from account a join organization o on o.id = a.organization_id`;

/** Everybody, by e-mail. For administrators only. */
export async function listUsers(db: Database): Promise<User[]> {
  const { rows } = await db.query<User>(`${USERS} order by lower(a.email)`);
  return rows;
}

/**
 * Deletes the account and all that is only about it: sessions, codes, known browsers.
 * @param actor the administrator's e-mail
 * @throws ProblemError 404; 409 for the last administrator
 */
export const deleteUser = (pool: Pool, actor: string, email: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    await lockOrganization(client, ADMIN_ORGANIZATION);
    const user = await findUser(client, email);
    await keepAnAdministrator(client, user);
    await client.query('delete from account where id = $1', [user._id]);
    await audit(client, {
      actor,
      action: 'user.delete',
      subject: user.email,
      data: {},
      accountId: Number(user._id),
      organizationId: await organizationOf(client, user),
    });
  });

/**
 * Moves a user to another organization. Their sessions end (auth/sql/end-sessions.sql): what their browser holds
 * is of the organization they leave.
 * @throws ProblemError 404 for the user or the organization; 409 for the last administrator
 */
export const moveUser = (pool: Pool, actor: string, email: string, organization: string): Promise<User> =>
  inTransaction(pool, async (client) => {
    await lockOrganization(client, ADMIN_ORGANIZATION);
    const user = await findUser(client, email);
    const { rows } = await client.query<{ id: number; clean: string }>(
      'select id, clean from organization where name = $1 for key share',
      [organization],
    );
    const to = rows[0];
    if (!to) throw notFound('Deze organisatie bestaat niet.');
    if (organization === user.organization) return user;
    await keepAnAdministrator(client, user);
    await client.query('update account set organization_id = $2 where id = $1', [user._id, to.id]);
    const entry = { actor, subject: user.email, data: {} };
    const [left, came] = [{ movedTo: organization }, { movedFrom: user.organization }];
    const organizationId = await organizationOf(client, user);
    await audit(client, { ...entry, action: 'user.leave', organizationId, aside: left });
    await audit(client, { ...entry, action: 'user.arrive', aside: came });
    return { ...user, organization, cleanorg: to.clean };
  });

const organizationOf = async (db: Database, { organization }: User): Promise<number | null> =>
  (await findOrganization(db, organization)) ?? null;

async function findUser(client: Transaction, email: string): Promise<User> {
  const { rows } = await client.query<User>(`${USERS} where lower(a.email) = lower($1) for update of a`, [
    email,
  ]);
  if (!rows[0]) throw notFound('Deze gebruiker bestaat niet.');
  return rows[0];
}

/** Call it under the lock on `admin`: two administrators who delete each other take turns. */
async function keepAnAdministrator(client: Transaction, { organization }: User): Promise<void> {
  if (organization !== ADMIN_ORGANIZATION) return;
  const { rows } = await client.query<{ n: number }>(
    'select count(*)::int as n from account a join organization o on o.id = a.organization_id where o.name = $1',
    [ADMIN_ORGANIZATION],
  );
  if ((rows[0]?.n ?? 0) < 2) {
    throw new ProblemError('conflict', 'Dit is de laatste beheerder. Maak eerst een ander beheerder.');
  }
}
