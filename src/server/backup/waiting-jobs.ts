import { PgBoss } from 'pg-boss';
import { type Database, type Pool, rowsWithColumnNames } from '#server/platform/database.ts';
import { JOBS_SCHEMA } from '#server/platform/jobs.ts';

/** A job of pg-boss without its run-time columns; `name` is the queue's. */
export type WaitingJob = { readonly id: string; readonly name: string; readonly [column: string]: unknown };

const COLUMNS = `id, name, data, priority, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max,
  expire_seconds, deletion_seconds, start_after, created_on, keep_until, policy`;
const AT_ONCE = 200;

/** Yields the unfinished jobs in batches, also those under way, which may still fail. Requires a transaction. */
export async function* readWaitingJobs(db: Database): AsyncGenerator<WaitingJob[]> {
  const { rows } = await db.query<{ there: boolean }>(
    `select to_regclass('${JOBS_SCHEMA}.job') is not null as there`,
  );
  if (!rows[0]?.there) return;
  await db.query(
    `declare waiting no scroll cursor for select to_json(j) as job from (
       select ${COLUMNS} from ${JOBS_SCHEMA}.job where state in ('created', 'retry', 'active') order by created_on, id
     ) as j`,
  );
  for (;;) {
    const { rows: jobs } = await db.query<{ job: WaitingJob }>(`fetch ${AT_ONCE} from waiting`);
    if (jobs.length === 0) return;
    yield jobs.map(({ job }) => job);
  }
}

/** Creates pg-boss's tables and the queues with these names. pg-boss uses its own transactions. */
export async function prepareQueues(pool: Pool, names: Iterable<string>): Promise<void> {
  const boss = new PgBoss({
    db: {
      executeSql: async (text: string, values?: unknown[]) => ({
        rows: rowsWithColumnNames(await pool.query(text, values)),
      }),
    },
    schema: JOBS_SCHEMA,
    schedule: false,
    supervise: false,
  });
  await boss.start();
  try {
    for (const name of names) await boss.createQueue(name);
  } finally {
    await boss.stop({ graceful: false });
  }
}

export async function writeWaitingJobs(db: Database, jobs: readonly WaitingJob[]): Promise<void> {
  await db.query(
    `insert into ${JOBS_SCHEMA}.job (${COLUMNS})
     select ${COLUMNS} from json_populate_recordset(null::${JOBS_SCHEMA}.job, $1)`,
    [JSON.stringify(jobs)],
  );
}

/** Drops pg-boss's tables if they hold no job: a killed restore may leave them. */
export async function dropEmptyJobTables(db: Database): Promise<void> {
  const { rows } = await db.query<{ there: boolean }>(
    `select to_regclass('${JOBS_SCHEMA}.job') is not null as there`,
  );
  if (!rows[0]?.there) return;
  const jobs = await db.query(`select from ${JOBS_SCHEMA}.job limit 1`);
  if (jobs.rowCount === 0) await db.query(`drop schema ${JOBS_SCHEMA} cascade`);
}
