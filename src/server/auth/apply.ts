import type { Mail } from '#server/mail/mail.ts';
import { writeLetter } from '#server/mail/mail-message.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';

/** Of one organization at once: more is somebody who found its code. */
const MOST_WAITING = 200;
/** While people wait already, the next mail about it comes after this time. */
const MAIL_EVERY_HOURS = 1;

type Newcomer = { readonly email: string; readonly passwordHash: string; readonly organizationId: number };

/** `again`: they wait there already, and nothing is replaced; `known`: the e-mail has an account; `full`: too many wait. */
export type Applied = 'new' | 'again' | 'known' | 'full';

/**
 * Notes who asks to be let in; call it under the lock on the organization. `full` comes before `known`, so that it does not
 * depend on who has an account.
 */
export async function apply(
  client: Transaction,
  { email, passwordHash, organizationId }: Newcomer,
): Promise<Applied> {
  const { rows } = await client.query<{ isFull: boolean; isKnown: boolean }>(
    `select (select count(*) from applicant where organization_id = $1) >= $3 as "isFull",
       exists (select from account where lower(email) = lower($2)) as "isKnown"`,
    [organizationId, email, MOST_WAITING],
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
 * when it has none.
 * At once when nobody waited, else once an hour. It names nobody: an address may be mistyped.
 */
export async function tellOfApplicants(
  client: Transaction,
  { mail, publicUrl }: { readonly mail: Mail; readonly publicUrl: string },
  organizationId: number,
): Promise<void> {
  const { rows: told } = await client.query<{ clean: string }>(
    `update organization o set applicants_told_at = now()
     where id = $1 and (
       applicants_told_at is null or applicants_told_at < now() - make_interval(hours => $2)
       or (select count(*) from applicant where organization_id = $1) = 1
     ) returning clean`,
    [organizationId, MAIL_EVERY_HOURS],
  );
  const organization = told[0]?.clean;
  if (organization === undefined) return;
  for (const to of await peopleWhoDecide(client, organizationId)) {
    const letter = writeLetter({
      to,
      subject: `Er wacht iemand op toelating bij ${organization}`,
      paragraphs: [
        `Iemand heeft zich met de code van ${organization} geregistreerd en kan pas inloggen als jij dat toelaat.`,
        "Ken je diegene niet? Kies dan 'Weiger', en vernieuw de code als die bij vreemden terechtkwam.",
      ],
      link: { label: 'Laat toe of weiger', url: `${publicUrl}/Users/` },
    });
    await mail.queue(client, letter);
  }
}

async function peopleWhoDecide(db: Database, organizationId: number): Promise<string[]> {
  const { rows } = await db.query<{ email: string; isOwn: boolean }>(
    `select a.email, a.organization_id = $1 as "isOwn"
     from account a join organization o on o.id = a.organization_id
     where (o.id = $1 and a.role = 'beheerder' and not (a.must_confirm and a.confirmed_at is null))
       or (o.name = $2 and a.role = 'administrator') order by a.id`,
    [organizationId, ADMIN_ORGANIZATION],
  );
  const own = rows.filter(({ isOwn }) => isOwn);
  return (own.length > 0 ? own : rows).map(({ email }) => email);
}
