import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WriteQueueHealth } from '#server/telemetry/write-queue.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { openHealthWarnings } from './health-warnings.ts';

const HOUR_MS = 3_600_000;
let portal: TestPortal;
let clock: number;
let free: number;
let uploads: WriteQueueHealth;
const open = (isBackedUp = true) =>
  openHealthWarnings({
    db: portal.pool,
    space: async () => ({ free, all: 100 }),
    uploads: () => uploads,
    isBackedUp,
    now: () => clock,
  });
const warnings = (isBackedUp?: boolean) => open(isBackedUp).read();

beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(async () => {
  clock = Date.now();
  free = 50;
  uploads = { waiting: 0, waitingMs: 0, failedMs: undefined };
  await portal.pool.query(`update schema_migration set applied_at = now(); delete from backup_made`);
});
afterAll(() => portal.close());

test('a healthy portal returns an empty list of warnings with its status (55.31)', async () => {
  expect(await warnings()).toEqual([]);
  const answer = await portal.get('/api/health');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    status: 'ok',
    warnings: expect.any(Array),
    backup: { ageSeconds: null, isFailing: false },
    database: { reachable: true },
  });
});

test('the health check warns of a disk with less than 10 % free (55.31)', async () => {
  free = 9;
  expect(await warnings()).toEqual(['Schijf bijna vol.']);
});

test('the health check warns of a verified backup older than two days if the portal makes backups (55.31)', async () => {
  await portal.pool.query(`insert into backup_made (at) values (now() - interval '3 days')`);
  expect(await warnings()).toEqual(['Back-up te oud.']);
  expect(await warnings(false)).toEqual([]);
  await portal.pool.query('update backup_made set at = now()');
  expect(await warnings()).toEqual([]);
});

test('the health check warns of a failed scheduled backup with its reason, and of an old backup only if none is recent (55.65)', async () => {
  await portal.pool.query(
    `insert into backup_made (at, failed_at, tried_at, failure) values (now(), now(), now(), 'de map van BACKUP_DIR is er niet')`,
  );
  expect(await warnings()).toEqual(['Back-up mislukt: de map van BACKUP_DIR is er niet.']);
  await portal.pool.query(`update backup_made set at = now() - interval '3 days'`);
  expect(await warnings()).toEqual(['Back-up te oud.', 'Back-up mislukt: de map van BACKUP_DIR is er niet.']);
});

test('the health check warns of a mail that has failed for half an hour (55.31)', async () => {
  await portal.portal.mail.queue(portal.pool, { to: 'a@klant.nl', subject: 'x', text: 'x', html: 'x' });
  const sent = `select from pgboss.job where name = 'mail' and state = 'completed'`;
  await expect.poll(async () => (await portal.pool.query(sent)).rowCount, { timeout: 20_000 }).toBe(1);
  const stuck = (state: string) =>
    portal.pool.query(
      `update pgboss.job set state = $1, start_after = now() + interval '1 day', created_on = now() - interval '40 minutes',
         completed_on = null where name = 'mail'`,
      [state],
    );
  await stuck('retry');
  expect(await warnings()).toEqual(['Mail komt niet weg.']);
  await stuck('created');
  expect(await warnings()).toEqual([]);
});

test('the health check warns of uploads that wait, and of a day without an accepted upload (55.31)', async () => {
  uploads = { waiting: 3, waitingMs: 3_000, failedMs: undefined };
  expect(await warnings()).toEqual(['Uploads van loggers wachten op de database.']);
  uploads = { waiting: 0, waitingMs: 0, failedMs: undefined };
  const streamId = await portal.machine(await portal.organization('klant'));
  const { writerId } = await portal.logger(streamId, '7000001');
  await portal.pool.query('update writer_health set last_seen_at = now() where writer_id = $1', [writerId]);
  clock = Date.now() + 23 * HOUR_MS;
  expect(await warnings()).toEqual([]);
  clock += 2 * HOUR_MS;
  expect(await warnings()).toEqual(['Al een dag is geen upload van een logger aangenomen.']);
});

test('the health check warns of a table that it cannot read, and reads it again after 10 s (55.31)', async () => {
  const health = open();
  await portal.pool.query('alter table backup_made rename to elsewhere');
  expect(await health.read()).toEqual(['Niet alles kon worden nagekeken.']);
  await portal.pool.query('alter table elsewhere rename to backup_made');
  expect(await health.read()).toEqual(['Niet alles kon worden nagekeken.']);
  clock += 10_000;
  expect(await health.read()).not.toContain('Niet alles kon worden nagekeken.');
});
