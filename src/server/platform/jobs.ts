import { setTimeout } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { ADVISORY_LOCK_KEYS } from './advisory-locks.ts';
import { afterCommit, type Database, type Pool, rowsWithColumnNames } from './database.ts';
import { isPermanent } from './job-failure.ts';
import type { Warn } from './warn.ts';

/** How often and how long a job is retried. Delays double from `firstRetryS` to `longestRetryS`, with jitter. */
export type JobPolicy = {
  readonly retries: number;
  readonly firstRetryS: number;
  readonly longestRetryS: number;
  /** Jobs that one process runs at the same time. Default: AT_ONCE. */
  readonly atOnce?: number;
};

/** `id` is the same in every retry; `queuedAt` is when the job was added. */
export type JobInfo = { readonly id: string; readonly queuedAt: Date };

export type JobQueue<Data extends object> = {
  /** Adds a job in the transaction of `db`: the job exists if and only if that transaction commits. */
  add(db: Database, data: Data): Promise<void>;
};

/** Background jobs that survive a restart and that any process on this database may run (docs/design.md section 6). */
export type Jobs = {
  /**
   * Creates the queue, and runs its jobs in this process. `work` runs at least once per job: the job of a process that dies is
   * retried. Each job is completed on its own, independent of its batch. Errors are logged and the job is retried, unless the
   * error is permanent (job-failure.ts).
   */
  queue<Data extends object>(
    name: string,
    policy: JobPolicy,
    work: (data: Data, job: JobInfo) => Promise<void>,
  ): Promise<JobQueue<Data>>;
  /** Waits at most 3 s for running jobs; unfinished ones are retried later. */
  close(): Promise<void>;
};

/** Schema of pg-boss's tables. */
export const JOBS_SCHEMA = 'pgboss';
/** Jobs of a process that died are retried after this time. */
const EXPIRE_S = 300;
/** Finished jobs contain people's addresses, so they are kept briefly. */
const KEEP_FINISHED_S = 24 * 3_600;
/** Maximum number of jobs of a queue that one process runs at the same time. After a kill -9 at most this many jobs run again. */
const AT_ONCE = 5;
const CLOSE_MS = 3_000;

/**
 * Creates or upgrades the tables of pg-boss, in their own schema.
 * @param owner a pool of connections of the role that owns the tables
 */
export async function installJobs(owner: Pool): Promise<void> {
  const boss = new PgBoss({ db: sqlOf(owner), schema: JOBS_SCHEMA, schedule: false, supervise: false });
  boss.on('error', () => {});
  await underLock(owner, () => boss.start());
  await boss.stop({ graceful: false });
}

/** Opens pg-boss on the pool; installJobs has created its tables. */
export async function openJobs(pool: Pool, warn: Warn): Promise<Jobs> {
  const boss = new PgBoss({ db: sqlOf(pool), schema: JOBS_SCHEMA, schedule: false, migrate: false });
  boss.on('error', (error: Error) => warn('The job queue reported an error', error.message));
  await boss.start();
  const names: string[] = [];

  return {
    async queue<Data extends object>(
      name: string,
      policy: JobPolicy,
      work: (data: Data, job: JobInfo) => Promise<void>,
    ) {
      const options = optionsOf(policy);
      await underLock(pool, async () => {
        await boss.createQueue(name, options);
        await boss.updateQueue(name, options); // applies a newer version's policy to an existing queue
      });
      names.push(name);
      const worker = await boss.work<Data, unknown, WorkOptions>(
        name,
        { ...WORK, batchSize: policy.atOnce ?? AT_ONCE },
        (jobs) =>
          Promise.all(
            jobs.map(async ({ id, data, createdOn, retryCount, retryLimit }) => {
              try {
                await work(data, { id, queuedAt: createdOn });
                // pg-boss would complete the jobs only after the whole batch, and a kill before that would repeat finished ones. If
                // this statement fails, the completion of the batch completes the job.
                await boss.complete(name, id).catch(() => {});
                return { id, status: 'completed' as const };
              } catch (error) {
                const { message } = error as Error;
                const output = { message };
                if (isPermanent(error)) {
                  warn(`A job of '${name}' failed permanently and is not retried`, message);
                  return { id, status: 'deadletter' as const, output }; // fails, whatever retries are left
                }
                const isLast = retryCount >= retryLimit;
                warn(
                  `A job of '${name}' failed and is ${isLast ? 'given up' : 'tried again later'}`,
                  message,
                );
                return { id, status: 'failed' as const, output };
              }
            }),
          ),
      );
      return {
        async add(db, data) {
          await boss.send(name, data, { db: sqlOf(db) });
          // Wakes the worker of this process at once; another process would find the job within its polling interval.
          afterCommit(db, () => boss.notifyWorker(worker));
        },
      };
    },

    async close() {
      const ended = Promise.all(names.map((name) => boss.offWork(name)));
      await Promise.race([ended, setTimeout(CLOSE_MS, undefined, { ref: false })]);
      await boss.stop({ graceful: false });
    },
  };
}

/** Opens a queue for a process that only adds jobs; other processes run the jobs. Creates the queue if it does not exist. */
export async function openJobQueue<Data extends object>(
  pool: Pool,
  name: string,
  policy: JobPolicy,
): Promise<JobQueue<Data> & { close(): Promise<void> }> {
  const boss = new PgBoss({
    db: sqlOf(pool),
    schema: JOBS_SCHEMA,
    schedule: false,
    supervise: false,
    migrate: false,
  });
  boss.on('error', () => {});
  await boss.start();
  await underLock(pool, () => boss.createQueue(name, optionsOf(policy)));
  return {
    async add(db, data) {
      await boss.send(name, data, { db: sqlOf(db) });
    },
    close: () => boss.stop({ graceful: false }),
  };
}

const optionsOf = ({ retries, firstRetryS, longestRetryS }: JobPolicy) => ({
  retryLimit: retries,
  retryDelay: firstRetryS,
  retryBackoff: true,
  retryDelayMax: longestRetryS,
  expireInSeconds: EXPIRE_S,
  deleteAfterSeconds: KEEP_FINISHED_S,
});

const WORK = {
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
  pollingIntervalSeconds: 2,
} as const;
type WorkOptions = typeof WORK & { readonly batchSize: number };

async function underLock(pool: Pool, work: () => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_KEYS.jobTables]);
    await work();
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_KEYS.jobTables]);
  } catch (error) {
    broken = error as Error; // dropping the connection releases the lock
    throw error;
  } finally {
    client.release(broken);
  }
}

const sqlOf = (db: Database) => ({
  // pg-boss uses its own column names, not camel case.
  executeSql: async (text: string, values?: unknown[]) => ({
    rows: rowsWithColumnNames(await db.query(text, values)),
  }),
});
