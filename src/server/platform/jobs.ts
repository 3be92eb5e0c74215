import { PgBoss } from 'pg-boss';
import { LOCKS } from './advisory-locks.ts';
import { afterCommit, type Database, type Pool } from './database.ts';
import { isPermanent } from './job-failure.ts';
import type { Warn } from './warn.ts';

/** How long a job is tried. Delays double from `firstRetryS` to `longestRetryS`, with some jitter. */
export type JobPolicy = {
  readonly retries: number;
  readonly firstRetryS: number;
  readonly longestRetryS: number;
  /** How many a process does at the same time. Default: AT_ONCE. */
  readonly atOnce?: number;
};

/** `id` is the same at every try; `queuedAt` is when it was first asked for. */
export type JobInfo = { readonly id: string; readonly queuedAt: Date };

export type JobQueue<Data extends object> = {
  /** In the caller's transaction when `db` is its client: the job is there exactly when the change is. */
  add(db: Database, data: Data): Promise<void>;
};

/** Work that survives a restart and that any process on this database may do (docs/design.md section 6). */
export type Jobs = {
  /**
   * Makes the queue, once, and works on it in this process. `work` runs at least once per job: a process that dies
   * in the middle leaves the job to be tried again. Each job is noted as done as soon as it is, whatever others do.
   * What it throws is warned of and tried again, unless no later try can change it (job-failure.ts).
   */
  queue<Data extends object>(
    name: string,
    policy: JobPolicy,
    work: (data: Data, job: JobInfo) => Promise<void>,
  ): Promise<JobQueue<Data>>;
  /** Lets work under way end, for 3 s at most; what has not ended by then is tried again later. */
  close(): Promise<void>;
};

/** Of pg-boss's own tables. */
export const JOBS_SCHEMA = 'pgboss';
/** A job whose process died is taken up by another after this time. */
const EXPIRE_S = 300;
/** Finished jobs hold people's addresses: not kept for long. */
const KEEP_FINISHED_S = 24 * 3_600;
/** How many of a queue one process does at the same time: as many may be repeated after a kill -9, no more. */
const AT_ONCE = 5;
const CLOSE_MS = 3_000;

/** Makes pg-boss's tables, in a schema of their own, or brings them to this version. @param owner of who owns all tables */
export async function installJobs(owner: Pool): Promise<void> {
  const boss = new PgBoss({ db: sqlOf(owner), schema: JOBS_SCHEMA, schedule: false, supervise: false });
  boss.on('error', () => {});
  await underLock(owner, () => boss.start());
  await boss.stop({ graceful: false });
}

/** pg-boss, on our pool and its tables of installJobs. */
export async function openJobs(pool: Pool, warn: Warn): Promise<Jobs> {
  const boss = new PgBoss({ db: sqlOf(pool), schema: JOBS_SCHEMA, schedule: false, migrate: false });
  boss.on('error', (error: Error) => warn('Jobs in the database', error.message));
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
        await boss.updateQueue(name, options); // a newer version's policy counts for a queue that was there
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
                // Of the batch, once all of it has ended, pg-boss would note it too: a kill until then would repeat
                // what was done long ago. Where this note fails, the one of the batch is another try.
                await boss.complete(name, id).catch(() => {});
                return { id, status: 'completed' as const };
              } catch (error) {
                const { message } = error as Error;
                const output = { message };
                if (isPermanent(error)) {
                  warn(`A job of '${name}' can never succeed and is given up`, message);
                  return { id, status: 'deadletter' as const, output }; // failed, whatever tries are left
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
          // Another process finds it within the interval.
          afterCommit(db, () => boss.notifyWorker(worker));
        },
      };
    },

    async close() {
      const ended = Promise.all(names.map((name) => boss.offWork(name)));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([ended, late]);
      clearTimeout(timer);
      await boss.stop({ graceful: false });
    },
  };
}

/** A queue for a process that works on none: what it adds is done by those that do. Made where it is not there yet. */
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
    await client.query('select pg_advisory_lock($1)', [LOCKS.jobTables]);
    await work();
    await client.query('select pg_advisory_unlock($1)', [LOCKS.jobTables]);
  } catch (error) {
    broken = error as Error; // the lock goes with its connection
    throw error;
  } finally {
    client.release(broken);
  }
}

const sqlOf = (db: Database) => ({
  executeSql: (text: string, values?: unknown[]) => db.query(text, values),
});
