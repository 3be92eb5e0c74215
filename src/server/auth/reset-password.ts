import { timingSafeEqual } from 'node:crypto';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { invalidInputError, markWrongGuess } from '#server/platform/problem.ts';
import { RESET_MINUTES } from '#shared/domain/link-validity.ts';
import { loadGuessableFacts, type PasswordChange, setPassword } from './account-password.ts';
import { requireAcceptablePassword } from './guessable.ts';
import type { HashClient } from './hash-queue.ts';
import { forgetDevices } from './known-devices.ts';
import { hashOfToken } from './password-resets.ts';
import { hashMailedCode, hashPassword } from './passwords.ts';

type Reset = { readonly id: string; readonly accountId: number };

export type PasswordReset = PasswordChange & { readonly accountId: number };

/** Notifies the account's owner, in the transaction that sets the password. */
export type NotifyPasswordChanged = (db: Database, email: string) => Promise<void>;

const WRONG_CODE = 'Failed to reset password. Please check the code and try again.';

/**
 * Sets a new password with a mailed code, ends all sessions of the account and forgets its known browsers.
 * @param email in lower case
 * @param code as typed: capitals, spaces and hyphens make no difference
 * @throws ProblemError 400, the same for every reason except a refused password
 */
export async function resetByCode(
  pool: Pool,
  { email, code, newPassword }: { email: string; code: string; newPassword: string },
  notifyOwner: NotifyPasswordChanged,
  by: HashClient,
): Promise<PasswordReset> {
  const typed = await hashMailedCode(code.replace(/[\s-]/g, '').toUpperCase(), email, by);
  // Counts the try before it compares the code, so that simultaneous guesses count too. Rows are locked in a fixed order, so that
  // simultaneous guesses do not deadlock.
  const { rows } = await pool.query<Reset & { codeHash: Buffer }>(
    `with valid as (
       select p.id from password_reset p join account a on a.id = p.account_id
       where lower(a.email) = $1 and p.used_at is null and p.code_until > now() and p.tries_left > 0
       order by p.id for update of p
     )
     update password_reset p set tries_left = p.tries_left - 1 from valid where p.id = valid.id
     returning p.id, p.account_id, p.code_hash`,
    [email],
  );
  const reset = rows.find(({ codeHash }) => timingSafeEqual(codeHash, typed));
  if (!reset) throw markWrongGuess(invalidInputError(WRONG_CODE));
  try {
    await requireAcceptablePassword(newPassword, await loadGuessableFacts(pool, reset.accountId));
  } catch (error) {
    // The code was right, so the try does not count: the person may choose another password.
    await pool.query('update password_reset set tries_left = tries_left + 1 where id = any ($1)', [
      rows.map(({ id }) => id),
    ]);
    throw error;
  }
  const done = await complete(pool, reset, newPassword, notifyOwner);
  if (!done) throw markWrongGuess(invalidInputError(WRONG_CODE));
  return done;
}

/**
 * Sets a new password with the token of a mailed link.
 * @throws ProblemError 400 with the reason: the link or the password
 */
export async function resetByLink(
  pool: Pool,
  { token, newPassword }: { token: string; newPassword: string },
  notifyOwner: NotifyPasswordChanged,
): Promise<PasswordReset> {
  const { email: _, ...reset } = await readResetLink(pool, token);
  await requireAcceptablePassword(newPassword, await loadGuessableFacts(pool, reset.accountId));
  const done = await complete(pool, reset, newPassword, notifyOwner);
  if (!done) throw markWrongGuess(invalidInputError(USED), reset);
  return done;
}

const NEW_ONE = 'Vraag een nieuwe aan met je e-mailadres.';
const USED = `Deze link is al gebruikt, of je wachtwoord is daarna gewijzigd. Log in met je nieuwe wachtwoord. Weet je het niet? ${NEW_ONE}`;
const ENDED = `Deze link is verlopen: hij was ${RESET_MINUTES} minuten geldig. ${NEW_ONE}`;
const UNKNOWN = `Deze link is niet compleet, of te oud. Open hem nog een keer vanuit de mail. Werkt dat niet? ${NEW_ONE}`;

/**
 * Returns the account of a mailed link. Tokens cannot be guessed, so the answer may say why a link is refused.
 * @throws ProblemError 400 when the link was used, has expired, or is unknown
 */
export async function readResetLink(
  db: Database,
  token: string,
): Promise<Reset & { readonly email: string }> {
  const { rows } = await db.query<Reset & { email: string; isUsed: boolean; isOpen: boolean }>(
    `select p.id, p.account_id, a.email, p.used_at is not null as is_used, p.link_until > now() as is_open
     from password_reset p join account a on a.id = p.account_id where p.token_hash = $1`,
    [hashOfToken(token)],
  );
  const link = rows[0];
  if (!link) throw markWrongGuess(invalidInputError(UNKNOWN));
  if (link.isUsed) throw markWrongGuess(invalidInputError(USED), { accountId: link.accountId });
  if (!link.isOpen) throw markWrongGuess(invalidInputError(ENDED), { accountId: link.accountId });
  return { id: link.id, accountId: link.accountId, email: link.email };
}

/** Sets the password of a valid reset. Returns undefined when the reset was used meanwhile. */
async function complete(
  pool: Pool,
  { id, accountId }: Reset,
  newPassword: string,
  notifyOwner: NotifyPasswordChanged,
): Promise<PasswordReset | undefined> {
  const passwordHash = await hashPassword(newPassword);
  return inTransaction(pool, async (client) => {
    // Serializes two requests with one code.
    await client.query('select from account where id = $1 for no key update', [accountId]);
    const { rowCount } = await client.query(
      'update password_reset set used_at = now() where id = $1 and used_at is null',
      [id],
    );
    const set = rowCount === 1 ? await setPassword(client, accountId, passwordHash) : undefined;
    if (!set) return undefined;
    await forgetDevices(client, accountId);
    // A mailed code or link confirms the address; a link that was handed over does not.
    await client.query(
      `update account set confirmed_at = coalesce(confirmed_at, now())
       where id = $1 and not (select is_handed_over from password_reset where id = $2)`,
      [accountId, id],
    );
    await audit(client, { actor: set.email, action: 'user.reset-password', subject: set.email, data: {} });
    await notifyOwner(client, set.email);
    return { ...set, accountId };
  });
}
