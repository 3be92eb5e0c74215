import type { NotifyOwner } from '#server/auth/notify-owner.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { Claims } from './oidc-client.ts';

/** An account that somebody signs in to by their provider. */
export type Known = {
  readonly accountId: number;
  readonly email: string;
  readonly organizationId: number;
  readonly passwordHash: string;
};

type Who = Pick<Claims, 'issuer' | 'subject'>;

/** The account that is bound to issuer and subject. */
export async function findByIdentity(db: Database, { issuer, subject }: Who): Promise<Known | undefined> {
  const { rows } = await db.query<Known>(
    `select a.id as "accountId", a.email, a.organization_id as "organizationId", a.password_hash as "passwordHash"
     from account_identity i join account a on a.id = i.account_id where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  );
  return rows[0];
}

/** Binds an account, in place of what it was bound to, and tells its owner. @returns false when another account has that identity */
export const linkIdentity = (
  pool: Pool,
  accountId: number,
  who: Who,
  notifyOwner: NotifyOwner,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const email = await linkIn(client, accountId, who);
    if (email === undefined) return false;
    await notifyOwner(
      client,
      email,
      `het is gekoppeld aan een account bij de inlogdienst ${hostOf(who.issuer)}.`,
    );
    return true;
  }).catch((error: { code?: string }) => {
    if (error.code === '23505') return false;
    throw error;
  });

/** An address in a mail would be a link of somebody else's. */
const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

/**
 * The same in a transaction, for a new account: nobody is told. It fails with 23505 when another account has the identity.
 * @returns the e-mail; undefined when the account is gone
 */
export async function linkIn(
  client: Transaction,
  accountId: number,
  { issuer, subject }: Who,
): Promise<string | undefined> {
  const { rows } = await client.query<{ email: string }>(
    `with account as (select id, email from account where id = $1 for key share),
     made as (
       insert into account_identity (account_id, issuer, subject) select id, $2, $3 from account
       on conflict (account_id) do update set issuer = excluded.issuer, subject = excluded.subject, linked_at = now()
     )
     select email from account`,
    [accountId, issuer, subject],
  );
  const email = rows[0]?.email;
  if (email !== undefined)
    await audit(client, { actor: email, action: 'identity.link', subject: email, data: { issuer } });
  return email;
}

/** Ends the link, and tells its owner. */
export const unlinkIdentity = (
  pool: Pool,
  accountId: number,
  email: string,
  notifyOwner: NotifyOwner,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ issuer: string }>(
      'delete from account_identity where account_id = $1 returning issuer',
      [accountId],
    );
    if (!rows[0]) return;
    await audit(client, { actor: email, action: 'identity.unlink', subject: email, data: rows[0] });
    const { issuer } = rows[0];
    await notifyOwner(
      client,
      email,
      `het is niet meer gekoppeld aan een account bij de inlogdienst ${hostOf(issuer)}.`,
    );
  });

/** Since when the account is bound, and to whose word. */
export async function identityOf(
  db: Database,
  accountId: number,
): Promise<{ issuer: string; at: string } | undefined> {
  const { rows } = await db.query<{ issuer: string; linkedAt: Date }>(
    'select issuer, linked_at as "linkedAt" from account_identity where account_id = $1',
    [accountId],
  );
  return rows[0] && { issuer: rows[0].issuer, at: rows[0].linkedAt.toISOString() };
}
