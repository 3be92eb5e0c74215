import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '#server/auth/new-account.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction } from '#server/platform/database.ts';
import { addSubscription } from '#server/subscriptions/subscriptions.store.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { findFreePort } from '#server/test/running-portal.ts';
import { type AlertProcess, startAlertProcess } from './test/alert-process.ts';
import { CHARGER_OFF, CHARGER_ON, readingsDuring, testMinuteMs } from './test/charging-desk.ts';

const READERS = ['anna@klant.nl', 'bert@klant.nl'];

let database: TestDatabase;
let organizationId: number;
let port: number;
let warnings: string[];
let clock: number;
let machines = 0;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await testDatabase();
  organizationId = await createOrganization(database.pool, {
    name: 'klant',
    clean: 'Klant',
    isLmbCustomer: false,
  });
  for (const email of READERS)
    await createAccount(database.pool, { email, passwordHash: 'none', organizationId, isConfirmed: true });
  await database.pool.query('select ensure_week($1)', [new Date(testMinuteMs(0))]);
});
afterAll(() => database.drop());
beforeEach(async () => {
  port = await findFreePort();
  warnings = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts the parts of a portal process that charging mails need. */
async function process(timeoutMs?: number): Promise<AlertProcess> {
  const { pool } = database;
  const started = await startAlertProcess({ pool, port, warnings, now: () => clock, timeoutMs });
  closers.push(started.close);
  return started;
}

async function server(behaviour = {}): Promise<MailServer> {
  const started = await startMailServer(port, behaviour);
  closers.push(started.close);
  return started;
}

/** Creates a machine with both accounts as subscribers. Its readings, not evaluated yet, show a charge from minute 10 to 30 after START. */
async function charged(): Promise<void> {
  machines += 1;
  const { pool } = database;
  const streamId = await createMachine(pool, {
    serial: `K-${machines}`,
    alias: 'Kraan',
    organizationId,
    brand: 'Volta',
    model: 'EX-1',
    macaddress: '',
    batteries: [],
    accessories: [],
    initialHours: 0,
  });
  const { rows } = await pool.query<{ id: number }>('select id from account');
  await inTransaction(pool, async (client) => {
    for (const { id } of rows) await addSubscription(client, streamId, id);
  });
  const readings = [
    ...readingsDuring(0, 10, CHARGER_OFF),
    ...readingsDuring(10, 30, CHARGER_ON),
    ...readingsDuring(30, 40, CHARGER_OFF),
  ];
  await storeReadings(
    pool,
    readings.map((reading) => ({ streamId, ...reading })),
  );
  clock = testMinuteMs(41);
}

const queued = async (): Promise<number> => {
  const { rows } = await database.pool.query(
    `select count(*)::int as n from pgboss.job where name = 'alert-mail' and state in ('created', 'retry', 'active')`,
  );
  return rows[0].n;
};
const recipients = ({ delivered }: MailServer): string[] => delivered.map(({ to }) => to.join()).sort();
const EACH_TWICE = READERS.flatMap((email) => [email, email]);

test('no mail is lost while the mail server is down, also over a restart of the portal (MAIL-01)', async () => {
  const first = await process();
  await charged();
  await first.evaluate();
  expect(await queued()).toBe(4);
  await expect.poll(() => warnings.length, { timeout: 15_000 }).toBeGreaterThan(6);
  expect(warnings[0]).toMatch(/alert-mail.*tried again later.*ECONNREFUSED/);
  await first.close();
  expect(await queued()).toBe(4);
  const back = await server();
  const second = await process();
  await second.evaluate();
  await expect.poll(queued, { timeout: 20_000 }).toBe(0);
  expect(recipients(back)).toEqual(EACH_TWICE);
});

test('after a mail server refused every mail for a while, it gets each mail exactly once (MAIL-01)', async () => {
  let open = false;
  const there = await server({ refuse: () => (open ? undefined : 451) });
  const { evaluate } = await process();
  await charged();
  await evaluate();
  await expect.poll(() => warnings.length, { timeout: 15_000 }).toBeGreaterThan(4);
  expect(there.delivered).toEqual([]);
  open = true;
  await expect.poll(queued, { timeout: 20_000 }).toBe(0);
  expect(recipients(there)).toEqual(EACH_TWICE);
});

test('a permanently refused mail is not retried, and the other recipient gets theirs (MAIL-01)', async () => {
  let asked = 0;
  const there = await server({
    refuse: (to: string) => {
      if (!to.startsWith('bert')) return undefined;
      asked += 1;
      return 550;
    },
  });
  const { evaluate } = await process();
  await charged();
  await evaluate();
  await expect.poll(queued, { timeout: 20_000 }).toBe(0);
  expect(recipients(there)).toEqual(['anna@klant.nl', 'anna@klant.nl']);
  // The mail is in no queue, and another evaluation does not add it again.
  await evaluate();
  expect([await queued(), asked]).toEqual([0, 2]);
});

test('a mail server that hangs times out, and no mail is lost (MAIL-01)', async () => {
  const sockets: { destroy(): void }[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(
    port,
    '127.0.0.1',
  );
  await new Promise((listening) => silent.once('listening', listening));
  const { evaluate } = await process(500);
  await charged();
  await evaluate();
  await expect.poll(() => warnings.length, { timeout: 15_000 }).toBeGreaterThan(3);
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => silent.close(closed));
  const back = await server();
  await expect.poll(queued, { timeout: 20_000 }).toBe(0);
  expect(recipients(back)).toEqual(EACH_TWICE);
});
