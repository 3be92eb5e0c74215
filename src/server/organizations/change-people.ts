import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';

/** The sessions that a change may end: those of one account, or of all accounts of an organization (by functional name). */
type SessionsOf = { readonly email: string } | { readonly organization: string };

/**
 * Runs a change that may end other people's sessions. A lock on the organization `admin` serializes such changes before the
 * caller is checked: when two people remove each other, the second finds their own account deleted.
 */
export const runPeopleChange = <T>(
  pool: Pool,
  whose: SessionsOf,
  work: (client: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(pool, work, {
    async lockFirst(client) {
      await client.query('select from organization where name = $1 for no key update', [ADMIN_ORGANIZATION]);
      await lockSessions(client, whose);
    },
  });

/**
 * Waits until running changes by these sessions have ended, and blocks new ones. Call it before a row of an account or organization
 * is locked. A change locks the row of its own session first, so the opposite order could deadlock.
 */
async function lockSessions(db: Database, whose: SessionsOf): Promise<void> {
  const [condition, value] =
    'email' in whose ? ['lower(a.email) = lower($1)', whose.email] : ['o.name = $1', whose.organization];
  await db.query(
    `select from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
     where ${condition} order by s.id for update of s`,
    [value],
  );
}
