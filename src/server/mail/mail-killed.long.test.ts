import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { openMailer } from './mail.ts';
import { releaseJobsOfKilledProcess, startKillableProcess } from './test/killed-process.ts';
import { startMailServer } from './test/mail-server.ts';

const MAILS = 40;
/** Concurrent jobs of one process (platform/jobs.ts). */
const WORKERS = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Queues all mails at once while no process sends. */
async function queueMails(): Promise<void> {
  const ignore = () => {};
  const jobs = await openJobs(database.pool, ignore);
  const mail = await openMailer(
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

const startSending = (port: number) =>
  startKillableProcess(new URL('./test/mail-process.ts', import.meta.url), database, String(port));

const jobsIn = async (...states: string[]): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::int as n from pgboss.job where state::text = any($1)',
    [states],
  );
  return rows[0]?.n ?? 0;
};

test('after a kill -9 only the mails that were being sent at that time are sent again (MAIL-01, 12.A12)', async () => {
  await queueMails();
  let taken: (n: number) => Promise<void> | undefined = () => undefined;
  const server = await startMailServer(0, { taken: (n) => taken(n) });
  onTestFinished(server.close);
  const recipients = () => server.delivered.map(({ to }) => to.join());
  const never = new Promise<void>(() => {});

  // The mail server does not answer the 13th mail, and answers all other mails.
  taken = (n) => (n === 13 ? never : undefined);
  const first = startSending(server.port);
  await expect.poll(() => server.delivered.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(13);
  await expect.poll(() => jobsIn('active'), { timeout: 20_000 }).toBe(1);
  await first.kill();
  const sentByFirst = recipients();
  await releaseJobsOfKilledProcess(database);

  // The second process is killed while it sends as fast as it can.
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
  await releaseJobsOfKilledProcess(database);

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
