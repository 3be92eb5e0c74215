import type { FastifyRequest } from 'fastify';
import type { Mailer } from '#server/mail/mail.ts';
import type { Pool } from '#server/platform/database.ts';
import { catchWrongGuess } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { PasskeyAssertion } from '#shared/contract/factors.ts';
import type { TokenCookie } from './cookies.ts';
import { copiedPasskeyEmail } from './factor-emails.ts';
import { consumeTotp, findPasskey, type KnownPasskey, recordPasskeyUse } from './factors.store.ts';
import { countSignInAttempt } from './login-limits.ts';
import type { Passkeys } from './passkeys.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { consumeChallenge } from './sign-in-steps.ts';

/** Dependencies for checking a presented factor, at sign-in and at re-authentication. Both share one count of guesses. */
export type SecondFactorDependencies = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mailer;
  readonly device: TokenCookie;
  readonly step: TokenCookie;
  /** undefined where browsers support no passkeys. */
  readonly passkeys: Passkeys | undefined;
  readonly publicUrl: string;
  readonly now: () => number;
};

/**
 * Checks a code of the account and uses it up. Six digits are a code of an authenticator app, anything else is a recovery code.
 * Strangers cannot use up these tries, because the caller has given the password or has a session.
 * @throws ProblemError 429
 */
export async function consumeSecondFactorCode(
  { pool, secrets, device, now }: SecondFactorDependencies,
  { accountId, email }: { readonly accountId: number; readonly email: string },
  typed: string,
  request: FastifyRequest,
): Promise<boolean> {
  const tries = await countSignInAttempt(pool, device, request, 'factor', email.toLowerCase()).catch(
    catchWrongGuess({ accountId }),
  );
  const code = typed.replace(/[\s-]/g, '');
  const isRight = /^\d{6}$/.test(code)
    ? await consumeTotp(pool, secrets, accountId, code, now())
    : await consumeRecoveryCode(pool, accountId, code, tries.by);
  if (isRight) await tries.succeeded();
  return isRight;
}

/**
 * `isStandalone`: sign-in by passkey without a password. `wrong`: the reason for a refusal; `expired`: the challenge timed out
 * or was never issued.
 */
export type PresentedPasskey =
  | { readonly passkey: KnownPasskey; readonly isStandalone: boolean }
  | { readonly wrong: 'expired' | 'unknown' | 'copied'; readonly accountId?: number | undefined };

/**
 * Verifies the passkey that answers this browser's challenge, once, and records its use.
 * @param owner the account that must own the passkey; undefined: the account whose password was entered before, or any account
 *   if no password was entered
 */
export async function consumePasskey(
  { pool, step, mail, publicUrl }: SecondFactorDependencies,
  passkeys: Passkeys,
  response: PasskeyAssertion,
  request: FastifyRequest,
  owner?: number,
): Promise<PresentedPasskey> {
  const token = step.read(request);
  const asked = token === undefined ? undefined : await consumeChallenge(pool, token);
  if (!asked) return { wrong: 'expired' };
  const passkey = await findPasskey(pool, response.id);
  const whose = owner ?? asked.accountId;
  const isTheirs = passkey && (whose === null || whose === passkey.accountId);
  const counter = isTheirs && (await passkeys.verifyPresented(response, asked.challenge, passkey));
  if (!passkey || typeof counter !== 'number') return { wrong: 'unknown', accountId: passkey?.accountId };
  const isOnly = await recordPasskeyUse(pool, passkey.id, counter, (client, copied) =>
    mail.queue(client, copiedPasskeyEmail(copied.email, copied.name, publicUrl)),
  );
  if (!isOnly) return { wrong: 'copied', accountId: passkey.accountId };
  return { passkey, isStandalone: asked.accountId === null };
}
