import { openPool } from '#server/platform/database.ts';
import { loadShards } from '#server/platform/shards.ts';
import { fillExampleHistory } from './example-history.ts';

/**
 * Fills the example history of stream FILL_STREAM in the database DATABASE_URL, and kills its own process by SIGKILL in the middle of step
 * FILL_UNTIL. A signal from another process could come too late.
 */
const pool = openPool({ connectionString: process.env.DATABASE_URL as string }, () => undefined);
await loadShards(pool);
await fillExampleHistory(pool, Number(process.env.FILL_STREAM), (n) => {
  if (n === Number(process.env.FILL_UNTIL)) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2);
  return true;
});
await pool.end();
