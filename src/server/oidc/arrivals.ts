import { randomBytes } from 'node:crypto';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { domainOf, type OidcOutcome } from '#shared/domain/oidc.ts';
import { findByIdentity, type Known, linkIn } from './identities.store.ts';
import type { Claims } from './oidc-client.ts';
import type { Provider } from './providers.store.ts';

/** What becomes of who comes back from the provider. */
export type Arrived =
  | { readonly account: Known }
  /** They have an account, not linked: its password must be given. */
  | { readonly unlinked: number }
  | { readonly outcome: OidcOutcome };

/**
 * An account is known by issuer and subject. Who is not known comes for the first time: an address that the provider
 * confirms is at most good for an account of their own, as a gebruiker, in the organization whose domain it has.
 */
export async function arrive(pool: Pool, provider: Provider, claims: Claims): Promise<Arrived> {
  const known = await findByIdentity(pool, claims);
  if (known)
    return known.organizationId === provider.organizationId ? { account: known } : { outcome: 'moved' };
  const { email } = claims;
  if (email === undefined) return { outcome: 'unverified' };
  const existing = await findByEmail(pool, email);
  if (existing)
    return existing.organizationId === provider.organizationId
      ? { unlinked: existing.accountId }
      : { outcome: 'elsewhere' };
  if (domainOf(email) !== provider.domain) return { outcome: 'elsewhere' };
  if (provider.organization === ADMIN_ORGANIZATION) return { outcome: 'uninvited' };
  return admit(pool, provider, claims, email);
}

async function admit(pool: Pool, provider: Provider, claims: Claims, email: string): Promise<Arrived> {
  // Nobody knows it: they have no password until they choose one by mail.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  const { organizationId, organization } = provider;
  const made = await inTransaction(pool, async (client) => {
    const { rowCount: isOpen } = await client.query(
      'select from organization where id = $1 and is_active for no key update',
      [organizationId],
    );
    if (isOpen !== 1) return { outcome: 'disabled' } as const;
    const accountId = await createAccount(client, { email, passwordHash, organizationId, role: 'gebruiker' });
    if (accountId === undefined) return undefined;
    await audit(client, { actor: email, action: 'user.register', subject: email, data: { organization } });
    await linkIn(client, accountId, claims);
    return { account: { accountId, email, organizationId, passwordHash } };
  }).catch((error: { code?: string }) => {
    if (error.code === '23505') return undefined; // the same person, in another window, a moment ago
    throw error;
  });
  return made ?? { outcome: 'again' };
}

async function findByEmail(
  db: Database,
  email: string,
): Promise<{ accountId: number; organizationId: number } | undefined> {
  const { rows } = await db.query<{ accountId: number; organizationId: number }>(
    'select id as "accountId", organization_id as "organizationId" from account where lower(email) = lower($1)',
    [email],
  );
  return rows[0];
}
