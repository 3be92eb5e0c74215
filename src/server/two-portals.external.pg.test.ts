import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveResponse } from '#shared/contract/live.ts';
import { uploadSnapshot } from './backup/test/fleet-to-keep.ts';
import { type MailServer, startMailServer } from './mail/test/mail-server.ts';
import { openPool, type Pool } from './platform/database.ts';
import { deriveSecrets } from './platform/secrets.ts';
import { loadShards } from './platform/shards.ts';
import { SCRIPT_HEADERS } from './test/by-script.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';
import { type Logger, makeLoggers } from './test/loggers.ts';
import { databaseUrlOf } from './test/postgres.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from './test/running-portal.ts';

const SECRETS_KEY = '11'.repeat(32);
const ADMIN = { email: 'baas@portaal.nl', password: 'een lang wachtwoord' };

let folder: string;
let database: TestDatabase;
let pool: Pool;
let mails: MailServer;
let portals: [RunningPortal, RunningPortal];
let logger: Logger;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-two-'));
  database = await testDatabase({ bare: true });
  mails = await startMailServer();
  const settings = {
    DATABASE_URL: databaseUrlOf(database.connection),
    SECRETS_KEY,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
  };
  const start = async (name: string) => startPortal(join(folder, name), await findFreePort(), settings);
  portals = [await start('one'), await start('two')];
  // Both start at once on an empty database; one of them creates the tables.
  await Promise.all(portals.map(untilHealthy));
  pool = openPool(database.connection, () => {});
  await loadShards(pool);
  [logger] = (await makeLoggers(pool, deriveSecrets(SECRETS_KEY), 1)) as [Logger];
});

afterAll(async () => {
  await Promise.all(portals.map((portal) => portal.end('SIGTERM')));
  await mails.close();
  await pool.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function signIn({ address }: RunningPortal, { email, password } = ADMIN): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  return String(answer.headers.get('set-cookie')).split(';', 1)[0] as string;
}

const liveAt = ({ address }: RunningPortal, cookie: string): Promise<Response> =>
  fetch(`${address}/api/live`, { headers: { cookie } });

test('two portals that start at once on an empty database create one schema and one administrator (INGEST-02)', async () => {
  const { rows } = await pool.query(
    `select (select count(*)::int from account) as accounts, (select count(*) from schema_migration) = (
       select count(distinct name) from schema_migration) as once`,
  );
  expect(rows[0]).toEqual({ accounts: 1, once: true });
});

test('an upload to one portal is in the live data of the other portal within 5 s (LIVE-01)', async () => {
  const [one, two] = portals;
  const cookie = await signIn(two);
  await liveAt(two, cookie);
  await uploadSnapshot(one.address, logger, { GMT_UNIX: Math.floor(Date.now() / 1000), Soc1: 42 });
  const began = performance.now();
  const soc = async () => ((await (await liveAt(two, cookie)).json()) as LiveResponse)['K-0']?.liveData.Soc1;
  await expect.poll(soc, { timeout: 5_000, interval: 50 }).toBe(42);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a session that ends at one portal ends at the other within 5 s (AUTH-10)', async () => {
  const [one, two] = portals;
  const cookie = await signIn(one);
  expect((await liveAt(two, cookie)).status).toBe(200);
  await fetch(`${one.address}/api/auth/logout`, { method: 'POST', headers: { ...SCRIPT_HEADERS, cookie } });
  const status = async () => (await liveAt(two, cookie)).status;
  await expect.poll(status, { timeout: 5_000, interval: 50 }).toBe(401);
});

test('an organization that is disabled at one portal loses access at the other within 5 s (ORG-02, AUTH-10)', async () => {
  const [one, two] = portals;
  await pool.query(
    `insert into account (email, password_hash, organization_id)
     select 'a@klant.nl', a.password_hash, o.id from account a, organization o where a.email = $1 and o.name = 'klant'`,
    [ADMIN.email],
  );
  const user = await signIn(two, { ...ADMIN, email: 'a@klant.nl' });
  expect((await liveAt(two, user)).status).toBe(200);
  const admin = await signIn(one);
  const disabled = await fetch(`${one.address}/api/organization/disable/?name=klant&isActive=false`, {
    headers: { ...SCRIPT_HEADERS, cookie: admin },
  });
  expect(disabled.status).toBe(200);
  const status = async () => (await liveAt(two, user)).status;
  await expect.poll(status, { timeout: 5_000, interval: 50 }).toBe(401);
});

test('each job of two portals on one database runs once (MAIL-01)', async () => {
  const addresses = Array.from({ length: 12 }, (_, n) => `jan${n}@klant.nl`);
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(
    `insert into pgboss.job (name, data, retry_limit, policy)
     select 'mail', jsonb_build_object('to', address, 'subject', 'Eén keer', 'text', 'Hallo', 'html', '<p>Hallo</p>'), 5, 'standard'
     from unnest($1::text[]) as address`,
    [addresses],
  );
  const left = async () =>
    (await client.query(`select from pgboss.job where name = 'mail' and state <> 'completed'`)).rowCount;
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
  await client.end();
  expect(mails.delivered.flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
});
