import type { FastifyRequest } from 'fastify';
import type { Mail } from '#server/mail/mail.ts';
import type { Pool } from '#server/platform/database.ts';
import { guessOf } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { ShownPasskey } from '#shared/contract/factors.ts';
import type { TokenCookie } from './cookies.ts';
import { copiedLetter } from './factor-letters.ts';
import { findPasskey, type KnownPasskey, notePasskey, takeTotp } from './factors.store.ts';
import { countTries } from './login-limits.ts';
import type { Passkeys } from './passkeys.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { takeChallenge } from './sign-in-steps.ts';

/** What is shown of a second factor, at the sign-in and to prove again who one is: guesses at both count together. */
export type FactorParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mail;
  readonly device: TokenCookie;
  readonly step: TokenCookie;
  /** undefined where browsers know none. */
  readonly passkeys: Passkeys | undefined;
  readonly publicUrl: string;
  readonly now: () => number;
};

/**
 * Whether it is a code of the account's, which is used up by that. Six digits are of an authenticator, anything else is a
 * recovery code. Only who has the password or a session comes here, so nobody else can use these tries up.
 * @throws ProblemError 429
 */
export async function takeCode(
  { pool, secrets, device, now }: FactorParts,
  { accountId, email }: { readonly accountId: number; readonly email: string },
  typed: string,
  request: FastifyRequest,
): Promise<boolean> {
  const tries = await countTries(pool, device, request, 'factor', email.toLowerCase()).catch(
    guessOf({ accountId }),
  );
  const code = typed.replace(/[\s-]/g, '');
  const isRight = /^\d{6}$/.test(code)
    ? await takeTotp(pool, secrets, accountId, code, now())
    : await takeRecoveryCode(pool, accountId, code, tries.by);
  if (isRight) await tries.succeeded();
  return isRight;
}

/** `isByItself`: no password went before it. Else what is wrong, with whose passkey: `over` is the time, or there was no question. */
export type TakenPasskey =
  | { readonly passkey: KnownPasskey; readonly isByItself: boolean }
  | { readonly wrong: 'over' | 'unknown' | 'copied'; readonly accountId?: number | undefined };

/**
 * The passkey that answers what this browser was asked, once; its use is noted.
 * @param owner whose it must be; left out: whoever gave the password, or anybody's
 */
export async function takePasskey(
  { pool, step, mail, publicUrl }: FactorParts,
  passkeys: Passkeys,
  response: ShownPasskey,
  request: FastifyRequest,
  owner?: number,
): Promise<TakenPasskey> {
  const token = step.read(request);
  const asked = token === undefined ? undefined : await takeChallenge(pool, token);
  if (!asked) return { wrong: 'over' };
  const passkey = await findPasskey(pool, response.id);
  const whose = owner ?? asked.accountId;
  const isTheirs = passkey && (whose === null || whose === passkey.accountId);
  const counter = isTheirs && (await passkeys.shown(response, asked.challenge, passkey));
  if (!passkey || typeof counter !== 'number') return { wrong: 'unknown', accountId: passkey?.accountId };
  const isOnly = await notePasskey(pool, passkey.id, counter, (client, copied) =>
    mail.queue(client, copiedLetter(copied.email, copied.name, publicUrl)),
  );
  if (!isOnly) return { wrong: 'copied', accountId: passkey.accountId };
  return { passkey, isByItself: asked.accountId === null };
}
