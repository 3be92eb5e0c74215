import { unblockAddress } from '#server/auth/blocked-addresses.ts';
import { requireAcceptablePassword } from '#server/auth/guessable.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { accessLimitSql } from '#server/platform/limits.ts';
import { forbidden, markWrongGuess, ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { AccessLimit, Role } from '#shared/domain/access.ts';
import { ONLY_OIDC_MESSAGE } from '#shared/domain/oidc.ts';
import { invitationHash } from './invitation-mails.ts';
import { endInvitation } from './invitations.store.ts';

/** A pending invitation, which a mailed or handed-over link belongs to. */
export type PendingInvitation = {
  readonly id: number;
  readonly organizationId: number;
  readonly email: string;
  /** Functional name; `organizationName` is the display name. */
  readonly organization: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly limit: AccessLimit | null;
  /** Whether people of the organization sign in through its identity provider only; null: it has no provider. */
  readonly isOnlyOidc: boolean | null;
  /** Whether the inviter passed the link on, so that using it does not confirm the address. */
  readonly isHandedOver: boolean;
};

type Found = PendingInvitation & {
  readonly endedAs: 'accepted' | 'revoked' | null;
  readonly isOver: boolean;
  readonly isActive: boolean;
};

const offers = (
  isHandedOver: string,
): string => `select i.id, i.email, o.id as organization_id, o.name as organization, o.clean as organization_name, i.role, ${accessLimitSql('i')} as "limit",
    p.is_only as is_only_oidc, i.ended_as, i.expires_at <= now() as is_over, o.is_active,
    ${isHandedOver} as is_handed_over
  from invitation i join organization o on o.id = i.organization_id
    left join oidc_provider p on p.organization_id = o.id`;

/** Returns the invitation that a link belongs to, also when it has ended. @param hash the hash of the link's token */
export async function findInvitation(db: Database, hash: Buffer, lock = ''): Promise<Found | undefined> {
  const { rows } = await db.query<Found>(
    `${offers('i.handed_hash is not distinct from $1')} where $1 = any (i.token_hashes) ${lock}`,
    [hash],
  );
  return rows[0];
}

/** Returns the pending invitation of an address, locked until the transaction ends. */
export async function findInvitationTo(
  client: Transaction,
  organizationId: number,
  email: string,
): Promise<PendingInvitation | undefined> {
  const { rows } = await client.query<Found>(
    `${offers('false')} where o.id = $1 and lower(i.email) = lower($2) and i.ended_as is null and i.expires_at > now()
     for update of i`,
    [organizationId, email],
  );
  return rows[0];
}

/**
 * Returns the pending invitation of a link. @throws ProblemError 404 with the reason why the link is not valid, 409 when the
 * organization is disabled
 */
export async function readPendingInvitation(
  db: Database,
  token: string,
  lock = '',
): Promise<PendingInvitation> {
  const found = await findInvitation(db, invitationHash(token), lock);
  if (!found)
    throw gone('Deze link is niet geldig. Kopieer hem helemaal, of vraag om een nieuwe uitnodiging.');
  // The address is deleted, hence null, once the invitation has ended.
  const email = found.email ?? undefined;
  if (found.endedAs === 'accepted')
    throw gone("Deze uitnodiging is al gebruikt. Log in, of kies 'Wachtwoord Vergeten?'.", email);
  if (found.endedAs === 'revoked') throw gone('Deze uitnodiging is ingetrokken.', email);
  if (found.isOver) throw gone('Deze uitnodiging is verlopen. Vraag om een nieuwe.', email);
  if (!found.isActive)
    throw refused(`${found.organizationName} is uitgeschakeld: niemand kan er inloggen.`, email);
  return found;
}

/**
 * Creates the account of an invitation; if two requests arrive at the same time, one succeeds. A mailed link confirms the address;
 * a link that the inviter passed on does not. A deleted person may return this way.
 * @returns the account's e-mail
 * @throws ProblemError as readPendingInvitation(); 400 with the reason why the password is refused; 403 when passwords are not allowed; 409
 * when the address has an account by now
 */
export async function acceptInvitation(
  pool: Pool,
  secrets: Secrets,
  token: string,
  password: string,
): Promise<string> {
  // Checked before hashing, so that an invalid link costs no hash.
  const {
    organizationId,
    email: invited,
    organization: name,
    organizationName,
  } = await readPendingInvitation(pool, token);
  await requireAcceptablePassword(password, { email: invited, names: [name, organizationName] });
  const passwordHash = await hashPassword(password);
  return inTransaction(pool, async (client) => {
    await lockOrganizationBeforeInvitation(client, organizationId);
    const offer = await readPendingInvitation(client, token, 'for update of i');
    if (offer.isOnlyOidc) throw markWrongGuess(forbidden(ONLY_OIDC_MESSAGE), { email: offer.email });
    if ((await createInvitedAccount(client, secrets, offer, passwordHash)) === undefined)
      throw refused(
        'Er is al een account met dit e-mailadres. Log daarmee in, of laat je op een ander adres uitnodigen.',
        offer.email,
      );
    return offer.email;
  });
}

/** Locks the organization before the invitation, in the order in which a deletion locks them. */
export async function lockOrganizationBeforeInvitation(
  client: Transaction,
  organizationId: number,
): Promise<void> {
  await client.query('select from organization where id = $1 for no key update', [organizationId]);
}

/**
 * Creates the account of an invitation and ends the invitation; the caller has locked both.
 * @param issuer the issuer of the identity provider through which the invitation is accepted
 * @returns the account's id; undefined, without a change, when the address has an account by now
 */
export async function createInvitedAccount(
  client: Transaction,
  secrets: Secrets,
  { id, organizationId, email, organization, role, limit, isHandedOver }: PendingInvitation,
  passwordHash: string,
  issuer?: string,
): Promise<number | undefined> {
  const hasPassword = issuer === undefined;
  const isConfirmed = !isHandedOver;
  const newcomer = { email, passwordHash, organizationId, role, limit, isConfirmed, hasPassword };
  const accountId = await createAccount(client, newcomer);
  if (accountId === undefined) return undefined;
  await endInvitation(client, id, 'accepted');
  await client.query('delete from applicant where organization_id = $1 and lower(email) = lower($2)', [
    organizationId,
    email,
  ]);
  await unblockAddress(client, secrets, organizationId, email);
  await audit(client, {
    actor: email,
    action: 'invitation.accept',
    subject: email,
    data: { organization, role, ...(issuer !== undefined && { issuer }) },
  });
  return accountId;
}

const gone = (message: string, email?: string) =>
  markWrongGuess(new ProblemError('not_found', message), { email });
const refused = (message: string, email?: string) =>
  markWrongGuess(new ProblemError('conflict', message), { email });
