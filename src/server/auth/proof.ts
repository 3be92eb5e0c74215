import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { invalid, wrongGuess } from '#server/platform/problem.ts';
import { countTry, forgetTries } from '#server/platform/rate-limit.ts';
import type { ProofWays, ShownProof } from '#shared/contract/account.ts';
import { factorKinds, listPasskeys } from './factors.store.ts';
import { passwordMatches } from './passwords.ts';
import { newChallenge, type SecondStepParts } from './second-step.ts';
import type { Caller } from './sessions.ts';
import { takeCode, takePasskey } from './shown-factor.ts';
import { beginStep } from './sign-in-steps.ts';

/** Of one session, per quarter of an hour: whoever took a browser over has no more, and keeps nobody else from theirs. */
const TRIES = 10;

const WRONG_PASSKEY = {
  over: 'Dit duurde te lang. Probeer het opnieuw.',
  unknown: 'Deze passkey is niet van jouw account, of werkt niet meer.',
  copied:
    'Deze passkey is geblokkeerd, omdat er een kopie van lijkt te zijn. Bevestig op een andere manier dat jij het bent.',
};

/** With what the caller can show that it is them; a passkey is asked for by it, for five minutes. @throws ProblemError 429 */
export async function askProof(
  parts: SecondStepParts,
  { accountId }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ProofWays> {
  const { pool, step, passkeys } = parts;
  const own = passkeys ? await listPasskeys(pool, accountId) : [];
  let passkey: ProofWays['passkey'] = null;
  if (passkeys && own.length > 0) {
    const challenge = await newChallenge(pool, request);
    // Of nobody: the step of an account is for who gave its password, and signs in.
    step.write(reply, await beginStep(pool, undefined, challenge));
    passkey = await passkeys.request(challenge, own);
  }
  return {
    hasPassword: (await passwordOf(pool, accountId)).isKnown,
    hasApp: (await factorKinds(pool, accountId)).includes('totp'),
    passkey,
  };
}

/**
 * Whether what is given is the caller's own, guesses counted.
 * @throws ProblemError 400 when it is not, 429 after too many
 */
export async function requireProof(
  parts: SecondStepParts,
  caller: Caller,
  given: ShownProof,
  request: FastifyRequest,
): Promise<void> {
  const { pool } = parts;
  const key = `proof ${caller.session.id}`;
  await countTry(pool, [{ key, tries: TRIES }]);
  if ([given.password, given.code, given.passkey].filter((one) => one !== undefined).length !== 1)
    throw invalid('Bevestig met je wachtwoord, een code of een passkey: een van de drie.');
  const wrong = await wrongIn(parts, caller, given, request);
  if (wrong !== undefined) throw wrongGuess(invalid(wrong));
  await forgetTries(pool, key);
}

/** @returns what is wrong with it, as a Dutch sentence */
async function wrongIn(
  parts: SecondStepParts,
  caller: Caller,
  { password, code, passkey }: ShownProof,
  request: FastifyRequest,
): Promise<string | undefined> {
  if (password !== undefined) {
    const { passwordHash } = await passwordOf(parts.pool, caller.accountId);
    return (await passwordMatches(passwordHash, password)) ? undefined : 'Dit is niet je wachtwoord.';
  }
  if (code !== undefined)
    return (await takeCode(parts, caller, code, request))
      ? undefined
      : 'De code klopt niet, of is al gebruikt. Vul de nieuwste code in.';
  if (passkey === undefined || !parts.passkeys) return WRONG_PASSKEY.unknown;
  const taken = await takePasskey(parts, parts.passkeys, passkey, request, caller.accountId);
  return 'wrong' in taken ? WRONG_PASSKEY[taken.wrong] : undefined;
}

/** `isKnown`: to its owner. Who came in by their organization's provider has one that nobody knows. */
async function passwordOf(
  db: Database,
  accountId: number,
): Promise<{ passwordHash: string | undefined; isKnown: boolean }> {
  const { rows } = await db.query<{ passwordHash: string; isKnown: boolean }>(
    'select password_hash as "passwordHash", has_password as "isKnown" from account where id = $1',
    [accountId],
  );
  return rows[0] ?? { passwordHash: undefined, isKnown: false };
}
