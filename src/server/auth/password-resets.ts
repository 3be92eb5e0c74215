import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Mailer } from '#server/mail/mail.ts';
import { composeMail, type MailMessage } from '#server/mail/mail-message.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { JobInfo, Jobs } from '#server/platform/jobs.ts';
import { readableCode } from '#server/platform/readable-code.ts';
import { RESET_MINUTES } from '#shared/domain/link-validity.ts';
import { mailOidcOnlyAccount } from './local-sign-in.ts';
import { hashMailedCode } from './passwords.ts';

/** Lets people who forgot their password choose a new one: by a mailed link, or by a code on another device (AUTH-06, AUTH-07). */
export type PasswordResets = {
  /** Queues a reset mail to this e-mail (lower case). Takes as long with as without an account. */
  request(db: Database, email: string): Promise<void>;
  /**
   * Returns a link like the mailed one, for a person to pass on when no mail server sends it. Using it does not confirm the
   * address. undefined: the account does not exist, its organization is disabled, or it has MAX_VALID_LINKS valid links already.
   */
  handOver(client: Transaction, email: string): Promise<string | undefined>;
};

/** Characters of a mailed code. Its 40 bits are enough, because an attacker gets at most five guesses. */
const CODE_LENGTH = 8;
const TRIES_PER_CODE = 5;
const CODE_MINUTES = 10;
/** Length of a mailed link's token: 128 bits. */
const TOKEN_BYTES = 16;
/**
 * Valid links per account. Further requests send no mail, because the mailed links still work. So strangers cannot fill a
 * mailbox, nor void the owner's links.
 */
const MAX_VALID_LINKS = 5;
/** How long a used or expired link is kept, to say so when it is opened. */
const REMEMBERED_HOURS = 24;
/** Retries after 15 s, 30 s, 1, 2, 4 … 15 minutes, while a person may still be waiting. */
const POLICY = { retries: 12, firstRetryS: 15, longestRetryS: 900 };
const STALE_MS = 2 * 3_600_000;

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Opens the password resets. The mail job makes the code and the token: the request does not reveal whether an account exists, the
 * database holds only hashes, and the validity begins when the mail can be sent.
 */
export async function openPasswordResets(
  pool: Pool,
  jobs: Jobs,
  mail: Mailer,
  publicUrl: string,
): Promise<PasswordResets> {
  async function mailReset({ email }: { email: string }, { id, queuedAt }: JobInfo): Promise<void> {
    if (Date.now() - queuedAt.getTime() > STALE_MS) return;
    if (await mailOidcOnlyAccount(pool, mail, publicUrl, email, id)) return;
    const code = readableCode(CODE_LENGTH);
    const token = newToken();
    const hashes = { code: await hashMailedCode(code, email), token: hashOfToken(token) };
    const reset = { id, email, ...hashes, isHandedOver: false };
    const to = await inTransaction(pool, (client) => keep(client, reset));
    if (to !== undefined) await mail.send(resetEmail(to, code, token, publicUrl), id);
  }
  const queue = await jobs.queue<{ email: string }>('password-reset', POLICY, mailReset);
  return {
    request: (db, email) => queue.add(db, { email }),
    async handOver(client, email) {
      const token = newToken();
      // The table requires a code; no person sees this one.
      const code = await hashMailedCode(readableCode(CODE_LENGTH), email.toLowerCase());
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

/** Stores a reset. Returns the account's address; undefined when there is no account to mail, or it has MAX_VALID_LINKS valid links. */
async function keep(
  client: Transaction,
  { id, email, code, token, isHandedOver }: NewReset,
): Promise<string | undefined> {
  // The lock waits for a deletion of the account, and serializes the reset requests of one account.
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
    [id, account.id, code, CODE_MINUTES, TRIES_PER_CODE, token, RESET_MINUTES, MAX_VALID_LINKS, isHandedOver],
  );
  return rowCount === 1 ? account.email : undefined;
}

/**
 * Returns the mail of a password reset (MAIL-02). The token is after the '#' of the link, because browsers do not send that part,
 * so that it gets into no log and no Referer. `code`: 8 characters, shown in two halves.
 */
const resetEmail = (to: string, code: string, token: string, publicUrl: string): MailMessage =>
  composeMail({
    to,
    subject: 'Je code voor een nieuw wachtwoord',
    paragraphs: [
      `Je hebt om een nieuw wachtwoord voor het portaal gevraagd. Kies het met de link hieronder. Die is ${RESET_MINUTES} minuten geldig en werkt één keer.`,
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
