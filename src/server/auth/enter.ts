import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from '#server/platform/database.ts';
import { forbidden } from '#server/platform/problem.ts';
import type { TokenCookie } from './cookies.ts';
import { rememberDevice } from './known-devices.ts';
import { visitorOf } from './session-use.ts';
import type { Caller, Sessions } from './sessions.ts';

export type EnterParts = {
  readonly pool: Pool;
  readonly sessions: Sessions;
  readonly session: TokenCookie;
  readonly device: TokenCookie;
  readonly step: TokenCookie;
};

/** Told to who has the right password, or had a session: nobody else hears that there is such an account. */
export const ORGANIZATION_DISABLED =
  'Je organisatie is uitgeschakeld, daarom kun je niet inloggen. Vraag je beheerder ernaar.';

/**
 * The end of every sign-in: a new session in place of the one that this browser had, and the browser is known.
 * @param hasShown a second factor. Without it nobody gets in who has one
 * @throws ProblemError 403
 */
export async function enter(
  { pool, sessions, session, device, step }: EnterParts,
  { accountId, passwordHash }: { readonly accountId: number; readonly passwordHash: string },
  hasShown: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const visitor = visitorOf(request);
  const token = await sessions.create(accountId, passwordHash, hasShown, visitor);
  const caller = token === undefined ? undefined : await sessions.find(token, visitor);
  if (token === undefined || !caller) throw forbidden(ORGANIZATION_DISABLED);
  const before = session.read(request);
  if (before !== undefined) await sessions.end(before);
  session.write(reply, token);
  if (step.read(request) !== undefined) step.clear(reply);
  device.write(reply, await rememberDevice(pool, accountId, device.read(request)));
  return caller;
}
