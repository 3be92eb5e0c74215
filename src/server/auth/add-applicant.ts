import type { Mailer } from '#server/mail/mail.ts';
import { composeMail } from '#server/mail/mail-message.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';

/** Maximum number of waiting applicants per organization. More than that means that strangers found its code. */
const MAX_WAITING = 200;
/** Shortest time between two mails while applicants are waiting. */
const MAIL_EVERY_HOURS = 1;

type Newcomer = { readonly email: string; readonly passwordHash: string; readonly organizationId: number };

/**
 * `again`: the e-mail is on the organization's list already, and its first request stays; `known`: the e-mail has an account; `full`: too
 * many applicants.
 */
export type AddApplicantResult = 'new' | 'again' | 'known' | 'full';

/**
 * Adds an applicant. The caller holds the lock on the organization. `full` is checked before `known`, so that the answer does
 * not depend on whether an account exists.
 */
export async function addApplicant(
  client: Transaction,
  { email, passwordHash, organizationId }: Newcomer,
): Promise<AddApplicantResult> {
  const { rows } = await client.query<{ isFull: boolean; isKnown: boolean }>(
    `select (select count(*) from applicant where organization_id = $1) >= $3 as is_full,
       exists (select from account where lower(email) = lower($2)) as is_known`,
    [organizationId, email, MAX_WAITING],
  );
  if (rows[0]?.isFull) return 'full';
  if (rows[0]?.isKnown) return 'known';
  const { rowCount } = await client.query(
    `insert into applicant (organization_id, email, password_hash) values ($1, $2, $3)
     on conflict (lower(email), organization_id) do nothing`,
    [organizationId, email, passwordHash],
  );
  return rowCount === 1 ? 'new' : 'again';
}

/**
 * Mails the people who decide about applicants: the organization's beheerders with a confirmed address, or the administrators
 * when it has no such beheerder. The mail goes out at once for the first applicant, and at most once an hour for later ones. It
 * does not name the applicant, because the address may be mistyped.
 */
export async function notifyOfApplicants(
  client: Transaction,
  { mail, publicUrl }: { readonly mail: Mailer; readonly publicUrl: string },
  organizationId: number,
): Promise<void> {
  const { rows: notified } = await client.query<{ clean: string }>(
    `update organization o set applicants_told_at = now()
     where id = $1 and (
       applicants_told_at is null or applicants_told_at < now() - make_interval(hours => $2)
       or (select count(*) from applicant where organization_id = $1) = 1
     ) returning clean`,
    [organizationId, MAIL_EVERY_HOURS],
  );
  const organization = notified[0]?.clean;
  if (organization === undefined) return;
  for (const to of await findDeciders(client, organizationId)) {
    const message = composeMail({
      to,
      subject: `Er wacht iemand op toelating bij ${organization}`,
      paragraphs: [
        `Iemand heeft zich met de code van ${organization} geregistreerd en kan pas inloggen als jij dat toelaat.`,
        "Ken je diegene niet? Kies dan 'Weiger', en vernieuw de code als die bij vreemden terechtkwam.",
      ],
      link: { label: 'Laat toe of weiger', url: `${publicUrl}/Users/` },
    });
    await mail.queue(client, message);
  }
}

async function findDeciders(db: Database, organizationId: number): Promise<string[]> {
  const { rows } = await db.query<{ email: string; isOwn: boolean }>(
    `select a.email, a.organization_id = $1 as is_own
     from account a join organization o on o.id = a.organization_id
     where (o.id = $1 and a.role = 'beheerder' and not (a.must_confirm and a.confirmed_at is null))
       or (o.name = $2 and a.role = 'administrator') order by a.id`,
    [organizationId, ADMIN_ORGANIZATION],
  );
  const own = rows.filter(({ isOwn }) => isOwn);
  return (own.length > 0 ? own : rows).map(({ email }) => email);
}
