import { isIPv4, isIPv6 } from 'node:net';
import type { Database } from './database.ts';
import { ProblemError } from './problem.ts';

/** At most `tries` per `key` in a window of 15 minutes. */
export type Limit = { readonly key: string; readonly tries: number };

/**
 * Counts a try against each limit in turn, in PostgreSQL so that all processes count together. Give the widest
 * first: once a limit is used up, nothing is written for it nor for those after it.
 * @throws ProblemError 429 when one of them is used up
 */
export async function countTry(db: Database, limits: readonly Limit[]): Promise<void> {
  const { rows } = await db.query<{ allowed: boolean }>('select count_try($1, $2) as allowed', [
    limits.map(({ key }) => key),
    limits.map(({ tries }) => tries),
  ]);
  if (!rows[0]?.allowed) {
    throw new ProblemError('too_many_requests', 'Te veel pogingen. Probeer het over een kwartier opnieuw.');
  }
}

/** A success is no guess: it gives the try that it counted back to each limit. */
export async function returnTry(db: Database, limits: readonly Limit[]): Promise<void> {
  // One statement each, and so one row lock at a time: countTry takes its locks in another order.
  for (const { key } of limits) {
    await db.query('update rate_limit set count = greatest(count - 1, 0) where key = $1', [key]);
  }
}

/** Forgets all tries of a key. */
export async function forgetTries(db: Database, key: string): Promise<void> {
  await db.query('delete from rate_limit where key = $1', [key]);
}

/**
 * What counts as one address: an IPv6 network of 64 bits, since one subscriber has all of it; an IPv4 address that
 * is written as IPv6 is that IPv4 address.
 */
export function networkOf(ip: string): string {
  const mapped = ip.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped;
  const [head = '', tail] = (mapped.split('%', 1)[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
