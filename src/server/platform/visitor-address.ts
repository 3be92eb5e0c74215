import type { IncomingMessage } from 'node:http';
import { networkOf } from './rate-limit.ts';

/**
 * Where a request comes from, as limits count it (networkOf): the same as Fastify's `request.ip` with our setting, for
 * what answers in front of it.
 * @param trustProxy one proxy of ours adds its visitor's address at the end of X-Forwarded-For; what stands before it
 *   the visitor made up
 */
export function visitorAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  // Node joins a header that comes twice; that of a visitor without one is empty.
  const told = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  const last = told.map((address) => address.trim()).findLast((address) => address !== '');
  return networkOf(last ?? socket.remoteAddress ?? '');
}

/**
 * Whether a visitor came over https, where nobody on the way changes what is sent: the same as Fastify's `request.protocol`.
 * @param trustProxy one proxy of ours, where TLS ends, tells so in X-Forwarded-Proto; else there is none
 */
export function cameOverHttps({ headers }: IncomingMessage, trustProxy: boolean): boolean {
  const told = trustProxy ? String(headers['x-forwarded-proto'] ?? '').split(',') : [];
  return told.at(-1)?.trim() === 'https';
}
