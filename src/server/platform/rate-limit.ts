import type { Database } from './database.ts';
import { ProblemError } from './problem.ts';

/** At most `tries` per `key` in a window of 15 minutes. */
export type Limit = { readonly key: string; readonly tries: number };

/**
 * Counts a try against each limit, in PostgreSQL so that all processes count together.
 * @throws ProblemError 429 when one of them is used up
 */
export async function countTry(db: Database, limits: readonly Limit[]): Promise<void> {
  const { rows } = await db.query<{ key: string; count: number }>(
    `insert into rate_limit as r (key, window_start, count)
     select key, now(), 1 from unnest($1::text[]) as l (key) order by key
     on conflict (key) do update set
       count = case when r.window_start < now() - interval '15 minutes' then 1 else r.count + 1 end,
       window_start = case when r.window_start < now() - interval '15 minutes' then now() else r.window_start end
     returning key, count`,
    [limits.map(({ key }) => key)],
  );
  const counted = new Map(rows.map(({ key, count }) => [key, count]));
  if (limits.some(({ key, tries }) => (counted.get(key) ?? 0) > tries)) {
    throw new ProblemError('too_many_requests', 'Te veel pogingen. Probeer het over een kwartier opnieuw.');
  }
}

/** Forgets the tries of a key: after a success. */
export async function forgetTries(db: Database, key: string): Promise<void> {
  await db.query('delete from rate_limit where key = $1', [key]);
}
