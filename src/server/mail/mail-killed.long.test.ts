import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { COMPILED } from '#server/test/running-portal.ts';
import { openMail } from './mail.ts';
import { startMailServer } from './test/mail-server.ts';

const MAILS = 40;
/** How many one process has under way at once (platform/jobs.ts). */
const WORKERS = 5;
const SENDER = 'mail-killed';

let database: TestDatabase;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => database.drop());

/** All at once, while nobody sends: a process that was closed still asks. */
async function queueMails(): Promise<void> {
  const ignore = () => {};
  const jobs = await openJobs(database.pool, ignore);
  const mail = await openMail(
    jobs,
    { send: () => Promise.reject(new Error('Nothing is queued yet')) },
    ignore,
  );
  await jobs.close();
  await inTransaction(database.pool, async (client) => {
    for (let n = 0; n < MAILS; n++)
      await mail.queue(client, {
        to: `user${n}@klant.nl`,
        subject: 'Vol',
        text: 'Vol.',
        html: '<p>Vol.</p>',
      });
  });
}

/** A process of its own that sends; killed at the end of the test at the latest. */
function startSending(port: number): { kill(): Promise<void> } {
  const script = new URL('./test/mail-process.ts', import.meta.url);
  const connection = { ...database.connection, application_name: SENDER };
  const child = fork(script, [JSON.stringify(connection), String(port)], { execArgv: [], env: COMPILED });
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  closers.push(kill);
  return { kill };
}

const jobsIn = async (...states: string[]): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::int as n from pgboss.job where state::text = any($1)',
    [states],
  );
  return rows[0]?.n ?? 0;
};

/** What a killed process had in hand is given to another: pg-boss does so after five minutes. */
async function fiveMinutesLater(): Promise<void> {
  // A statement that it had sent is done by then, too.
  const connections = async () =>
    (await database.pool.query('select 1 from pg_stat_activity where application_name = $1', [SENDER]))
      .rowCount;
  await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  await database.pool.query(
    `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
  );
}

test('MAIL-01 12.A12 a kill -9 repeats no mail but those that were under way at that instant', async () => {
  await queueMails();
  let taken: (n: number) => Promise<void> | undefined = () => undefined;
  const server = await startMailServer(0, { taken: (n) => taken(n) });
  closers.push(server.close);
  const recipients = () => server.delivered.map(({ to }) => to.join());
  const never = new Promise<void>(() => {});

  // One mail gets no answer, and all others that were sent get theirs.
  taken = (n) => (n === 13 ? never : undefined);
  const first = startSending(server.port);
  await expect.poll(() => server.delivered.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(13);
  await expect.poll(() => jobsIn('active'), { timeout: 20_000 }).toBe(1);
  await first.kill();
  const sentByFirst = recipients();
  await fiveMinutesLater();

  // At full speed.
  const atKill = sentByFirst.length + 13;
  const second = startSending(server.port);
  const struck = new Promise<void>((done) => {
    taken = (n) => {
      if (n < atKill) return undefined;
      void second.kill().then(done);
      return never;
    };
  });
  await struck;
  const sentBySecond = recipients().slice(sentByFirst.length);
  await fiveMinutesLater();

  taken = () => undefined;
  startSending(server.port);
  await expect.poll(() => jobsIn('created', 'retry', 'active'), { timeout: 20_000 }).toBe(0);

  const all = recipients();
  const bySecondAndLater = all.slice(sentByFirst.length);
  const byThird = bySecondAndLater.slice(sentBySecond.length);
  const repeated = (before: readonly string[], after: readonly string[]) =>
    before.filter((to) => after.includes(to)).length;
  expect(new Set(all).size).toBe(MAILS);
  expect(await jobsIn('completed')).toBe(MAILS);
  expect(repeated(sentByFirst, bySecondAndLater)).toBe(1);
  expect(repeated(sentBySecond, byThird)).toBeLessThanOrEqual(WORKERS);
});
