import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { type Guess, guessOf, invalid, ProblemError, wrongGuess } from '#server/platform/problem.ts';
import { countTry } from '#server/platform/rate-limit.ts';
import type { Serve } from '#server/platform/serve.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import type { FactorKind } from '#shared/contract/problem.ts';
import { OIDC_OUTCOMES } from '#shared/domain/oidc.ts';
import { type EnterParts, enter } from './enter.ts';
import { factorKinds, listPasskeys } from './factors.store.ts';
import { requireLocalSignIn } from './local-sign-in.ts';
import { type Caller, userOf } from './sessions.ts';
import { type FactorParts, takeCode, takePasskey } from './shown-factor.ts';
import { askChallenge, beginStep, endStep, type Identity, takeTry } from './sign-in-steps.ts';

export type SecondStepParts = EnterParts & FactorParts;

/** From one address in a quarter of an hour: each is a row, for five minutes. */
const PASSKEYS_PER_ADDRESS = 300;

const ASKED = 'Bevestig met je tweede stap dat jij het bent.';
const WRONG = 'De code klopt niet, of is al gebruikt. Vul de nieuwste code in.';
const OVER = 'Dit duurde te lang, of er waren te veel pogingen. Log opnieuw in.';
const NO_PASSKEYS = 'Passkeys werken alleen als het portaal over https wordt bezocht.';
/** The same for one that was removed, and one of another portal. */
const UNKNOWN_PASSKEY = 'Inloggen met deze passkey is niet gelukt. Log in met je wachtwoord.';
const COPIED_PASSKEY =
  'Deze passkey is geblokkeerd, omdat er een kopie van lijkt te zijn. Log in met je wachtwoord en een andere tweede stap.';

const required = (kinds: readonly FactorKind[], message: string): ProblemError =>
  new ProblemError('second-factor-required', message, undefined, kinds);
const over = (of?: Guess): ProblemError => wrongGuess(new ProblemError('unauthenticated', OVER), of);
const refused = (message: string, of: Guess): ProblemError =>
  wrongGuess(new ProblemError('bad_credentials', message), of);
const WRONG_PASSKEY = {
  over,
  unknown: (of: Guess) => refused(UNKNOWN_PASSKEY, of),
  copied: (of: Guess) => refused(COPIED_PASSKEY, of),
};

/** To be signed by a passkey. @throws ProblemError 429 */
export async function newChallenge(db: Database, request: FastifyRequest): Promise<string> {
  await countTry(db, [{ key: `passkey from ${networkOf(request.ip)}`, tries: PASSKEYS_PER_ADDRESS }]);
  return randomBytes(32).toString('base64url');
}

/** Binds an account to an identity and mails its owner. @returns false when another account has that identity */
export type LinkIdentity = (accountId: number, identity: Identity) => Promise<boolean>;

/** Somebody whose password was right. */
export type SigningIn = { readonly accountId: number; readonly email: string; readonly passwordHash: string };

/**
 * After the right password: passes who has no second factor, or sent the code with it. Others get a cookie for the
 * second step.
 * @param link the identity that the account is bound to once the factor is shown
 * @returns whether a factor was shown
 * @throws ProblemError 401 second-factor-required; 429
 */
export async function passSecondFactor(
  parts: SecondStepParts,
  account: SigningIn,
  code: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  link?: Identity,
): Promise<boolean> {
  const kinds = await factorKinds(parts.pool, account.accountId);
  if (kinds.length === 0) return false;
  if (code !== undefined && (await takeCode(parts, account, code, request))) return true;
  parts.step.write(reply, await beginStep(parts.pool, account, undefined, link));
  if (code === undefined) throw required(kinds, ASKED);
  throw wrongGuess(required(kinds, WRONG), account);
}

/** The second step of a sign-in, and signing in with a passkey. */
export function secondStepRoutes(
  serve: Serve<Caller>,
  parts: SecondStepParts & { readonly linkIdentity: LinkIdentity },
): void {
  const { pool, step, passkeys, linkIdentity } = parts;

  /**
   * Ends the sign-in step of an account whose factor was shown, and binds the identity that waited for the factor to it.
   * @throws ProblemError 409 when the identity was bound to another account meanwhile
   */
  async function finishStep(token: string, account: Pick<SigningIn, 'accountId'>): Promise<void> {
    const waited = await endStep(pool, token, account.accountId);
    if (waited && !(await linkIdentity(account.accountId, waited)))
      throw wrongGuess(new ProblemError('conflict', OIDC_OUTCOMES.taken), account);
  }

  serve('POST /api/auth/login/code', async ({ body, request, reply }) => {
    const token = step.read(request);
    const known = token === undefined ? undefined : await takeTry(pool, token);
    if (token === undefined || !known) throw over();
    if (!(await takeCode(parts, known, body.code, request))) {
      if (known.triesLeft === 0) throw over(known);
      throw wrongGuess(required(await factorKinds(pool, known.accountId), WRONG), known);
    }
    await finishStep(token, known);
    const caller = await enter(parts, known, true, request, reply).catch(guessOf(known));
    return { message: 'Ingelogd.', user: userOf(caller) };
  });

  serve('POST /api/auth/passkey/options', async ({ request, reply }) => {
    if (!passkeys) throw invalid(NO_PASSKEYS);
    const challenge = await newChallenge(pool, request);
    const token = step.read(request);
    const begun = token === undefined ? undefined : await askChallenge(pool, token, challenge);
    if (!begun) step.write(reply, await beginStep(pool, undefined, challenge));
    if (begun?.accountId == null) return passkeys.request(challenge);
    return passkeys.request(challenge, await listPasskeys(pool, begun.accountId));
  });

  serve('POST /api/auth/passkey/login', async ({ body, request, reply }) => {
    if (!passkeys) throw invalid(NO_PASSKEYS);
    const token = step.read(request);
    const taken = await takePasskey(parts, passkeys, body.passkey, request);
    if ('wrong' in taken) throw WRONG_PASSKEY[taken.wrong](taken);
    const { passkey, isByItself } = taken;
    // After the organization's own sign-in it is the second step; by itself it would be another way in.
    if (isByItself) await requireLocalSignIn(pool, passkey.accountId).catch(guessOf(passkey));
    await finishStep(token ?? '', passkey);
    const caller = await enter(parts, passkey, true, request, reply).catch(guessOf(passkey));
    return { message: 'Ingelogd.', user: userOf(caller) };
  });
}
