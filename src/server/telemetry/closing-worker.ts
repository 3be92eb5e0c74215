/** Worker thread that moves readings of closed weeks into files (closing-thread.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { LOCKS } from '#server/platform/advisory-locks.ts';
import { endPool, openPool } from '#server/platform/database.ts';
import { learnShards } from '#server/platform/shards.ts';
import type { ClosingOrder } from './closing-thread.ts';
import { closeWeeks } from './readings/close-weeks.ts';

const { connection, before, budgetMs } = workerData as ClosingOrder;
const until = performance.now() + budgetMs;
// One connection holds the lock.
const pool = openPool({ ...connection, max: 2 }, (message) => parentPort?.postMessage(message));
await learnShards(pool);
const holder = await pool.connect();
const { rows } = await holder.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
  LOCKS.closedReadings,
]);
// closeWeeks throws an error when it has come to its end, which it does not reach in time with many weeks.
let failed: unknown;
if (rows[0]?.mine)
  for await (const { error } of closeWeeks(pool, before)) {
    failed ??= error;
    if (performance.now() > until) break;
  }
holder.release(true);
await endPool(pool);
if (failed !== undefined) throw failed;
