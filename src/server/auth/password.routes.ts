import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mailer } from '#server/mail/mail.ts';
import { isPlainAddress } from '#server/mail/mail-message.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { invalidInputError, markWrongGuess, unauthenticated } from '#server/platform/problem.ts';
import { countAttempt, resetAttemptCount } from '#server/platform/rate-limit.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import {
  loadGuessableFacts,
  type PasswordChange,
  passwordChangedEmail,
  setPassword,
} from './account-password.ts';
import type { TokenCookie } from './cookies.ts';
import { removeFirstPassword } from './first-start.ts';
import { requireAcceptablePassword } from './guessable.ts';
import { forgetDevices, rememberDevice } from './known-devices.ts';
import { countSignInAttempt } from './login-limits.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import {
  type NotifyPasswordChanged,
  type PasswordReset,
  readResetLink,
  resetByCode,
  resetByLink,
} from './reset-password.ts';
import { sessionVisitorOf } from './session-use.ts';
import type { Caller, Sessions } from './sessions.ts';

export type PasswordRouteDependencies = {
  readonly pool: Pool;
  readonly sessions: Sessions;
  readonly mail: Mailer;
  readonly session: TokenCookie;
  readonly device: TokenCookie;
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly now: () => number;
};

/** Registers the calls that set a new password: with the present one, a mailed code or a mailed link. */
export function passwordRoutes(serve: ServeCall<Caller>, parts: PasswordRouteDependencies): void {
  const { pool, sessions, mail, session, device, publicUrl, dataDir, now } = parts;

  const notifyOwner: NotifyPasswordChanged = async (db, email) => {
    // ADMIN_EMAIL may be something other than an e-mail address.
    if (isPlainAddress(email)) await mail.queue(db, passwordChangedEmail(email, now(), publicUrl));
  };
  const removePasswordFile = async (
    request: FastifyRequest,
    { wasGenerated }: PasswordChange,
  ): Promise<void> => {
    if (wasGenerated)
      await removeFirstPassword(dataDir).catch((err) =>
        request.log.warn({ err }, 'Could not delete first-admin.txt'),
      );
  };
  const completeReset = async (request: FastifyRequest, reply: FastifyReply, done: PasswordReset) => {
    await removePasswordFile(request, done);
    // A person who reads the account's mail is not a stranger: their browser becomes known, so that strangers' tries do not delay it.
    device.write(reply, await rememberDevice(pool, done.accountId, device.read(request)));
    return { message: 'Password reset successful. Please sign in with your new password.' };
  };

  serve('POST /api/account/password', async ({ caller: { accountId }, body, request, reply }) => {
    const change = { accountId, present: body.present, newPassword: body.new, device: device.read(request) };
    const done = await changePassword(pool, change, notifyOwner);
    await removePasswordFile(request, done);
    const token = await sessions.create(accountId, done.passwordHash, true, sessionVisitorOf(request));
    if (token === undefined) throw unauthenticated();
    session.write(reply, token);
    device.write(reply, await rememberDevice(pool, accountId, device.read(request)));
    return { message: 'Je wachtwoord is gewijzigd.' };
  });

  serve('POST /api/auth/reset-password-with-code', async ({ body, request, reply }) => {
    const email = body.email.toLowerCase();
    await requireAcceptablePassword(body.newPassword, { email });
    const tries = await countSignInAttempt(pool, device, request, 'reset', email);
    const reset = { email, code: body.code, newPassword: body.newPassword };
    const done = await resetByCode(pool, reset, notifyOwner, tries.by);
    await tries.succeeded();
    return completeReset(request, reply, done);
  });

  serve('POST /api/auth/reset-link', async ({ body }) => {
    const { email } = await readResetLink(pool, body.token);
    return { email };
  });

  serve('POST /api/auth/reset-password-with-link', async ({ body, request, reply }) =>
    completeReset(request, reply, await resetByLink(pool, body, notifyOwner)),
  );
}

/** Tries per account. Only a caller with a session of the account can use them up. */
const TRIES = 10;

type Change = {
  readonly accountId: number;
  readonly present: string;
  readonly newPassword: string;
  /** Token of the browser that makes the change, which stays known. */
  readonly device: string | undefined;
};

type PasswordChanged = PasswordChange & { readonly passwordHash: string };

/**
 * Changes the caller's own password after checking the present one. Ends all sessions of the account, the caller's too, and
 * forgets its other known browsers.
 * @throws ProblemError 400 with the reason; 429
 */
async function changePassword(
  pool: Pool,
  { accountId, present, newPassword, device }: Change,
  notifyOwner: NotifyPasswordChanged,
): Promise<PasswordChanged> {
  const tries = `password of ${accountId}`;
  await countAttempt(pool, [{ key: tries, tries: TRIES }]);
  const { rows } = await pool.query<{ passwordHash: string }>(
    'select password_hash from account where id = $1',
    [accountId],
  );
  if (!(await passwordMatches(rows[0]?.passwordHash, present)))
    throw markWrongGuess(invalidInputError(WRONG));
  await resetAttemptCount(pool, tries);
  if (newPassword === present) throw invalidInputError('Dit wachtwoord heb je nu al. Kies een ander.');
  await requireAcceptablePassword(newPassword, await loadGuessableFacts(pool, accountId));
  const passwordHash = await hashPassword(newPassword);
  return inTransaction(pool, async (client) => {
    const set = await setPassword(client, accountId, passwordHash);
    if (!set) throw invalidInputError(WRONG);
    await forgetDevices(client, accountId, device);
    await audit(client, { actor: set.email, action: 'user.change-password', subject: set.email, data: {} });
    await notifyOwner(client, set.email);
    return { ...set, passwordHash };
  });
}

const WRONG = 'Je huidige wachtwoord klopt niet.';
