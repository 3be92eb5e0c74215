import type { Database, Pool } from '#server/platform/database.ts';

/**
 * Maximum number of concurrent history queries: fewer than the 10 connections of the pool for pages, so that other pages and sign-ins
 * never wait for them.
 */
const HISTORY_AT_ONCE = 4;

/** Returns a pool for long queries: at most `most` of them run concurrently in this process, the others wait. */
export function limitConcurrency(pool: Pool, most = HISTORY_AT_ONCE): Database {
  let running = 0;
  const waiting: (() => void)[] = [];
  const slot = async (): Promise<void> => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
  };
  /** Passes the slot to the query that has waited longest. */
  const done = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  const query = async (...given: Parameters<Pool['query']>): Promise<unknown> => {
    await slot();
    try {
      return await pool.query(...given);
    } finally {
      done();
    }
  };
  return { query: query as Database['query'] };
}
