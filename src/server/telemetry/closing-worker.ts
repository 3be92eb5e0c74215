/** Worker thread that moves readings of past weeks into files (closing-thread.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { endPool, openPool } from '#server/platform/database.ts';
import { loadShards } from '#server/platform/shards.ts';
import type { WeekClosingTask } from './closing-thread.ts';
import { closeWeeks } from './readings/close-weeks.ts';

const { connection, before, budgetMs } = workerData as WeekClosingTask;
const until = performance.now() + budgetMs;
// One of the two connections holds the advisory lock, the other one reads and writes.
const pool = openPool({ ...connection, max: 2 }, (message) => parentPort?.postMessage(message));
await loadShards(pool);
const holder = await pool.connect();
const { rows } = await holder.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
  ADVISORY_LOCK_KEYS.closedReadings,
]);
// closeWeeks throws the first error only at its end, which it may not reach in time, so the errors are also read from its steps.
let failed: unknown;
if (rows[0]?.mine)
  for await (const { error } of closeWeeks(pool, before)) {
    failed ??= error;
    if (performance.now() > until) break;
  }
holder.release(true);
await endPool(pool);
if (failed !== undefined) throw failed;
