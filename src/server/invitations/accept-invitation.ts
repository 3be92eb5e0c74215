import { forgetDeparted } from '#server/auth/departed.ts';
import { requireNewPassword } from '#server/auth/guessable.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { ProblemError, wrongGuess } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Role } from '#shared/domain/access.ts';
import { invitationHash } from './invitation-mails.ts';
import { endInvitation } from './invitations.store.ts';

/** What a link invites to. */
export type Offer = {
  readonly id: number;
  readonly organizationId: number;
  readonly email: string;
  /** Functional and display name of the organization. */
  readonly organization: string;
  readonly organizationName: string;
  readonly role: Role;
};

type Found = Offer & {
  readonly endedAs: 'accepted' | 'revoked' | null;
  readonly isOver: boolean;
  readonly isActive: boolean;
};

/** @throws ProblemError 404 with what is the matter with the link, 409 when the organization is switched off */
export async function readOffer(db: Database, token: string, lock = ''): Promise<Offer> {
  const { rows } = await db.query<Found>(
    `select i.id, i.email, o.id as "organizationId", o.name as organization, o.clean as "organizationName", i.role,
       i.ended_as as "endedAs", i.expires_at <= now() as "isOver", o.is_active as "isActive"
     from invitation i join organization o on o.id = i.organization_id where $1 = any (i.token_hashes) ${lock}`,
    [invitationHash(token)],
  );
  const found = rows[0];
  if (!found)
    throw gone('Deze link is niet geldig. Kopieer hem helemaal, of vraag om een nieuwe uitnodiging.');
  // null once it has ended.
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
 * Makes the account that a link invites to. Of two who do it at once one has it. Who reads the mail has shown that the
 * address is theirs, and who was deleted before is back by this.
 * @returns its e-mail
 * @throws ProblemError as readOffer(); 400 with why the password is refused; 409 when the address has an account by now
 */
export async function acceptInvitation(
  pool: Pool,
  secrets: Secrets,
  token: string,
  password: string,
): Promise<string> {
  // A link that is none costs no hash.
  const {
    organizationId,
    email: invited,
    organization: name,
    organizationName,
  } = await readOffer(pool, token);
  await requireNewPassword(password, { email: invited, names: [name, organizationName] });
  const passwordHash = await hashPassword(password);
  return inTransaction(pool, async (client) => {
    // Before the invitation, as whoever deletes the organization takes them.
    await client.query('select from organization where id = $1 for no key update', [organizationId]);
    const { id, email, organization, role } = await readOffer(client, token, 'for update of i');
    const accountId = await createAccount(client, {
      email,
      passwordHash,
      organizationId,
      role,
      isConfirmed: true,
    });
    if (accountId === undefined)
      throw refused(
        'Er is al een account met dit e-mailadres. Log daarmee in, of laat je op een ander adres uitnodigen.',
        email,
      );
    await endInvitation(client, id, 'accepted');
    await client.query('delete from applicant where organization_id = $1 and lower(email) = lower($2)', [
      organizationId,
      email,
    ]);
    await forgetDeparted(client, secrets, organizationId, email);
    await audit(client, {
      actor: email,
      action: 'invitation.accept',
      subject: email,
      data: { organization, role },
    });
    return email;
  });
}

const gone = (message: string, email?: string) =>
  wrongGuess(new ProblemError('not_found', message), { email });
const refused = (message: string, email?: string) =>
  wrongGuess(new ProblemError('conflict', message), { email });
