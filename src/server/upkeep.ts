import type pg from 'pg';
import { finishDueDeletions } from '#server/leaving/finish-leaving.ts';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Pool, Transaction } from '#server/platform/database.ts';
import type { Module, PeriodicTask } from '#server/platform/module.ts';
import type { ConnectionPools } from '#server/platform/pools.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import { purgeDeleted } from '#server/streams/purge.ts';
import { startWeekClosing, type WeekClosingThread } from '#server/telemetry/closing-thread.ts';
import { findClosedWeekToIndex, indexClosedWeek } from '#server/telemetry/indexed-rollup.ts';
import { removeDeliveries } from '#server/telemetry/objects.store.ts';
import { countOpenWeeks } from '#server/telemetry/readings/close-weeks.ts';
import { findEmptiedPartition, shrinkWeek } from '#server/telemetry/readings/shrink-weeks.ts';
import { firstOpenWeek } from '#server/telemetry/readings/weeks.ts';
import { removeHistory } from '#server/telemetry/readings.store.ts';
import { recomputeNextStream } from '#server/telemetry/recompute.ts';
import { removeWriters } from '#server/writers/writers.store.ts';
import { MODULES } from './modules.ts';

const EVERY_MS = 60_000;
/** Time in ms per minute that recomputations of stored figures may take, so that other tasks and uploads can run too. */
const RECOMPUTE_MS = 40_000;
/** Time in ms per minute for closing weeks (moving their readings into files); limited, because the work uses a whole processor. */
const CLOSING_MS = 15_000;

const TASKS: readonly PeriodicTask[] = MODULES.flatMap((module: Module<never, never>) => [
  ...(module.periodic ?? []),
]);

/**
 * Purges streams that were deleted longer ago than the grace period. @returns the number of machines and LMB loggers that were
 * purged
 */
export const purgeDeletedStreams = (pool: Pool, now: Date, graceDays: number): Promise<number> =>
  purgeDeleted(
    pool,
    {
      unbind: async (client, streamId) => removeDeliveries(client, await removeWriters(client, streamId)),
      removeHistory: (streamId, until) => removeHistory(pool, streamId, until),
    },
    now,
    graceDays,
  );

/**
 * Removes deleted organizations whose grace period is over, and erases the requested periods of former owners, unless another process is
 * doing so.
 * @throws AggregateError with all errors, after all other work is done
 */
export async function continueOrganizationDeletions(
  pool: Pool,
  now: Date,
  graceDays: number,
  logDays: number,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.leaving,
    ]);
    if (!rows[0]?.mine) return;
    await finishDueDeletions(pool, { now, graceDays }, logDays);
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_KEYS.leaving]);
  } finally {
    // The lock ends with the closed connection.
    client.release(true);
  }
}

/** Runs every task once, unless another process is running them. A task that fails is logged, and runs again in the next minute. */
export async function runUpkeep(
  pool: Pool,
  warn: Warn,
  tasks: readonly PeriodicTask[] = TASKS,
): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.upkeep,
    ]);
    if (!rows[0]?.mine) return;
    for (const [what, work] of tasks) {
      await work(client).catch((error: Error) => warn(`Upkeep: ${what}`, error.message));
    }
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_KEYS.upkeep]);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs `work`, which changes tables of a closed week, unless another process runs such work. `opened` receives the connection, so that the
 * caller can abort the work by closing the connection.
 * @param owner a pool of connections of the role that owns the tables
 */
async function asOwner(
  owner: Pool,
  opened: (client: Transaction) => void,
  work: (client: Transaction) => Promise<unknown>,
): Promise<void> {
  const client = await owner.connect();
  opened(client);
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.closedWeek,
    ]);
    if (rows[0]?.mine) await work(client);
  } finally {
    // The lock and the connection's settings end with the connection.
    client.release(true);
  }
}

export type Upkeep = {
  /** Starts no more tasks and waits for the running one. */
  close(): Promise<void>;
};

/**
 * Runs the upkeep tasks once a minute, in one process at a time. Every task is safe to repeat and to skip.
 * @param connection the connection settings of the thread that closes weeks
 * @param graceDays the number of days in which deleted items can be restored (DELETED_DAYS)
 * @param logDays the number of days for which rows of the audit log are kept (LOG_DAYS)
 * @param more further tasks, which depend on the portal's settings or services
 */
export function startUpkeep(
  { pages: pool, owner }: Pick<ConnectionPools, 'pages' | 'owner'>,
  connection: pg.ClientConfig,
  warn: Warn,
  now: () => number,
  graceDays: number,
  logDays: number,
  more: readonly PeriodicTask[],
): Upkeep {
  const tasks = [...TASKS, ...more];
  const minutes = openSerialQueue();
  let changing: Transaction | undefined;
  let closing: WeekClosingThread | undefined;
  let closed = false;
  const change = (what: string, work: (client: Transaction) => Promise<unknown>) =>
    asOwner(
      owner,
      (client) => {
        changing = client;
      },
      work,
    )
      .catch((error: Error) => closed || warn(`Upkeep: ${what}`, error.message))
      .finally(() => {
        changing = undefined;
      });
  /** Moves readings of closed weeks into files, returns their disk space to the system, and indexes the roll-up. */
  const closeWeeks = async (): Promise<void> => {
    const before = firstOpenWeek(now());
    if ((await countOpenWeeks(pool, before)) > 0) {
      closing = startWeekClosing({ connection, before, budgetMs: CLOSING_MS }, warn);
      if (closed) await closing.end();
      await closing.ended;
      closing = undefined;
    }
    if (!closed && (await findEmptiedPartition(pool, before)))
      await change('the space of a week that is in files', (client) => shrinkWeek(client, before));
    if (!closed && (await findClosedWeekToIndex(pool, now())))
      await change('a week of the roll-up that is over', (client) => indexClosedWeek(client, now()));
  };
  const recompute = async (): Promise<void> => {
    const until = performance.now() + RECOMPUTE_MS;
    while (!closed && performance.now() < until && (await recomputeNextStream(pool)));
  };
  const minute = async (): Promise<void> => {
    await runUpkeep(pool, warn, tasks);
    await continueOrganizationDeletions(pool, new Date(now()), graceDays, logDays).catch((error: Error) =>
      warn('Upkeep: organizations that are deleted', error.message),
    );
    await purgeDeletedStreams(pool, new Date(now()), graceDays);
    if (!closed) await closeWeeks();
    await recompute();
  };
  const tick = () =>
    minutes.run(minute).catch((error: Error) => warn('Upkeep is tried again in a minute', error.message));
  const timer = setInterval(tick, EVERY_MS).unref();
  void tick();
  return {
    async close() {
      clearInterval(timer);
      closed = true;
      // Aborts the two tasks for closed weeks, because they may take long. Both tasks start over in the next run.
      changing?.connection.stream.destroy();
      await closing?.end();
      await minutes.ended();
    },
  };
}
