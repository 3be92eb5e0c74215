import { expect } from 'vitest';
import type { Pool } from '#server/platform/database.ts';

/** Until so many connections to this database, and not to one of the other tests', wait for a lock. */
export async function untilWaiting(pool: Pool, least = 1): Promise<void> {
  // What another role waits for is seen by its locks alone. Not within a transaction: there the first look is kept.
  const waiting = `select distinct pid from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted`;
  await expect
    .poll(async () => (await pool.query(waiting)).rowCount, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(least);
}
