import { expect } from 'vitest';
import type { Pool } from '#server/platform/database.ts';

/** Waits until at least `least` connections to this database wait for a lock. */
export async function waitForLockWaits(pool: Pool, least = 1): Promise<void> {
  // pg_locks also shows the waits of other roles, unlike pg_stat_activity. This runs outside a transaction, because a transaction would
  // repeat the result of its first read.
  const waiting = `select distinct pid from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted`;
  await expect
    .poll(async () => (await pool.query(waiting)).rowCount, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(least);
}
