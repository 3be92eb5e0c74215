import { LOCKS } from '#server/platform/advisory-locks.ts';
import type { Pool } from '#server/platform/database.ts';

/** One process at a time rewrites the history of a stream. @throws when another one is at it: to be asked for again */
export async function alone(pool: Pool, streamId: number, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
      LOCKS.redecoding,
      streamId,
    ]);
    if (!rows[0]?.mine) throw new Error('Another process rewrites this history.');
    await work();
  } finally {
    // The lock goes with its connection.
    client.release(true);
  }
}
