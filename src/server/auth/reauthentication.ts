import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { invalidInputError, markWrongGuess } from '#server/platform/problem.ts';
import { countAttempt, resetAttemptCount } from '#server/platform/rate-limit.ts';
import type { ReauthenticationMethods, ReauthenticationProof } from '#shared/contract/account.ts';
import { factorKinds, listPasskeys } from './factors.store.ts';
import { passwordMatches } from './passwords.ts';
import { consumePasskey, consumeSecondFactorCode } from './presented-factor.ts';
import { newChallenge, type SecondStepDependencies } from './second-step.ts';
import type { Caller } from './sessions.ts';
import { beginSecondStep } from './sign-in-steps.ts';

/** Tries per session and quarter of an hour, so that a person who took a browser over cannot use up the tries of other sessions. */
const TRIES = 10;

const WRONG_PASSKEY = {
  expired: 'Dit duurde te lang. Probeer het opnieuw.',
  unknown: 'Deze passkey is niet van jouw account, of werkt niet meer.',
  copied:
    'Deze passkey is geblokkeerd, omdat er een kopie van lijkt te zijn. Bevestig op een andere manier dat jij het bent.',
};

/**
 * Returns the ways in which the caller can re-authenticate. Issues a passkey challenge that is valid for five minutes. @throws
 * ProblemError 429
 */
export async function offerReauthentication(
  parts: SecondStepDependencies,
  { accountId }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReauthenticationMethods> {
  const { pool, step, passkeys } = parts;
  const own = passkeys ? await listPasskeys(pool, accountId) : [];
  let passkey: ReauthenticationMethods['passkey'] = null;
  if (passkeys && own.length > 0) {
    const challenge = await newChallenge(pool, request);
    // This sign-in step has no account, because a step with an account could be used to sign in.
    step.write(reply, await beginSecondStep(pool, undefined, challenge));
    passkey = await passkeys.requestOptions(challenge, own);
  }
  return {
    hasPassword: (await passwordOf(pool, accountId)).isKnown,
    hasApp: (await factorKinds(pool, accountId)).includes('totp'),
    passkey,
  };
}

/**
 * Re-authenticates the caller by a password, a code or a passkey, and counts the tries.
 * @throws ProblemError 400 when it is wrong, 429 after too many tries
 */
export async function reauthenticate(
  parts: SecondStepDependencies,
  caller: Caller,
  given: ReauthenticationProof,
  request: FastifyRequest,
): Promise<void> {
  const { pool } = parts;
  const key = `proof ${caller.session.id}`;
  await countAttempt(pool, [{ key, tries: TRIES }]);
  if ([given.password, given.code, given.passkey].filter((one) => one !== undefined).length !== 1)
    throw invalidInputError('Bevestig met je wachtwoord, een code of een passkey: een van de drie.');
  const wrong = await refusalReason(parts, caller, given, request);
  if (wrong !== undefined) throw markWrongGuess(invalidInputError(wrong));
  await resetAttemptCount(pool, key);
}

/** Returns the reason for a refusal, as a Dutch sentence. */
async function refusalReason(
  parts: SecondStepDependencies,
  caller: Caller,
  { password, code, passkey }: ReauthenticationProof,
  request: FastifyRequest,
): Promise<string | undefined> {
  if (password !== undefined) {
    const { passwordHash } = await passwordOf(parts.pool, caller.accountId);
    return (await passwordMatches(passwordHash, password)) ? undefined : 'Dit is niet je wachtwoord.';
  }
  if (code !== undefined)
    return (await consumeSecondFactorCode(parts, caller, code, request))
      ? undefined
      : 'De code klopt niet, of is al gebruikt. Vul de nieuwste code in.';
  if (passkey === undefined || !parts.passkeys) return WRONG_PASSKEY.unknown;
  const presented = await consumePasskey(parts, parts.passkeys, passkey, request, caller.accountId);
  return 'wrong' in presented ? WRONG_PASSKEY[presented.wrong] : undefined;
}

/** `isKnown`: whether the owner knows the password. People who came in through an identity provider have a random one. */
async function passwordOf(
  db: Database,
  accountId: number,
): Promise<{ passwordHash: string | undefined; isKnown: boolean }> {
  const { rows } = await db.query<{ passwordHash: string; isKnown: boolean }>(
    'select password_hash, has_password as is_known from account where id = $1',
    [accountId],
  );
  return rows[0] ?? { passwordHash: undefined, isKnown: false };
}
