import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Pool } from '#server/platform/database.ts';

/**
 * Runs `work` while this process holds the lock on rewriting the history of a stream.
 * @throws Error when another process holds the lock; the job is then retried
 */
export async function withHistoryLock(
  pool: Pool,
  streamId: number,
  work: () => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
      ADVISORY_LOCK_KEYS.redecoding,
      streamId,
    ]);
    if (!rows[0]?.mine) throw new Error('Another process rewrites this history.');
    await work();
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}
