import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { installJobs, type Jobs, openJobs } from '#server/platform/jobs.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { findFreePort } from '#server/test/running-portal.ts';
import { type Mailer, openMailer } from './mail.ts';
import { openMailTransport } from './mail-transport.ts';
import { type MailServer, startMailServer } from './test/mail-server.ts';

let database: TestDatabase;
let port: number;
let warnings: string[];
let closers: (() => Promise<unknown>)[];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  port = await findFreePort();
  warnings = [];
  closers = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  await database.pool.query('delete from pgboss.job');
});

const message = (to: string) => ({ to, subject: 'De accu is vol', text: 'Vol.', html: '<p>Vol.</p>' });
const quick = { retries: 20, firstRetryS: 1, longestRetryS: 1 };

/** Starts the parts of a portal process that send mail. */
async function process(timeoutMs = 20_000): Promise<{ mail: Mailer; jobs: Jobs; close(): Promise<void> }> {
  const warn = (what: string, reason: string) => void warnings.push(`${what}: ${reason}`);
  const jobs = await openJobs(database.pool, warn);
  const transport = openMailTransport(
    { SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: 'https://portaal.nl', DATA_DIR: '/nowhere' },
    timeoutMs,
  );
  const mail = await openMailer(jobs, transport, warn, quick);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= jobs.close();
    return closed;
  };
  closers.push(close);
  return { mail, jobs, close };
}

async function server(behaviour = {}): Promise<MailServer> {
  const started = await startMailServer(port, behaviour);
  closers.push(started.close);
  return started;
}

const queued = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where state in ('created', 'retry', 'active')`,
  );
  return rows[0]?.n ?? 0;
};

const recipients = ({ delivered }: MailServer) => delivered.map(({ to }) => to[0]);

test('processes that start at the same time on a new database create the tables once (MAIL-01)', async () => {
  const start = () => installJobs(database.pool).then(() => process());
  for (let round = 0; round < 10; round++) {
    await database.pool.query('drop schema if exists pgboss cascade');
    const all = await Promise.all([start(), start(), start(), start()]);
    await Promise.all(all.map(({ close }) => close()));
  }
  const one = await process();
  const there = await server();
  await one.mail.queue(database.pool, message('anna@klant.nl'));
  await expect.poll(() => there.delivered.length, { timeout: 10_000 }).toBe(1);
  expect(warnings).toEqual([]);
});

test('no mail is lost while the mail server is down, also over a restart of the portal (MAIL-01)', async () => {
  const first = await process();
  await first.mail.queue(database.pool, message('anna@klant.nl'));
  await expect.poll(() => warnings.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(warnings[0]).toMatch(/tried again later.*ECONNREFUSED/);
  await first.close();
  const back = await server();
  expect(await queued()).toBe(1);
  await process();
  await expect
    .poll(() => back.delivered.map(({ to }) => to), { timeout: 15_000 })
    .toEqual([['anna@klant.nl']]);
  await expect.poll(queued, { timeout: 5_000 }).toBe(0);
});

test('a mail is sent if and only if its transaction commits (MAIL-01)', async () => {
  const there = await server();
  const { mail } = await process();
  await expect(
    inTransaction(database.pool, async (client) => {
      await mail.queue(client, message('undone@klant.nl'));
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await queued()).toBe(0);
  await inTransaction(database.pool, async (client) => {
    await mail.queue(client, message('done@klant.nl'));
    // When a later mail has been delivered, the worker has polled at least once. The mail of this open transaction must not have been sent
    // by then.
    await mail.queue(database.pool, message('later@klant.nl'));
    await expect.poll(() => recipients(there), { timeout: 10_000 }).toEqual(['later@klant.nl']);
  });
  await expect
    .poll(() => recipients(there), { timeout: 10_000 })
    .toEqual(['later@klant.nl', 'done@klant.nl']);
});

test('a permanently refused recipient is not retried and delays no other mail (MAIL-01)', async () => {
  const there = await server({ refuse: (to: string) => (to.startsWith('gone') ? 550 : undefined) });
  const { mail } = await process();
  await mail.queue(database.pool, message('gone@klant.nl'));
  await mail.queue(database.pool, message('anna@klant.nl'));
  await expect.poll(queued, { timeout: 10_000 }).toBe(0);
  expect(there.delivered.map(({ to }) => to[0])).toEqual(['anna@klant.nl']);
  expect(warnings).toEqual([expect.stringMatching(/^A mail was permanently refused: .*550/)]);
});

test('two processes send each of forty mails once (MAIL-01)', async () => {
  const there = await server();
  const [one] = await Promise.all([process(), process()]);
  const addresses = Array.from({ length: 40 }, (_, n) => `user${String(n).padStart(2, '0')}@klant.nl`);
  await Promise.all(addresses.map((to) => one.mail.queue(database.pool, message(to))));
  await expect.poll(queued, { timeout: 20_000 }).toBe(0);
  expect(there.delivered.map(({ to }) => to[0]).sort()).toEqual(addresses);
  expect(warnings).toEqual([]);
});

test('a mail server that hangs costs one attempt and loses no mail, and the portal can close meanwhile (MAIL-01)', async () => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(port, '127.0.0.1');
  await new Promise((listening) => silent.once('listening', listening));
  const asked = new Promise((connected) => silent.once('connection', connected));
  const hanging = await process(60_000);
  await hanging.mail.queue(database.pool, message('anna@klant.nl'));
  const socket = (await asked) as { destroy(): void };
  const began = performance.now();
  await hanging.close();
  // Closing takes about 3 s: it does not wait for the timeout of 60 s of the mail to the server that hangs.
  expect(performance.now() - began).toBeLessThan(20_000);
  socket.destroy();
  await new Promise((closed) => silent.close(closed));
  const back = await server();
  await process();
  await expect.poll(() => back.delivered.length, { timeout: 15_000 }).toBe(1);
});

test('a mail that could inject headers is refused before it is queued (MAIL-02)', async () => {
  const { mail } = await process();
  await expect(mail.queue(database.pool, message('a@b.nl\r\nBcc: c@d.nl'))).rejects.toThrow(/address/);
  await expect(
    mail.queue(database.pool, { ...message('a@b.nl'), subject: 'x\r\nBcc: c@d.nl' }),
  ).rejects.toThrow(/subject/);
  expect(await queued()).toBe(0);
});
