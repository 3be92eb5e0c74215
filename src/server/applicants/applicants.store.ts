import type { AddressConfirmation } from '#server/auth/address-confirmation.ts';
import { blockAddress } from '#server/auth/blocked-addresses.ts';
import { notifyKnownAddress } from '#server/auth/known-address.ts';
import { createAccount } from '#server/auth/new-account.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { composeMail } from '#server/mail/mail-message.ts';
import { linkIdentityIn } from '#server/oidc/identities.store.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Applicant } from '#shared/contract/applicants.ts';
import type { Scope } from '#shared/domain/access.ts';

const APPLICANTS = `from applicant p join organization o on o.id = p.organization_id
  where ($1::integer[] is null or /*rule:applicants-scope*/ o.id = any ($1) /*=true*/)`;

/** Returns the applicants inside the scope, the longest waiting first. */
export async function listApplicants(db: Database, scope: Scope): Promise<Applicant[]> {
  const { rows } = await db.query<Applicant>(
    `select p.id as _id, p.email, o.name as organization, o.clean as cleanorg,
       to_char(p.asked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as asked,
       not o.had_account as becomes_beheerder
     ${APPLICANTS} order by p.asked_at, p.id`,
    [organizationsParameter(scope)],
  );
  return rows;
}

/**
 * Admits an applicant: creates the account and mails the person. When the address has an account by now, that account stays as
 * it is and its owner gets a mail; the caller gets the usual answer, because the account may belong to another organization.
 * @returns the link to pass on when no mail server sends the mail and the applicant has to confirm the address
 * @throws ProblemError 404 outside the caller's scope
 */
export const admitApplicant = (
  pool: Pool,
  parts: {
    readonly confirmation: AddressConfirmation;
    readonly mail: Mailer;
    readonly publicUrl: string;
  },
  caller: Caller,
  id: number,
): Promise<string | undefined> =>
  inTransaction(pool, async (client) => {
    const applicant = await takeApplicant(client, caller, id);
    const { email, passwordHash, organizationId, organization, issuer, subject } = applicant;
    const identity = issuer !== null && subject !== null ? { issuer, subject } : undefined;
    // An identity provider vouches for the address; a registration by code does not.
    const byCode = identity === undefined;
    const accountId = await createAccount(client, {
      email,
      passwordHash,
      organizationId,
      hasPassword: byCode,
      mustConfirm: byCode,
    });
    const link = byCode ? parts.confirmation.handOver(organizationId, email) : undefined;
    await audit(client, {
      actor: caller.email,
      action: 'user.admit',
      subject: email,
      data: { organization, ...(link !== undefined && { handedOver: true }) },
      organizationId,
    });
    if (accountId === undefined) {
      await notifyKnownAddress(client, parts, email, applicant.organizationName);
      return link;
    }
    if (identity) await linkIdentityIn(client, accountId, identity);
    await parts.confirmation.ask(client, accountId, true);
    return link;
  });

/**
 * Refuses an applicant, who gets a mail and cannot apply again with the code.
 * @throws ProblemError 404 outside the caller's scope
 */
export const refuseApplicant = (
  pool: Pool,
  parts: { readonly mail: Mailer; readonly secrets: Secrets; readonly publicUrl: string },
  caller: Caller,
  id: number,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { email, organizationId, organization, organizationName } = await takeApplicant(client, caller, id);
    await blockAddress(client, parts.secrets, organizationId, email);
    await audit(client, {
      actor: caller.email,
      action: 'user.refuse',
      subject: email,
      data: { organization },
      organizationId,
    });
    const message = composeMail({
      to: email,
      subject: `Je aanvraag bij ${organizationName}`,
      paragraphs: [
        `Je vroeg om een account in het portaal van ${organizationName}. De beheerder heeft je aanvraag niet toegelaten.`,
        'Klopt dat niet? Vraag de beheerder dan om een uitnodiging.',
      ],
      link: { label: 'Naar het portaal', url: `${parts.publicUrl}/signin` },
    });
    await parts.mail.queue(client, message);
  });

type StoredApplicant = {
  readonly email: string;
  readonly passwordHash: string;
  /** Issuer of the identity provider through which the person applied; null: by code. */
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly organizationId: number;
  readonly organization: string;
  readonly organizationName: string;
};

/** Deletes the applicant from the list and returns it. If two people decide at the same time, only the first gets the applicant. */
async function takeApplicant(client: Transaction, caller: Caller, id: number): Promise<StoredApplicant> {
  const { scope } = caller;
  const missing = () => notFound('Deze aanvraag is er niet (meer).');
  // Locks the organization before the applicant, in the order in which a deletion locks them.
  const { rows: where } = await client.query<{ isActive: boolean }>(
    `select o.is_active ${APPLICANTS} and p.id = $2 for no key update of o`,
    [organizationsParameter(scope), id],
  );
  if (!where[0]) throw missing();
  if (!where[0].isActive)
    throw new ProblemError('conflict', 'Deze organisatie is uitgeschakeld: niemand kan er inloggen.');
  const { rows } = await client.query<StoredApplicant>(
    `delete from applicant p using organization o where o.id = p.organization_id and p.id = $1
     returning p.email, p.password_hash, p.issuer, p.subject, o.id as organization_id, o.name as organization,
       o.clean as organization_name`,
    [id],
  );
  if (!rows[0]) throw missing();
  return rows[0];
}
