import { afterAll, beforeAll, expect, test } from 'vitest';
import { endPool, openPool, type Pool } from '#server/platform/database.ts';
import { PermanentFailure } from '#server/platform/job-failure.ts';
import { type JobQueue, type Jobs, openJobs } from '#server/platform/jobs.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { findFreePort } from '#server/test/running-portal.ts';

/**
 * The data of a job of this test. The job runs `sql` in the test's database, or, with `away`, on a server that does not exist. With `says`
 * it fails permanently, with that message.
 */
type Job = { readonly sql?: string; readonly away?: boolean; readonly says?: string };

let database: TestDatabase;
let away: Pool;
const warnings: string[] = [];
beforeAll(async () => {
  database = await testDatabase();
  away = openPool({ host: '127.0.0.1', port: await findFreePort() }, () => {});
});
afterAll(async () => {
  await endPool(away);
  await database.drop();
});

/** Starts the job runner and the queue of this test's jobs, as a portal process does. */
async function process(): Promise<{ jobs: Jobs; queue: JobQueue<Job> }> {
  const jobs = await openJobs(database.pool, (what, reason) => void warnings.push(`${what}: ${reason}`));
  // The next retry is later than the end of the test.
  const policy = { retries: 3, firstRetryS: 600, longestRetryS: 600 };
  const queue = await jobs.queue<Job>('errand', policy, async (job) => {
    if (job.says) throw new PermanentFailure(job.says);
    await (job.away ? away : database.pool).query(job.sql ?? 'select 1');
  });
  return { jobs, queue };
}

const NO_SUCH_ACCOUNT = `insert into known_device (account_id, token_hash) values (0, 'x')`;
const REFUSED = 'failed permanently and is not retried';
const PUT_OFF = 'failed and is tried again later';

test('a job that can never succeed is given up at once, and a job that may succeed later is retried (12.C9)', async () => {
  const cases: readonly (readonly [Job, state: string, warned: RegExp | undefined])[] = [
    [{ sql: 'select 1' }, 'completed', undefined],
    [{ sql: NO_SUCH_ACCOUNT }, 'failed', new RegExp(`${REFUSED}: .*foreign key`)],
    [{ sql: `select 'x'::integer` }, 'failed', new RegExp(`${REFUSED}: .*integer`)],
    [{ says: 'no such person' }, 'failed', new RegExp(`${REFUSED}: no such person`)],
    [{ away: true }, 'retry', new RegExp(`${PUT_OFF}: .*ECONNREFUSED`)],
    [{ sql: 'select * from no_such_table' }, 'retry', new RegExp(`${PUT_OFF}: .*no_such_table`)],
  ];
  // All jobs are queued before the worker starts, so that it finds them at once.
  const asking = await process();
  await asking.jobs.close();
  for (const [job] of cases) await asking.queue.add(database.pool, job);
  const { jobs } = await process();
  const states = async () => {
    const { rows } = await database.pool.query<{ data: Job; state: string }>(
      `select data, state::text from pgboss.job where name = 'errand'`,
    );
    return cases.map(([job]) => {
      const row = rows.find(({ data }) =>
        Object.entries(job).every(([key, value]) => data[key as keyof Job] === value),
      );
      return row?.state;
    });
  };
  const unsettled = async () => (await states()).filter((state) => state === 'created' || state === 'active');
  try {
    await expect.poll(unsettled, { timeout: 20_000 }).toEqual([]);
  } finally {
    await jobs.close();
  }
  expect(await states()).toEqual(cases.map(([, state]) => state));
  const expected = cases.flatMap(([, , warned]) => warned ?? []);
  for (const warned of expected) expect(warnings.filter((warning) => warned.test(warning))).toHaveLength(1);
  expect(warnings).toHaveLength(expected.length);
});
