import type { Mail } from '#server/mail/mail.ts';
import { type MailMessage, writeLetter } from '#server/mail/mail-message.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import type { JobInfo, Jobs } from '#server/platform/jobs.ts';
import { invalid } from '#server/platform/problem.ts';
import { readableCode } from '#server/platform/readable-code.ts';
import { forgetDevices } from './known-devices.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

/** Password reset by a mailed code (AUTH-06, AUTH-07). */
export type PasswordResets = {
  /** Asks for a code for this e-mail (lower case). Costs the same whether or not an account has it. */
  request(db: Database, email: string): Promise<void>;
  /**
   * Sets the new password, ends all sessions of the account and forgets its browsers.
   * @returns the account's id
   * @throws ProblemError 400, the same for every reason
   */
  complete(pool: Pool, reset: CodeReset): Promise<number>;
};

type CodeReset = {
  /** In lower case. */
  readonly email: string;
  /** As somebody typed it over: capitals, blanks and hyphens do not count. */
  readonly code: string;
  readonly newPassword: string;
};

/** 40 bits, of which nobody gets more than five guesses. */
const CODE_LENGTH = 8;
const TRIES_PER_CODE = 5;
const VALID_MINUTES = 30;
/** 15 s, 30 s, 1, 2, 4 … 15 minutes, for as long as somebody may still be waiting. */
const POLICY = { retries: 12, firstRetryS: 15, longestRetryS: 900 };
const STALE_MS = 2 * 3_600_000;

/**
 * The code is made by the job that mails it: the request itself does not look whether there is an account, the
 * database holds only the code's hash, and the 30 minutes begin when the mail can go out.
 */
export async function openPasswordResets(
  pool: Pool,
  jobs: Jobs,
  mail: Mail,
  publicUrl: string,
): Promise<PasswordResets> {
  async function mailCode({ email }: { email: string }, { id, queuedAt }: JobInfo): Promise<void> {
    if (Date.now() - queuedAt.getTime() > STALE_MS) return;
    const { rows } = await pool.query<{ id: number; email: string }>(
      `select a.id, a.email from account a join organization o on o.id = a.organization_id
       where lower(a.email) = $1 and o.is_active`,
      [email],
    );
    const account = rows[0];
    if (!account) return;
    const code = readableCode(CODE_LENGTH);
    // The key lock: an account that is being deleted is waited for. Without it the statement would still find the
    // account, and fail on the foreign key.
    const { rowCount } = await pool.query(
      `insert into password_reset (account_id, code_hash, expires_at, tries_left)
       select id, $2, now() + make_interval(mins => $3), $4 from account where id = $1 for key share
       on conflict (account_id) do update
         set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries_left = excluded.tries_left`,
      [account.id, await hashPassword(code), VALID_MINUTES, TRIES_PER_CODE],
    );
    if (rowCount !== 1) return;
    await mail.send(resetLetter(account.email, code, VALID_MINUTES, publicUrl), id);
  }
  const queue = await jobs.queue<{ email: string }>('password-reset', POLICY, mailCode);

  return {
    request: (db, email) => queue.add(db, { email }),
    complete,
  };
}

/** The mail with the code of a password reset (MAIL-02). `code`: 8 characters, shown in two halves. */
const resetLetter = (to: string, code: string, minutes: number, publicUrl: string): MailMessage =>
  writeLetter({
    to,
    subject: 'Je code voor een nieuw wachtwoord',
    paragraphs: [
      `Je hebt om een nieuw wachtwoord voor het portaal gevraagd. Vul de code hieronder in bij 'Wachtwoord Vergeten?' op de inlogpagina. De code is ${minutes} minuten geldig en werkt één keer.`,
      'Heb je hier niet om gevraagd? Dan hoef je niets te doen: je wachtwoord blijft wat het was. Geef de code aan niemand.',
    ],
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    link: { label: 'Naar de inlogpagina', url: `${publicUrl}/signin` },
  });

async function complete(pool: Pool, { email, code, newPassword }: CodeReset): Promise<number> {
  // The try is taken before the code is looked at: guesses at the same time count too.
  const { rows } = await pool.query<{ accountId: number; codeHash: string }>(
    `update password_reset p set tries_left = p.tries_left - 1 from account a
     where a.id = p.account_id and lower(a.email) = $1 and p.expires_at > now() and p.tries_left > 0
     returning p.account_id as "accountId", p.code_hash as "codeHash"`,
    [email],
  );
  const reset = rows[0];
  const typed = code.replace(/[\s-]/g, '').toUpperCase();
  const matches = await passwordMatches(reset?.codeHash, typed);
  if (!matches || !reset || !(await setPassword(pool, reset, await hashPassword(newPassword)))) {
    throw invalid('Failed to reset password. Please check the code and try again.');
  }
  return reset.accountId;
}

/** @returns false when the code was used or replaced a moment ago */
const setPassword = (
  pool: Pool,
  { accountId, codeHash }: { accountId: number; codeHash: string },
  passwordHash: string,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'delete from password_reset where account_id = $1 and code_hash = $2',
      [accountId, codeHash],
    );
    if (rowCount !== 1) return false;
    // The sessions of the account end with its password (sql/end-sessions.sql). Whoever read the mail has shown that the
    // address is theirs.
    const { rows } = await client.query<{ email: string }>(
      `update account set password_hash = $2, confirmed_at = coalesce(confirmed_at, now()) where id = $1
       returning email`,
      [accountId, passwordHash],
    );
    const account = rows[0];
    if (!account) return false;
    await forgetDevices(client, accountId);
    await audit(client, {
      actor: account.email,
      action: 'user.reset-password',
      subject: account.email,
      data: {},
    });
    return true;
  });
