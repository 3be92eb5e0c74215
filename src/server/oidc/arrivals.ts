import { randomBytes } from 'node:crypto';
import { addApplicant, notifyOfApplicants } from '#server/auth/add-applicant.ts';
import { isAddressBlocked } from '#server/auth/blocked-addresses.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { findOffer, findOfferTo, lockBefore, makeInvited } from '#server/invitations/accept-invitation.ts';
import type { Mail } from '#server/mail/mail.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Registration as Mode } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { domainOf, type OidcOutcome } from '#shared/domain/oidc.ts';
import { findByIdentity, type Known, linkIn } from './identities.store.ts';
import type { Claims } from './oidc-client.ts';
import type { Provider } from './providers.store.ts';

export type ArrivalParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mail;
  readonly publicUrl: string;
};

/** What becomes of who comes back from the provider. */
export type Arrived =
  | { readonly account: Known }
  /** They have an account, not linked: its password must be given. */
  | { readonly unlinked: number }
  | { readonly outcome: OidcOutcome; readonly accountId?: number };

/**
 * An account is known by issuer and subject. Who is not known comes for the first time: an address that the provider
 * confirms is at most good for an account of their own, as a gebruiker, in the organization whose domain it has.
 */
export async function arrive(parts: ArrivalParts, provider: Provider, claims: Claims): Promise<Arrived> {
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
  // The organization's own provider cannot vouch for addresses of other domains: these need the link of an invitation. The answer is the
  // same whether the address has an account.
  if (existing || domainOf(email) !== provider.domain) return { outcome: 'elsewhere' };
  return admit(parts, provider, claims, email);
}

/**
 * Who brings the link of an invitation. It shows that the mailbox is theirs, as it does to who chooses a password: the
 * provider need not confirm the address, but may not confirm another one, which would be somebody else. The role is what
 * somebody of the organization gave.
 * @param hash of the link's token
 */
export async function arriveInvited(
  { pool, secrets }: ArrivalParts,
  { organizationId }: Provider,
  claims: Claims,
  hash: Buffer,
): Promise<Arrived> {
  const passwordHash = await unknownPassword();
  return inTransaction(pool, async (client): Promise<Arrived> => {
    await lockBefore(client, organizationId);
    const offer = await findOffer(client, hash, 'for update of i');
    if (!offer || offer.endedAs !== null || offer.isOver) return { outcome: 'ended' };
    if (!offer.isActive) return { outcome: 'disabled' };
    const { email } = offer;
    if (claims.email !== undefined && claims.email.toLowerCase() !== email.toLowerCase())
      return { outcome: 'other' };
    const accountId = await makeInvited(client, secrets, offer, passwordHash, claims.issuer);
    if (accountId === undefined) {
      const existing = await findByEmail(client, email);
      return existing?.organizationId === organizationId
        ? { unlinked: existing.accountId }
        : { outcome: 'account' };
    }
    await linkIn(client, accountId, claims);
    return { account: { accountId, email, organizationId, passwordHash } };
  }).catch((error: { code?: string }) => {
    // Another account is bound to them: the invitation stays.
    if (error.code === '23505') return { outcome: 'taken' };
    throw error;
  });
}

/** Nobody knows it: they have no password until they choose one by mail. */
const unknownPassword = (): Promise<string> => hashPassword(randomBytes(32).toString('base64url'));

/** As the organization lets people in (migrations/0017-getting-in.sql): the address is of its domain. An open invitation is accepted. */
async function admit(
  parts: ArrivalParts,
  provider: Provider,
  claims: Claims,
  email: string,
): Promise<Arrived> {
  const { pool, secrets } = parts;
  const passwordHash = await unknownPassword();
  const { organizationId, organization } = provider;
  const newcomer = { email, passwordHash, organizationId };
  const made = await inTransaction(pool, async (client): Promise<Arrived | undefined> => {
    const { rows } = await client.query<{ registration: Mode }>(
      'select registration from organization where id = $1 and is_active for no key update',
      [organizationId],
    );
    if (!rows[0]) return { outcome: 'disabled' };
    const offer = await findOfferTo(client, organizationId, email);
    if (!offer) {
      if (provider.organization === ADMIN_ORGANIZATION) return { outcome: 'uninvited' };
      if (rows[0].registration === 'invitation') return { outcome: 'uninvited' };
      if (await isAddressBlocked(client, secrets, organizationId, email)) return { outcome: 'departed' };
      if (rows[0].registration === 'approval') return ask(client, parts, newcomer, claims, organization);
    }
    const accountId = offer
      ? await makeInvited(client, secrets, offer, passwordHash, claims.issuer)
      : await createAccount(client, {
          ...newcomer,
          role: 'gebruiker',
          isConfirmed: true,
          hasPassword: false,
        });
    // Somebody had it a moment ago.
    if (accountId === undefined) return undefined;
    if (!offer)
      await audit(client, {
        actor: email,
        action: 'user.register',
        subject: email,
        data: { organization, role: 'gebruiker', issuer: claims.issuer },
      });
    await linkIn(client, accountId, claims);
    return { account: { accountId, email: offer?.email ?? email, organizationId, passwordHash } };
  }).catch((error: { code?: string }) => {
    // The same person, in another window, a moment ago.
    if (error.code === '23505') return undefined;
    throw error;
  });
  return made ?? { outcome: 'again' };
}

/** Waits for the beheerder, whose word makes the account, bound to who came (applicants.store.ts). */
async function ask(
  client: Transaction,
  parts: ArrivalParts,
  newcomer: { readonly email: string; readonly passwordHash: string; readonly organizationId: number },
  { issuer, subject }: Claims,
  organization: string,
): Promise<Arrived> {
  const { email, passwordHash, organizationId } = newcomer;
  const isNew = (await addApplicant(client, newcomer)) === 'new';
  // Also where somebody asked with that address before, whose it need not be: their password is good for nothing then.
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
    'select id as "accountId", organization_id as "organizationId" from account where lower(email) = lower($1)',
    [email],
  );
  return rows[0];
}
