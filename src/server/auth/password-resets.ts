import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Mail } from '#server/mail/mail.ts';
import { type MailMessage, writeLetter } from '#server/mail/mail-message.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { JobInfo, Jobs } from '#server/platform/jobs.ts';
import { readableCode } from '#server/platform/readable-code.ts';
import { mailOnlyOidc } from './local-sign-in.ts';
import { hashCode } from './passwords.ts';

/** Ways to a new password for who forgot it: a mail with a link, and a code for another device (AUTH-06, AUTH-07). */
export type PasswordResets = {
  /** Asks for such a mail to this e-mail (lower case). Costs the same whether or not an account has it. */
  request(db: Database, email: string): Promise<void>;
  /**
   * Returns a link as the mail has, to hand over where no mail server brings it. The link does not prove who reads the mail of
   * that address. undefined: the account is gone, its organization is disabled, or it has enough links.
   */
  handOver(client: Transaction, email: string): Promise<string | undefined>;
};

/** 40 bits, of which nobody gets more than five guesses. */
const CODE_LENGTH = 8;
const TRIES_PER_CODE = 5;
const CODE_MINUTES = 10;
/** 128 bits: nobody guesses one. */
const TOKEN_BYTES = 16;
export const LINK_MINUTES = 30;
/**
 * Links of one account that are valid together. Whoever asks for more gets no mail, and needs none: those that were
 * mailed work. So strangers who ask fill nobody's mailbox, and stop no owner.
 */
const MOST_AT_ONCE = 5;
/** How long it is known that a link was used, or has ended, to say so. */
const REMEMBERED_HOURS = 24;
/** 15 s, 30 s, 1, 2, 4 … 15 minutes, for as long as somebody may still be waiting. */
const POLICY = { retries: 12, firstRetryS: 15, longestRetryS: 900 };
const STALE_MS = 2 * 3_600_000;

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Code and token are made by the job that mails them: the request itself does not look whether there is an account, the
 * database holds only hashes, and the minutes begin when the mail can go out.
 */
export async function openPasswordResets(
  pool: Pool,
  jobs: Jobs,
  mail: Mail,
  publicUrl: string,
): Promise<PasswordResets> {
  async function mailReset({ email }: { email: string }, { id, queuedAt }: JobInfo): Promise<void> {
    if (Date.now() - queuedAt.getTime() > STALE_MS) return;
    if (await mailOnlyOidc(pool, mail, publicUrl, email, id)) return;
    const code = readableCode(CODE_LENGTH);
    const token = newToken();
    const hashes = { code: await hashCode(code, email), token: hashOfToken(token) };
    const reset = { id, email, ...hashes, isHandedOver: false };
    const to = await inTransaction(pool, (client) => keep(client, reset));
    if (to !== undefined) await mail.send(resetLetter(to, code, token, publicUrl), id);
  }
  const queue = await jobs.queue<{ email: string }>('password-reset', POLICY, mailReset);
  return {
    request: (db, email) => queue.add(db, { email }),
    async handOver(client, email) {
      const token = newToken();
      // The table requires a code; no person sees this one.
      const code = await hashCode(readableCode(CODE_LENGTH), email.toLowerCase());
      const hashes = { code, token: hashOfToken(token) };
      const reset = { id: randomUUID(), email: email.toLowerCase(), ...hashes, isHandedOver: true };
      const to = await keep(client, reset);
      return to && linkOf(token, publicUrl);
    },
  };
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const linkOf = (token: string, publicUrl: string): string => `${publicUrl}/signin#reset=${token}`;

type NewReset = {
  readonly id: string;
  readonly email: string;
  readonly code: Buffer;
  readonly token: Buffer;
  readonly isHandedOver: boolean;
};

/** @returns the address of the account; undefined when there is nobody to mail, or enough was mailed */
async function keep(
  client: Transaction,
  { id, email, code, token, isHandedOver }: NewReset,
): Promise<string | undefined> {
  // The lock: an account that is being deleted is waited for, and requests for one are counted in turn.
  const { rows } = await client.query<{ id: number; email: string }>(
    `select a.id, a.email from account a join organization o on o.id = a.organization_id
       where lower(a.email) = $1 and o.is_active for no key update of a`,
    [email],
  );
  const account = rows[0];
  if (!account) return undefined;
  const { rowCount } = await client.query(
    `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until, is_handed_over)
       select $1, $2, $3, now() + make_interval(mins => $4), $5, $6, now() + make_interval(mins => $7), $9
       where (
         select count(*) from password_reset
         where account_id = $2 and id <> $1 and used_at is null and link_until > now() and is_handed_over = $9
       ) < $8
       on conflict (id) do update
         set code_hash = excluded.code_hash, code_until = excluded.code_until, tries_left = excluded.tries_left,
           token_hash = excluded.token_hash, link_until = excluded.link_until
         where password_reset.used_at is null`,
    [id, account.id, code, CODE_MINUTES, TRIES_PER_CODE, token, LINK_MINUTES, MOST_AT_ONCE, isHandedOver],
  );
  return rowCount === 1 ? account.email : undefined;
}

/**
 * The mail of a password reset (MAIL-02). The token stands behind the '#', which a browser sends to nobody: it comes into
 * no log and no Referer. `code`: 8 characters, shown in two halves.
 */
const resetLetter = (to: string, code: string, token: string, publicUrl: string): MailMessage =>
  writeLetter({
    to,
    subject: 'Je code voor een nieuw wachtwoord',
    paragraphs: [
      `Je hebt om een nieuw wachtwoord voor het portaal gevraagd. Kies het met de link hieronder. Die is ${LINK_MINUTES} minuten geldig en werkt één keer.`,
      `Lees je deze mail op een ander apparaat? Vul dan daar deze code in bij 'Wachtwoord Vergeten?' op de inlogpagina. De code is ${CODE_MINUTES} minuten geldig en werkt één keer.`,
      'Heb je hier niet om gevraagd? Dan hoef je niets te doen: je wachtwoord blijft wat het was. Geef de link en de code aan niemand.',
    ],
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    link: { label: 'Kies een nieuw wachtwoord', url: linkOf(token, publicUrl) },
  });

export async function removeOldResets(db: Database): Promise<void> {
  await db.query(`delete from password_reset where link_until < now() - make_interval(hours => $1)`, [
    REMEMBERED_HOURS,
  ]);
}
