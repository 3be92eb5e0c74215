import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { endPool, isUnavailable, openPool, type Pool } from '#server/platform/database.ts';
import { closeWeeks, countOpenWeeks } from '#server/telemetry/readings/close-weeks.ts';

/** Whether TEST_CLOSED=1 is set. Then all readings, also of the current week, are moved to Parquet files, so that queries read files. */
export const IS_TEST_OF_CLOSED_WEEKS = process.env.TEST_CLOSED === '1';

const PAUSE_MS = 20;

/** If TEST_CLOSED is set, moves the rows of all weeks into files; otherwise does nothing. */
export async function closeAllWeeks(pool: Pool): Promise<void> {
  if (!IS_TEST_OF_CLOSED_WEEKS) return;
  // The background loop may be moving the same rows. If its transaction is rolled back, the rows stay in the table, so this repeats until
  // none is left.
  while ((await countOpenWeeks(pool, Number.POSITIVE_INFINITY)) > 0)
    for await (const _ of closeWeeks(pool, Number.POSITIVE_INFINITY));
}

/**
 * Closes all weeks of a database again and again. Errors of the database are ignored, because tests break databases.
 * @returns a function that stops the repetition, and throws an error that did not come from the database, such as for a file that cannot be
 * encoded
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
