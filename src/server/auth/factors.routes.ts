import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidInputError, unauthenticated } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import {
  addFactor,
  countRecoveryCodes,
  listFactors,
  listPasskeys,
  type NewFactor,
  passkeyOwner,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from './factors.store.ts';
import { openNotifyOwner } from './notify-owner.ts';
import type { SecondStepDependencies } from './second-step.ts';
import type { Caller } from './sessions.ts';
import { newTotpSecret, totpTimeStep, totpUri } from './totp.ts';

const WRONG_CODE =
  'De code klopt niet. Vul de nieuwste code in, en kijk of de klok van je telefoon goed staat.';
const NO_PASSKEY = 'De passkey is niet gemaakt. Begin opnieuw.';
const NO_PASSKEYS = 'Passkeys werken alleen als het portaal over https wordt bezocht.';

/** Registers the calls with which people manage their own second factors. */
export function factorRoutes(serve: ServeCall<Caller>, parts: SecondStepDependencies): void {
  const { pool, sessions, session, secrets, passkeys, now } = parts;
  const notifyOwner = openNotifyOwner(parts);

  /** Adds a factor. Renews the session's token too: a token that was copied before the factor existed must not stay valid. */
  async function add(
    caller: Caller,
    name: string,
    factor: NewFactor,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = [...(await addFactor(pool, secrets, caller, name, factor, notifyOwner))];
    const token = await sessions.renew(session.read(request) ?? '');
    if (token === undefined) throw unauthenticated();
    session.write(reply, token);
    return { recoveryCodes };
  }

  serve('GET /api/account/factors', async ({ caller: { accountId, mustHaveFactor } }) => ({
    factors: await listFactors(pool, accountId),
    recoveryCodes: await countRecoveryCodes(pool, accountId),
    isRequired: mustHaveFactor,
    canHavePasskeys: passkeys !== undefined,
  }));

  serve('POST /api/account/factors/totp', async ({ caller: { accountId, email } }) => {
    const secret = newTotpSecret();
    return {
      token: setUpToken(secrets, 'totp', accountId, secret, now()),
      secret,
      address: totpUri(secret, email),
    };
  });

  serve('POST /api/account/factors/totp/confirm', async ({ caller, body, request, reply }) => {
    const secret = fromSetUpToken(secrets, 'totp', caller.accountId, body.token, now());
    const step = totpTimeStep(secret, body.code.replace(/[\s-]/g, ''), now());
    if (step === undefined) throw invalidInputError(WRONG_CODE);
    return add(caller, body.factorName, { kind: 'totp', secret, step }, request, reply);
  });

  serve('POST /api/account/factors/passkey', async ({ caller }) => {
    if (!passkeys) throw invalidInputError(NO_PASSKEYS);
    const options = await passkeys.creationOptions(
      await passkeyOwner(pool, caller.accountId),
      await listPasskeys(pool, caller.accountId),
    );
    return { token: setUpToken(secrets, 'passkey', caller.accountId, options.challenge, now()), options };
  });

  serve('POST /api/account/factors/passkey/confirm', async ({ caller, body, request, reply }) => {
    if (!passkeys) throw invalidInputError(NO_PASSKEYS);
    const challenge = fromSetUpToken(secrets, 'passkey', caller.accountId, body.token, now());
    const passkey = await passkeys.verifyCreated(body.passkey, challenge);
    if (!passkey) throw invalidInputError(NO_PASSKEY);
    return add(caller, body.factorName, { kind: 'passkey', passkey }, request, reply);
  });

  serve('POST /api/account/factors/rename', async ({ caller, body }) => {
    await renameFactor(pool, caller, body.id, body.factorName);
    return { message: 'De naam is gewijzigd.' };
  });

  serve('DELETE /api/account/factors', async ({ caller, query }) => {
    await removeFactor(pool, caller, query.id, caller.mustHaveFactor, notifyOwner);
    return { message: 'De tweede stap is verwijderd.' };
  });

  serve('POST /api/account/factors/recovery-codes', async ({ caller }) => ({
    recoveryCodes: [...(await renewRecoveryCodes(pool, caller, notifyOwner))],
  }));
}

const PURPOSE = 'factor set-up';
const VALID_MS = 10 * 60_000;

/**
 * Seals the secret or challenge of a factor that is being added. The browser returns the token with the device's response, so that
 * the server stores nothing until the factor is confirmed.
 * @param asked the secret of an authenticator app, or the challenge of a passkey
 */
const setUpToken = (
  secrets: Secrets,
  kind: SecondFactorKind,
  accountId: number,
  asked: string,
  now: number,
): string => secrets.token(PURPOSE, JSON.stringify([kind, accountId, now + VALID_MS, asked]));

/**
 * Returns the secret or challenge that setUpToken sealed in the token.
 * @throws ProblemError 400 when the token is not the portal's, belongs to another account, or has expired
 */
function fromSetUpToken(
  secrets: Secrets,
  kind: SecondFactorKind,
  accountId: number,
  token: string,
  now: number,
): string {
  const [isKind, isAccount, until, asked] = JSON.parse(
    secrets.readToken(PURPOSE, token) ?? '[]',
  ) as unknown[];
  if (isKind !== kind || isAccount !== accountId || typeof until !== 'number' || until < now)
    throw invalidInputError('Dit duurde te lang. Begin opnieuw.');
  return String(asked);
}
