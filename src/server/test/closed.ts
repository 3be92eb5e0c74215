import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { endPool, isUnavailable, openPool, type Pool } from '#server/platform/database.ts';
import { closeWeeks, countOpenWeeks } from '#server/telemetry/readings/close-weeks.ts';

/** TEST_CLOSED=1: every week is closed at once, the current one too, so that questions read files. */
export const TEST_CLOSED = process.env.TEST_CLOSED === '1';

const PAUSE_MS = 20;

/** Moves the rows of all weeks into files, with TEST_CLOSED. Without it does nothing. */
export async function closeAllWeeks(pool: Pool): Promise<void> {
  if (!TEST_CLOSED) return;
  // The background loop may be at work on the same rows; they then stay rows if its transaction is rolled back.
  while ((await countOpenWeeks(pool, Number.POSITIVE_INFINITY)) > 0)
    for await (const _ of closeWeeks(pool, Number.POSITIVE_INFINITY));
}

/**
 * Closes all weeks of a database again and again. Errors of the database are ignored, because tests break databases.
 * @returns a function that stops it
 * @throws (the function) what failed outside the database, such as a file that cannot be encoded
 */
export function closeWeeksRepeatedly(connection: pg.ClientConfig): () => Promise<void> {
  const pool = openPool({ ...connection, max: 2 }, () => {});
  let isEnded = false;
  let failure: unknown;
  const run = async () => {
    while (!isEnded && failure === undefined) {
      try {
        for await (const _ of closeWeeks(pool, Number.POSITIVE_INFINITY)) if (isEnded) break;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) && !isUnavailable(error)) failure = error;
      }
      await wait(PAUSE_MS);
    }
  };
  const running = run();
  return async () => {
    isEnded = true;
    await running;
    await endPool(pool);
    if (failure !== undefined) throw failure;
  };
}
