import type { NotifyOwner } from '#server/auth/notify-owner.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { IdentityClaims } from './oidc-client.ts';

/** An account that is linked to an identity. */
export type LinkedAccount = {
  readonly accountId: number;
  readonly email: string;
  readonly organizationId: number;
  readonly passwordHash: string;
};

type Identity = Pick<IdentityClaims, 'issuer' | 'subject'>;

/** Returns the account that is linked to this issuer and subject. */
export async function findByIdentity(
  db: Database,
  { issuer, subject }: Identity,
): Promise<LinkedAccount | undefined> {
  const { rows } = await db.query<LinkedAccount>(
    `select a.id as account_id, a.email, a.organization_id, a.password_hash
     from account_identity i join account a on a.id = i.account_id where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  );
  return rows[0];
}

/**
 * Links an account to an identity, in place of the identity that it was linked to before, and notifies the account's owner.
 * @returns false when another account has the identity
 */
export const linkIdentity = (
  pool: Pool,
  accountId: number,
  who: Identity,
  notifyOwner: NotifyOwner,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const email = await linkIdentityIn(client, accountId, who);
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

/** Returns only the host of an issuer. Another person chose the address, and mail programs would turn the whole address into a link. */
const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

/**
 * Links an account to an identity within a transaction, without notifying its owner. Fails with 23505 when another account has
 * the identity.
 * @returns the e-mail; undefined when the account no longer exists
 */
export async function linkIdentityIn(
  client: Transaction,
  accountId: number,
  { issuer, subject }: Identity,
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

/** Unlinks the account, and notifies the account's owner. */
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

/** Returns the identity to which the account is linked, and since when. */
export async function readLinkedIdentity(
  db: Database,
  accountId: number,
): Promise<{ issuer: string; at: string } | undefined> {
  const { rows } = await db.query<{ issuer: string; linkedAt: Date }>(
    'select issuer, linked_at from account_identity where account_id = $1',
    [accountId],
  );
  return rows[0] && { issuer: rows[0].issuer, at: rows[0].linkedAt.toISOString() };
}
