import type { Database } from './database.ts';
import { ProblemError } from './problem.ts';

/** At most `tries` per `key` in a window of 15 minutes. */
export type Limit = { readonly key: string; readonly tries: number };

/**
 * Counts a try against each limit in turn, in PostgreSQL so that all processes count together. Give the widest
 * first: once a limit is used up, nothing is written for it nor for those after it.
 * @returns how often each was counted, this try included
 * @throws ProblemError 429 when one of them is used up
 */
export async function countTry(db: Database, limits: readonly Limit[]): Promise<readonly number[]> {
  const { rows } = await db.query<{ counts: number[] | null }>('select count_try($1, $2) as counts', [
    limits.map(({ key }) => key),
    limits.map(({ tries }) => tries),
  ]);
  const counts = rows[0]?.counts;
  if (!counts) throw tooManyTries();
  return counts;
}

export const tooManyTries = (): ProblemError =>
  new ProblemError('too_many_requests', 'Te veel pogingen. Probeer het over een kwartier opnieuw.');

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
