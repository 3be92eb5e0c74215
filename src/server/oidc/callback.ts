import { randomBytes } from 'node:crypto';
import { addApplicant, notifyOfApplicants } from '#server/auth/add-applicant.ts';
import { isAddressBlocked } from '#server/auth/blocked-addresses.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import {
  createInvitedAccount,
  findInvitation,
  findInvitationTo,
  lockOrganizationBeforeInvitation,
} from '#server/invitations/accept-invitation.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { RegistrationMode as Mode } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { emailDomainOf, type OidcOutcome } from '#shared/domain/oidc.ts';
import { findByIdentity, type LinkedAccount, linkIdentityIn } from './identities.store.ts';
import type { IdentityClaims } from './oidc-client.ts';
import type { Provider } from './providers.store.ts';

export type OidcCallbackDependencies = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mailer;
  readonly publicUrl: string;
};

/** The result of a sign-in at the provider. */
export type CallbackResult =
  | { readonly account: LinkedAccount }
  /** The id of an account with the claimed address that is not linked yet: the person must enter its password. */
  | { readonly unlinked: number }
  | { readonly outcome: OidcOutcome; readonly accountId?: number };

/**
 * Decides the result of a sign-in at the provider. Accounts are recognized by issuer and subject, never by address. A newcomer
 * whose address the provider confirms gets at most a new account, as a gebruiker, in the organization that has the address's
 * domain.
 */
export async function resolveCallback(
  parts: OidcCallbackDependencies,
  provider: Provider,
  claims: IdentityClaims,
): Promise<CallbackResult> {
  const { pool } = parts;
  const known = await findByIdentity(pool, claims);
  if (known)
    return known.organizationId === provider.organizationId
      ? { account: known }
      : { outcome: 'moved', accountId: known.accountId };
  const { email } = claims;
  if (email === undefined) return { outcome: 'unverified' };
  const existing = await findByEmail(pool, email);
  if (existing?.organizationId === provider.organizationId) return { unlinked: existing.accountId };
  // The organization's own provider cannot vouch for addresses of other domains: people with such an address need the link of an
  // invitation. The answer does not depend on whether the address has an account.
  if (existing || emailDomainOf(email) !== provider.domain) return { outcome: 'elsewhere' };
  return admitNewcomer(parts, provider, claims, email);
}

/**
 * Accepts an invitation through the provider. The link already confirms the address, so the provider need not confirm it, but it may not
 * confirm a different one. The account gets the invitation's role.
 * @param hash the hash of the token in the invitation's link
 */
export async function resolveInvitedCallback(
  { pool, secrets }: OidcCallbackDependencies,
  { organizationId }: Provider,
  claims: IdentityClaims,
  hash: Buffer,
): Promise<CallbackResult> {
  const passwordHash = await hashRandomPassword();
  return inTransaction(pool, async (client): Promise<CallbackResult> => {
    await lockOrganizationBeforeInvitation(client, organizationId);
    const offer = await findInvitation(client, hash, 'for update of i');
    if (!offer || offer.endedAs !== null || offer.isOver) return { outcome: 'ended' };
    if (!offer.isActive) return { outcome: 'disabled' };
    const { email } = offer;
    if (claims.email !== undefined && claims.email.toLowerCase() !== email.toLowerCase())
      return { outcome: 'other' };
    const accountId = await createInvitedAccount(client, secrets, offer, passwordHash, claims.issuer);
    if (accountId === undefined) {
      const existing = await findByEmail(client, email);
      return existing?.organizationId === organizationId
        ? { unlinked: existing.accountId }
        : { outcome: 'account' };
    }
    await linkIdentityIn(client, accountId, claims);
    return { account: { accountId, email, organizationId, passwordHash } };
  }).catch((error: { code?: string }) => {
    // The identity is linked to another account, so this invitation stays pending.
    if (error.code === '23505') return { outcome: 'taken' };
    throw error;
  });
}

/** Returns the hash of a random password, for people who have no password until they choose one by mail. */
const hashRandomPassword = (): Promise<string> => hashPassword(randomBytes(32).toString('base64url'));

/**
 * Admits a newcomer, whose address is of the organization's domain, according to the organization's registration mode. Accepts a
 * pending invitation to the address, if there is one.
 */
async function admitNewcomer(
  parts: OidcCallbackDependencies,
  provider: Provider,
  claims: IdentityClaims,
  email: string,
): Promise<CallbackResult> {
  const { pool, secrets } = parts;
  const passwordHash = await hashRandomPassword();
  const { organizationId, organization } = provider;
  const newcomer = { email, passwordHash, organizationId };
  const result = await inTransaction(pool, async (client): Promise<CallbackResult | undefined> => {
    const { rows } = await client.query<{ registration: Mode }>(
      'select registration from organization where id = $1 and is_active for no key update',
      [organizationId],
    );
    if (!rows[0]) return { outcome: 'disabled' };
    const offer = await findInvitationTo(client, organizationId, email);
    if (!offer) {
      if (provider.organization === ADMIN_ORGANIZATION) return { outcome: 'uninvited' };
      if (rows[0].registration === 'invitation') return { outcome: 'uninvited' };
      if (await isAddressBlocked(client, secrets, organizationId, email)) return { outcome: 'departed' };
      if (rows[0].registration === 'approval')
        return addOidcApplicant(client, parts, newcomer, claims, organization);
    }
    const accountId = offer
      ? await createInvitedAccount(client, secrets, offer, passwordHash, claims.issuer)
      : await createAccount(client, {
          ...newcomer,
          role: 'gebruiker',
          isConfirmed: true,
          hasPassword: false,
        });
    // Another request created an account with this address in the meantime, so the person must sign in again.
    if (accountId === undefined) return undefined;
    if (!offer)
      await audit(client, {
        actor: email,
        action: 'user.register',
        subject: email,
        data: { organization, role: 'gebruiker', issuer: claims.issuer },
      });
    await linkIdentityIn(client, accountId, claims);
    return { account: { accountId, email: offer?.email ?? email, organizationId, passwordHash } };
  }).catch((error: { code?: string }) => {
    // A sign-in from another window linked the identity in the meantime, so the person must sign in again.
    if (error.code === '23505') return undefined;
    throw error;
  });
  return result ?? { outcome: 'again' };
}

/** Adds an applicant with the identity; when a beheerder admits them, the account is linked to it (applicants.store.ts). */
async function addOidcApplicant(
  client: Transaction,
  parts: OidcCallbackDependencies,
  newcomer: { readonly email: string; readonly passwordHash: string; readonly organizationId: number },
  { issuer, subject }: IdentityClaims,
  organization: string,
): Promise<CallbackResult> {
  const { email, passwordHash, organizationId } = newcomer;
  const isNew = (await addApplicant(client, newcomer)) === 'new';
  // Also replaces an earlier application for the address, because another person may have made it; the password of that application
  // becomes void.
  const { rowCount } = await client.query(
    `update applicant set issuer = $3, subject = $4, password_hash = $5
     where organization_id = $1 and lower(email) = lower($2)`,
    [organizationId, email, issuer, subject, passwordHash],
  );
  if (rowCount !== 1) return { outcome: 'again' };
  if (isNew) {
    await notifyOfApplicants(client, parts, organizationId);
    await audit(client, { actor: email, action: 'user.apply', subject: email, data: { organization } });
  }
  return { outcome: 'waits' };
}

async function findByEmail(
  db: Database,
  email: string,
): Promise<{ accountId: number; organizationId: number } | undefined> {
  const { rows } = await db.query<{ accountId: number; organizationId: number }>(
    'select id as account_id, organization_id from account where lower(email) = lower($1)',
    [email],
  );
  return rows[0];
}
