import type { Database, Pool } from '#server/platform/database.ts';

/** Of the 10 connections for pages: other pages and who signs in never wait for somebody's month of history. */
const HISTORY_AT_ONCE = 4;

/** The pool for long questions: at most so many of them run at once in this process, the others wait their turn. */
export function fewAtOnce(pool: Pool, most = HISTORY_AT_ONCE): Database {
  let running = 0;
  const waiting: (() => void)[] = [];
  const turn = async (): Promise<void> => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
  };
  /** Whoever waits longest takes the place over. */
  const done = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  const query = async (...given: Parameters<Pool['query']>): Promise<unknown> => {
    await turn();
    try {
      return await pool.query(...given);
    } finally {
      done();
    }
  };
  return { query: query as Database['query'] };
}
