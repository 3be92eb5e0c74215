import type { FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import type { Warn } from '#server/platform/warn.ts';

/** The network from which a session is used, and the browser. */
export type SessionVisitor = { readonly address: string; readonly userAgent: string };

/** Browsers send some 120 characters; a longer header, which strangers may send, is cut off. */
const MAX_USER_AGENT_CHARACTERS = 300;
export const userAgentOf = (header: string | undefined): string =>
  (header ?? '').slice(0, MAX_USER_AGENT_CHARACTERS).replaceAll(/\p{C}/gu, '');

export const sessionVisitorOf = ({ ip, headers }: FastifyRequest): SessionVisitor => ({
  address: networkOf(ip),
  userAgent: userAgentOf(headers['user-agent']),
});

const WRITE_AFTER_MS = 1_000;

/**
 * Buffers the last use of sessions and writes it within a second: ten thousand open pages, each noted once a minute, take one
 * statement per second.
 */
export function openSessionUseBuffer(
  db: Database,
  warn: Warn,
): { note(sessionId: number, visitor: SessionVisitor): void; close(): Promise<void> } {
  let used = new Map<number, SessionVisitor>();
  let timer: NodeJS.Timeout | undefined;
  async function write(): Promise<void> {
    timer = undefined;
    const [ids, visitors] = [[...used.keys()], [...used.values()]];
    used = new Map();
    // `skip locked`: a transaction that ends sessions may hold some of these rows and wait for others, so waiting for it could deadlock.
    await db
      .query(
        `update session s set last_used_at = now(), address = u.address, user_agent = u.user_agent
         from (select id from session where id = any ($1) for no key update skip locked) as free
           join unnest($1::integer[], $2::text[], $3::text[]) as u (id, address, user_agent) using (id)
         where s.id = free.id`,
        [ids, visitors.map(({ address }) => address), visitors.map(({ userAgent }) => userAgent)],
      )
      .catch((error: Error) => warn('Could not record when sessions were last used', error.message));
  }
  return {
    note(sessionId, visitor) {
      used.set(sessionId, visitor);
      timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
    },
    async close() {
      clearTimeout(timer);
      if (used.size > 0) await write();
    },
  };
}
