import type { Database } from './database.ts';
import { ProblemError } from './problem.ts';

/** A limit of `tries` per `key` in a window of 15 minutes. */
export type AttemptLimit = { readonly key: string; readonly tries: number };

/**
 * Counts a try against each limit, in PostgreSQL so that all processes count together. Pass the widest limit first: once a limit is
 * reached, nothing is written for that limit or the following ones.
 * @returns the count of each limit, including this try
 * @throws ProblemError 429 when a limit is reached
 */
export async function countAttempt(
  db: Database,
  limits: readonly AttemptLimit[],
): Promise<readonly number[]> {
  const { rows } = await db.query<{ counts: number[] | null }>('select count_try($1, $2) as counts', [
    limits.map(({ key }) => key),
    limits.map(({ tries }) => tries),
  ]);
  const counts = rows[0]?.counts;
  if (!counts) throw tooManyAttemptsError();
  return counts;
}

export const tooManyAttemptsError = (): ProblemError =>
  new ProblemError('too_many_requests', 'Te veel pogingen. Probeer het over een kwartier opnieuw.');

/** Subtracts one try from each limit after a success, because a successful try was no guess. */
export async function uncountAttempt(db: Database, limits: readonly AttemptLimit[]): Promise<void> {
  // Each statement locks one row only, because countAttempt locks the rows in another order, and the two could deadlock.
  for (const { key } of limits) {
    await db.query('update rate_limit set count = greatest(count - 1, 0) where key = $1', [key]);
  }
}

/** Resets the count of a key. */
export async function resetAttemptCount(db: Database, key: string): Promise<void> {
  await db.query('delete from rate_limit where key = $1', [key]);
}
