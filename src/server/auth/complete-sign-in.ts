import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from '#server/platform/database.ts';
import { forbidden } from '#server/platform/problem.ts';
import type { TokenCookie } from './cookies.ts';
import { rememberDevice } from './known-devices.ts';
import { sessionVisitorOf } from './session-use.ts';
import type { Caller, Sessions } from './sessions.ts';

export type SignInDependencies = {
  readonly pool: Pool;
  readonly sessions: Sessions;
  readonly session: TokenCookie;
  readonly device: TokenCookie;
  readonly step: TokenCookie;
};

/** Shown only after the right password or to the owner of an ended session, so that it does not reveal which accounts exist. */
export const ORGANIZATION_DISABLED_MESSAGE =
  'Je organisatie is uitgeschakeld, daarom kun je niet inloggen. Vraag je beheerder ernaar.';

/**
 * Completes a sign-in: replaces the browser's session by a new one and remembers the browser.
 * @param hasPresentedFactor a second factor was presented; accounts with a factor get no session without it
 * @throws ProblemError 403
 */
export async function completeSignIn(
  { pool, sessions, session, device, step }: SignInDependencies,
  { accountId, passwordHash }: { readonly accountId: number; readonly passwordHash: string },
  hasPresentedFactor: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const visitor = sessionVisitorOf(request);
  const token = await sessions.create(accountId, passwordHash, hasPresentedFactor, visitor);
  const caller = token === undefined ? undefined : await sessions.find(token, visitor);
  if (token === undefined || !caller) throw forbidden(ORGANIZATION_DISABLED_MESSAGE);
  const before = session.read(request);
  if (before !== undefined) await sessions.end(before);
  session.write(reply, token);
  if (step.read(request) !== undefined) step.clear(reply);
  device.write(reply, await rememberDevice(pool, accountId, device.read(request)));
  return caller;
}
