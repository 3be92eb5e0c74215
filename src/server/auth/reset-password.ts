import { timingSafeEqual } from 'node:crypto';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { invalid, wrongGuess } from '#server/platform/problem.ts';
import { knownOf, type PasswordSet, setPassword } from './account-password.ts';
import { requireNewPassword } from './guessable.ts';
import type { Hasher } from './hash-turns.ts';
import { forgetDevices } from './known-devices.ts';
import { hashOfToken, LINK_MINUTES } from './password-resets.ts';
import { hashCode, hashPassword } from './passwords.ts';

/** By which of its resets an account gets a new password. */
type Reset = { readonly id: string; readonly accountId: number };

export type ResetDone = PasswordSet & { readonly accountId: number };

/** Made known in the transaction of the new password. */
export type Tell = (db: Database, email: string) => Promise<void>;

const WRONG_CODE = 'Failed to reset password. Please check the code and try again.';

/**
 * Sets a new password with a mailed code, ends all sessions of the account and forgets its browsers.
 * @param email in lower case
 * @param code as somebody typed it over: capitals, blanks and hyphens do not count
 * @throws ProblemError 400, the same for every reason that is not the new password
 */
export async function resetByCode(
  pool: Pool,
  { email, code, newPassword }: { email: string; code: string; newPassword: string },
  tell: Tell,
  by: Hasher,
): Promise<ResetDone> {
  const typed = await hashCode(code.replace(/[\s-]/g, '').toUpperCase(), email, by);
  // The try is taken before the code is looked at: guesses at the same time count too. In one order, so that those
  // wait for each other.
  const { rows } = await pool.query<Reset & { codeHash: Buffer }>(
    `with valid as (
       select p.id from password_reset p join account a on a.id = p.account_id
       where lower(a.email) = $1 and p.used_at is null and p.code_until > now() and p.tries_left > 0
       order by p.id for update of p
     )
     update password_reset p set tries_left = p.tries_left - 1 from valid where p.id = valid.id
     returning p.id, p.account_id as "accountId", p.code_hash as "codeHash"`,
    [email],
  );
  const reset = rows.find(({ codeHash }) => timingSafeEqual(codeHash, typed));
  if (!reset) throw wrongGuess(invalid(WRONG_CODE));
  try {
    await requireNewPassword(newPassword, await knownOf(pool, reset.accountId));
  } catch (error) {
    // It was no guess: whoever has the code may think of another password.
    await pool.query('update password_reset set tries_left = tries_left + 1 where id = any ($1)', [
      rows.map(({ id }) => id),
    ]);
    throw error;
  }
  const done = await complete(pool, reset, newPassword, tell);
  if (!done) throw wrongGuess(invalid(WRONG_CODE));
  return done;
}

/**
 * The same with the token of a mailed link.
 * @throws ProblemError 400 with what is wrong with the link, or with the password
 */
export async function resetByLink(
  pool: Pool,
  { token, newPassword }: { token: string; newPassword: string },
  tell: Tell,
): Promise<ResetDone> {
  const { email: _, ...reset } = await openLink(pool, token);
  await requireNewPassword(newPassword, await knownOf(pool, reset.accountId));
  const done = await complete(pool, reset, newPassword, tell);
  if (!done) throw wrongGuess(invalid(USED), reset);
  return done;
}

const NEW_ONE = 'Vraag een nieuwe aan met je e-mailadres.';
const USED = `Deze link is al gebruikt, of je wachtwoord is daarna gewijzigd. Log in met je nieuwe wachtwoord. Weet je het niet? ${NEW_ONE}`;
const ENDED = `Deze link is verlopen: hij was ${LINK_MINUTES} minuten geldig. ${NEW_ONE}`;
const UNKNOWN = `Deze link is niet compleet, of te oud. Open hem nog een keer vanuit de mail. Werkt dat niet? ${NEW_ONE}`;

/**
 * Whose a mailed link is. Nobody guesses its token, so whoever has it is told what is wrong.
 * @throws ProblemError 400: used, ended, or not known
 */
export async function openLink(db: Database, token: string): Promise<Reset & { readonly email: string }> {
  const { rows } = await db.query<Reset & { email: string; isUsed: boolean; isOpen: boolean }>(
    `select p.id, p.account_id as "accountId", a.email, p.used_at is not null as "isUsed", p.link_until > now() as "isOpen"
     from password_reset p join account a on a.id = p.account_id where p.token_hash = $1`,
    [hashOfToken(token)],
  );
  const link = rows[0];
  if (!link) throw wrongGuess(invalid(UNKNOWN));
  if (link.isUsed) throw wrongGuess(invalid(USED), { accountId: link.accountId });
  if (!link.isOpen) throw wrongGuess(invalid(ENDED), { accountId: link.accountId });
  return { id: link.id, accountId: link.accountId, email: link.email };
}

/** @returns undefined when it was used a moment ago */
async function complete(
  pool: Pool,
  { id, accountId }: Reset,
  newPassword: string,
  tell: Tell,
): Promise<ResetDone | undefined> {
  const passwordHash = await hashPassword(newPassword);
  return inTransaction(pool, async (client) => {
    // Two with one code take turns here.
    await client.query('select from account where id = $1 for no key update', [accountId]);
    const { rowCount } = await client.query(
      'update password_reset set used_at = now() where id = $1 and used_at is null',
      [id],
    );
    const set = rowCount === 1 ? await setPassword(client, accountId, passwordHash) : undefined;
    if (!set) return undefined;
    await forgetDevices(client, accountId);
    // Whoever read the mail has shown that the address is theirs.
    await client.query(
      `update account set confirmed_at = coalesce(confirmed_at, now())
       where id = $1 and not (select is_handed_over from password_reset where id = $2)`,
      [accountId, id],
    );
    await audit(client, { actor: set.email, action: 'user.reset-password', subject: set.email, data: {} });
    await tell(client, set.email);
    return { ...set, accountId };
  });
}
