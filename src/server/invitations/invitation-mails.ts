import { createHash, randomBytes } from 'node:crypto';
import type { Mailer } from '#server/mail/mail.ts';
import { composeMail, type MailMessage } from '#server/mail/mail-message.ts';
import type { Database, Pool } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, Jobs } from '#server/platform/jobs.ts';
import { currentAccountJsonSql } from '#server/platform/people.ts';
import type { Role } from '#shared/domain/access.ts';
import { type CurrentAccount, currentAccountSeenBy } from '#shared/domain/known-people.ts';
import { INVITATION_DAYS } from '#shared/domain/link-validity.ts';

export type InvitationMails = {
  /** Queues the mail, in the transaction of `db`. */
  queue(db: Database, invitationId: number): Promise<void>;
  /** Returns a link like the mailed one, for the inviter to pass on; undefined when a mail server sends the mail (SMTP_URL). */
  handOver(db: Database, invitationId: number): Promise<string | undefined>;
};

/** Length of a mailed link's token: 128 bits. */
const TOKEN_BYTES = 16;
/** Name of the queue. */
export const INVITATION_MAIL_QUEUE = 'invitation-mail';
/** Retries after 15 s, 30 s, 1, 2, 4 … 15 minutes, as long as the invitation lasts. */
const POLICY: JobPolicy = { retries: 700, firstRetryS: 15, longestRetryS: 900 };

export const invitationHash = (token: string): Buffer => createHash('sha256').update(token).digest();

type Invited = {
  readonly email: string;
  readonly organization: string;
  readonly role: Role;
  readonly by: string | undefined;
  readonly exists: boolean;
};

type Row = Omit<Invited, 'by'> & {
  readonly organizationId: number;
  readonly invitedBy: CurrentAccount | null;
};

/**
 * Opens the mails of invitations. The job that sends a mail makes its token, so that the database holds only the token's hash. Each retry
 * makes another token, and the link in every mail that arrives works. A person who already has an account gets a mail that says what to do
 * instead. The inviter does not learn of that account, because it may belong to another organization.
 */
export async function openInvitationMails(
  pool: Pool,
  jobs: Jobs,
  mail: Mailer,
  publicUrl: string,
  hasMailServer: boolean,
): Promise<InvitationMails> {
  async function send({ invitationId }: { invitationId: number }, { id }: JobInfo): Promise<void> {
    const { rows } = await pool.query<Row>(
      `select i.email, o.clean as organization, o.id as organization_id, i.role, ${currentAccountJsonSql('i.invited_by')} as invited_by,
         exists (select from account a where lower(a.email) = lower(i.email)) as exists
       from invitation i join organization o on o.id = i.organization_id and o.is_active
       where i.id = $1 and i.ended_as is null and i.expires_at > now()`,
      [invitationId],
    );
    if (!rows[0]) return;
    const { organizationId, invitedBy, ...row } = rows[0];
    // The mail names the inviter as people of the organization see them, because the invited person will be one of those people.
    const by = currentAccountSeenBy({ organizations: [organizationId] }, invitedBy);
    const invited: Invited = { ...row, by: by?.email ?? by?.name };
    if (invited.exists) return mail.send(accountEmail(invited, publicUrl), id);
    const token = newToken();
    const { rowCount } = await pool.query(
      'update invitation set token_hashes = token_hashes || $2::bytea where id = $1 and ended_as is null',
      [invitationId, invitationHash(token)],
    );
    if (rowCount === 1) await mail.send(invitationEmail(invited, token, publicUrl), id);
  }
  const queue = await jobs.queue<{ invitationId: number }>(INVITATION_MAIL_QUEUE, POLICY, send);
  return {
    queue: (db, invitationId) => queue.add(db, { invitationId }),
    async handOver(db, invitationId) {
      if (hasMailServer) return undefined;
      const token = newToken();
      await db.query(
        'update invitation set token_hashes = token_hashes || $2::bytea, handed_hash = $2 where id = $1',
        [invitationId, invitationHash(token)],
      );
      return linkOf(token, publicUrl);
    },
  };
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const linkOf = (token: string, publicUrl: string): string => `${publicUrl}/uitnodiging#${token}`;

const invites = ({ by, organization }: Invited): string =>
  by === undefined
    ? `Je bent uitgenodigd voor het portaal van ${organization}.`
    : `${by} nodigt je uit voor het portaal van ${organization}.`;

const invitationEmail = (invited: Invited, token: string, publicUrl: string): MailMessage =>
  composeMail({
    to: invited.email,
    subject: `Uitnodiging voor ${invited.organization}`,
    paragraphs: [
      `${invites(invited)} Daar zie je waar de machines zijn en hoe het met hun accu's staat.`,
      `Met de link hieronder maak je je account en kun je meteen beginnen, als ${invited.role}. De link is ${INVITATION_DAYS} dagen geldig en werkt één keer.`,
      'Verwachtte je dit niet? Dan hoef je niets te doen. Geef de link aan niemand.',
    ],
    link: { label: 'Neem de uitnodiging aan', url: linkOf(token, publicUrl) },
  });

const accountEmail = (invited: Invited, publicUrl: string): MailMessage =>
  composeMail({
    to: invited.email,
    subject: `Uitnodiging voor ${invited.organization}`,
    paragraphs: [
      `${invites(invited)} Met dit e-mailadres is er al een account, en een account hoort bij één organisatie. Daarom kun je de uitnodiging zo niet aannemen.`,
      `Wil je overstappen naar ${invited.organization}? Vraag de beheerder van je huidige organisatie om je account te verwijderen, en daarna om een nieuwe uitnodiging. Wil je beide, laat je dan op een ander e-mailadres uitnodigen.`,
      'Wie je uitnodigde hoort niet dat je al een account hebt.',
    ],
    link: { label: 'Naar het portaal', url: `${publicUrl}/signin` },
  });
