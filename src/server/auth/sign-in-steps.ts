import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';

/** Time after the password within which the second factor must be presented. */
export const SECOND_STEP_MINUTES = 5;
const TRIES_PER_STEP = 5;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** An account whose right password was entered, with the password hash at that time. */
export type StepAccount = { readonly accountId: number; readonly passwordHash: string };

/** An account's identity at its organization's identity provider. */
export type ProviderIdentity = { readonly issuer: string; readonly subject: string };

/**
 * Begins the second step of a sign-in.
 * @param known undefined: a sign-in by passkey without a password
 * @param link the identity to link to the account once the second factor is presented
 * @returns the token for the cookie; the database holds only its hash
 */
export async function beginSecondStep(
  db: Database,
  known?: StepAccount,
  challenge?: string,
  link?: ProviderIdentity,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.query(
    `insert into sign_in_step (token_hash, account_id, password_hash, challenge, tries_left, expires_at, issuer, subject)
     values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6), $7, $8)`,
    [
      hashOf(token),
      known?.accountId ?? null,
      known?.passwordHash ?? null,
      challenge ?? null,
      TRIES_PER_STEP,
      SECOND_STEP_MINUTES,
      link?.issuer ?? null,
      link?.subject ?? null,
    ],
  );
  return token;
}

const PENDING = 'token_hash = $1 and expires_at > now()';

/** Uses up one of the step's tries. @returns the account whose password was entered; undefined when no try is left or the step has ended */
export async function consumeSecondStepAttempt(
  db: Database,
  token: string,
): Promise<(StepAccount & { email: string; triesLeft: number }) | undefined> {
  // Counts the try before the code is compared, so that simultaneous guesses count too.
  const { rows } = await db.query<StepAccount & { email: string; triesLeft: number }>(
    `update sign_in_step s set tries_left = s.tries_left - 1 from account a
     where s.${PENDING} and s.tries_left > 0 and a.id = s.account_id
     returning a.id as account_id, a.email, s.password_hash, s.tries_left`,
    [hashOf(token)],
  );
  return rows[0];
}

/**
 * Stores the challenge that the passkey of this browser must sign.
 * @returns undefined when the token is unknown or has expired
 */
export async function storeChallenge(
  db: Database,
  token: string,
  challenge: string,
): Promise<{ accountId: number | null } | undefined> {
  const { rows } = await db.query<{ accountId: number | null }>(
    `update sign_in_step set challenge = $2 where ${PENDING} returning account_id`,
    [hashOf(token), challenge],
  );
  return rows[0];
}

/** Returns the issued challenge, and deletes it: it is valid once. */
export async function consumeChallenge(
  db: Database,
  token: string,
): Promise<{ accountId: number | null; challenge: string } | undefined> {
  const { rows } = await db.query<{ accountId: number | null; challenge: string }>(
    `with asked as (select challenge from sign_in_step where ${PENDING} and challenge is not null for update)
     update sign_in_step s set challenge = null from asked where s.${PENDING}
     returning s.account_id, asked.challenge`,
    [hashOf(token)],
  );
  return rows[0];
}

/**
 * Ends the step of an account that signed in.
 * @returns the identity at a provider that is now to be linked to the account; undefined when there is none
 */
export async function endSignInStep(
  db: Database,
  token: string,
  accountId: number,
): Promise<ProviderIdentity | undefined> {
  const { rows } = await db.query<{
    accountId: number | null;
    issuer: string | null;
    subject: string | null;
  }>('delete from sign_in_step where token_hash = $1 returning account_id, issuer, subject', [hashOf(token)]);
  const [ended] = rows;
  if (ended?.accountId !== accountId || ended.issuer === null || ended.subject === null) return undefined;
  return { issuer: ended.issuer, subject: ended.subject };
}

export async function removeExpiredSteps(db: Database): Promise<void> {
  await db.query('delete from sign_in_step where expires_at < now()');
}
