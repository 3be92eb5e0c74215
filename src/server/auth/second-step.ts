import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import {
  catchWrongGuess,
  type GuessedAccount,
  invalidInputError,
  markWrongGuess,
  ProblemError,
} from '#server/platform/problem.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import { OIDC_OUTCOME_TEXTS } from '#shared/domain/oidc.ts';
import { completeSignIn, type SignInDependencies } from './complete-sign-in.ts';
import { factorKinds, listPasskeys } from './factors.store.ts';
import { requireLocalSignIn } from './local-sign-in.ts';
import {
  consumePasskey,
  consumeSecondFactorCode,
  type SecondFactorDependencies,
} from './presented-factor.ts';
import { type Caller, sessionUserOf } from './sessions.ts';
import {
  beginSecondStep,
  consumeSecondStepAttempt,
  endSignInStep,
  type ProviderIdentity,
  storeChallenge,
} from './sign-in-steps.ts';

export type SecondStepDependencies = SignInDependencies & SecondFactorDependencies;

/** Maximum number of passkey challenges per address and quarter of an hour; each is a row for five minutes. */
const PASSKEYS_PER_ADDRESS = 300;

const FACTOR_NEEDED = 'Bevestig met je tweede stap dat jij het bent.';
const WRONG = 'De code klopt niet, of is al gebruikt. Vul de nieuwste code in.';
const EXPIRED = 'Dit duurde te lang, of er waren te veel pogingen. Log opnieuw in.';
const NO_PASSKEYS = 'Passkeys werken alleen als het portaal over https wordt bezocht.';
/** Message for a passkey that was removed, or that belongs to another portal. */
const UNKNOWN_PASSKEY = 'Inloggen met deze passkey is niet gelukt. Log in met je wachtwoord.';
const COPIED_PASSKEY =
  'Deze passkey is geblokkeerd, omdat er een kopie van lijkt te zijn. Log in met je wachtwoord en een andere tweede stap.';

const required = (kinds: readonly SecondFactorKind[], message: string): ProblemError =>
  new ProblemError('second-factor-required', message, undefined, kinds);
const expired = (of?: GuessedAccount): ProblemError =>
  markWrongGuess(new ProblemError('unauthenticated', EXPIRED), of);
const refused = (message: string, of: GuessedAccount): ProblemError =>
  markWrongGuess(new ProblemError('bad_credentials', message), of);
const WRONG_PASSKEY = {
  expired,
  unknown: (of: GuessedAccount) => refused(UNKNOWN_PASSKEY, of),
  copied: (of: GuessedAccount) => refused(COPIED_PASSKEY, of),
};

/** Returns a random challenge for a passkey to sign. @throws ProblemError 429 */
export async function newChallenge(db: Database, request: FastifyRequest): Promise<string> {
  await countAttempt(db, [{ key: `passkey from ${networkOf(request.ip)}`, tries: PASSKEYS_PER_ADDRESS }]);
  return randomBytes(32).toString('base64url');
}

/** Links an account to an identity and mails its owner. @returns false when another account has that identity */
export type LinkIdentity = (accountId: number, identity: ProviderIdentity) => Promise<boolean>;

/** An account whose right password was entered. */
export type SigningInAccount = {
  readonly accountId: number;
  readonly email: string;
  readonly passwordHash: string;
};

/**
 * Checks the second factor after the right password. Accounts without a factor pass; a code that came with the password is
 * checked; otherwise the browser gets a cookie for the second step.
 * @param link the identity to link to the account once the factor is presented
 * @returns whether a factor was presented
 * @throws ProblemError 401 second-factor-required; 429
 */
export async function checkSecondFactor(
  parts: SecondStepDependencies,
  account: SigningInAccount,
  code: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  link?: ProviderIdentity,
): Promise<boolean> {
  const kinds = await factorKinds(parts.pool, account.accountId);
  if (kinds.length === 0) return false;
  if (code !== undefined && (await consumeSecondFactorCode(parts, account, code, request))) return true;
  parts.step.write(reply, await beginSecondStep(parts.pool, account, undefined, link));
  if (code === undefined) throw required(kinds, FACTOR_NEEDED);
  throw markWrongGuess(required(kinds, WRONG), account);
}

/** Registers the second step of a sign-in, and the sign-in by passkey. */
export function secondStepRoutes(
  serve: ServeCall<Caller>,
  parts: SecondStepDependencies & { readonly linkIdentity: LinkIdentity },
): void {
  const { pool, step, passkeys, linkIdentity } = parts;

  /**
   * Ends the sign-in step of an account that presented its factor, and links the provider identity that the step stored, if any.
   * @throws ProblemError 409 when the identity was linked to another account meanwhile
   */
  async function finishStep(token: string, account: Pick<SigningInAccount, 'accountId'>): Promise<void> {
    const identity = await endSignInStep(pool, token, account.accountId);
    if (identity && !(await linkIdentity(account.accountId, identity)))
      throw markWrongGuess(new ProblemError('conflict', OIDC_OUTCOME_TEXTS.taken), account);
  }

  serve('POST /api/auth/login/code', async ({ body, request, reply }) => {
    const token = step.read(request);
    const known = token === undefined ? undefined : await consumeSecondStepAttempt(pool, token);
    if (token === undefined || !known) throw expired();
    if (!(await consumeSecondFactorCode(parts, known, body.code, request))) {
      if (known.triesLeft === 0) throw expired(known);
      throw markWrongGuess(required(await factorKinds(pool, known.accountId), WRONG), known);
    }
    await finishStep(token, known);
    const caller = await completeSignIn(parts, known, true, request, reply).catch(catchWrongGuess(known));
    return { message: 'Ingelogd.', user: sessionUserOf(caller) };
  });

  serve('POST /api/auth/passkey/options', async ({ request, reply }) => {
    if (!passkeys) throw invalidInputError(NO_PASSKEYS);
    const challenge = await newChallenge(pool, request);
    const token = step.read(request);
    const pending = token === undefined ? undefined : await storeChallenge(pool, token, challenge);
    if (!pending) step.write(reply, await beginSecondStep(pool, undefined, challenge));
    if (pending?.accountId == null) return passkeys.requestOptions(challenge);
    return passkeys.requestOptions(challenge, await listPasskeys(pool, pending.accountId));
  });

  serve('POST /api/auth/passkey/login', async ({ body, request, reply }) => {
    if (!passkeys) throw invalidInputError(NO_PASSKEYS);
    const token = step.read(request);
    const presented = await consumePasskey(parts, passkeys, body.passkey, request);
    if ('wrong' in presented) throw WRONG_PASSKEY[presented.wrong](presented);
    const { passkey, isStandalone } = presented;
    // After a password the passkey is the second step. A passkey without a password is a whole sign-in, which must not bypass the
    // organization's identity provider.
    if (isStandalone) await requireLocalSignIn(pool, passkey.accountId).catch(catchWrongGuess(passkey));
    await finishStep(token ?? '', passkey);
    const caller = await completeSignIn(parts, passkey, true, request, reply).catch(catchWrongGuess(passkey));
    return { message: 'Ingelogd.', user: sessionUserOf(caller) };
  });
}
