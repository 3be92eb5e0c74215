import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '#server/auth/sessions.ts';
import { type CallerGate, createServeCall } from '#server/platform/serve.ts';
import type { Metrics } from './metrics.ts';

/** The caller that presents METRICS_TOKEN instead of a session. No other call accepts the token. */
const SCRAPER = 'scraper';

/**
 * Registers GET /metrics, for administrators and for `Authorization: Bearer METRICS_TOKEN`. The figures cover all organizations.
 * @param token the value of METRICS_TOKEN; undefined: only administrators are admitted
 */
export function metricsRoutes(
  app: FastifyInstance,
  gate: CallerGate<Caller>,
  metrics: Metrics,
  token: string | undefined,
): void {
  const serve = createServeCall<Caller | typeof SCRAPER>(app, {
    ...gate,
    callerOf: async (request) =>
      token !== undefined && holdsToken(request, token) ? SCRAPER : gate.callerOf(request),
    isReauthenticated: (caller) => caller !== SCRAPER && gate.isReauthenticated(caller),
    mustChangePassword: (caller) => caller !== SCRAPER && gate.mustChangePassword(caller),
    lacksFactor: (caller) => caller !== SCRAPER && gate.lacksFactor(caller),
    mustConfirm: (caller) => caller !== SCRAPER && gate.mustConfirm(caller),
    readAgain: async (db, caller) => (caller === SCRAPER ? caller : gate.readAgain(db, caller)),
    isUnchanged: (before, now) =>
      before === SCRAPER || now === SCRAPER ? before === now : gate.isUnchanged(before, now),
    isServed: (caller, key) => caller === SCRAPER || gate.isServed(caller, key),
    may: (caller, action) => (caller === SCRAPER ? action === 'operate' : gate.may(caller, action)),
  });
  serve('GET /metrics', async ({ reply }) => reply.type(metrics.contentType).send(await metrics.text()));
}

/** Compares in constant time, whatever the length of the token. */
function holdsToken({ headers }: FastifyRequest, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
