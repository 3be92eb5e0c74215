import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { openDatabase } from '#server/open-database.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { testDatabase } from '#server/test/database.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { findFreePort, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { TABLES_LEFT_OUT } from './tables.ts';
import {
  type BackupTestFleet,
  createBackupTestFleet,
  fetchMachineResponses,
  SECRETS_KEY,
  signIn,
  tableDigests,
  uploadSnapshot,
  uploadUntilStopped,
} from './test/fleet-to-keep.ts';
import { runCommand } from './test/run.ts';

let fleet: BackupTestFleet;
let folder: string;
beforeAll(async () => {
  fleet = await createBackupTestFleet();
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-restore-'));
});
afterAll(async () => {
  await fleet.portal.close();
  await rm(folder, { recursive: true, force: true });
});

test('a backup made during uploads is restored into a new folder, and from there into an external database (13.6l, INGEST-02, LIVE-01, MDET-08, MAIL-01)', async () => {
  const { portal, busy } = fleet;
  const session = await portal.login('a@klant.nl');
  const before = await fetchMachineResponses(portal.address, session);
  expect(before[0]).toMatchObject({ liveData: { Soc1: 71 } });

  // A sign-in at an organization's provider is under way, to link an account.
  await portal.pool.query(
    `with provider as (
       insert into oidc_provider select id, 'https://inlog.klant.nl', 'klant.nl', 'x', 'x' from organization where name = 'klant'
       returning organization_id
     )
     insert into oidc_attempt select 'x', organization_id, 's', 'n', 'v', now() + interval '1 day', s.token_hash
     from provider, session s limit 1`,
  );

  const uploads = uploadUntilStopped(portal.address, busy);
  const file = join(folder, 'first.backup');
  const settings = { DATABASE_URL: databaseUrlOf(portal.connection), DATA_DIR: folder };
  const made = await runCommand('backup', file, settings);
  const acknowledged = await uploads.stop();
  expect([made.stderr, made.code]).toEqual(['', 0]);
  expect(made.stdout).toMatch(/rows of \d+ tables and 1 waiting jobs, \d+ bytes/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['first.backup']);

  const dataDir = join(folder, 'new');
  const here = { DATA_DIR: dataDir, SECRETS_KEY: SECRETS_KEY };
  const restored = await runCommand('restore', file, here);
  expect([restored.stderr, restored.code]).toEqual(['', 0]);
  const running = startPortal(dataDir, await findFreePort(), { SECRETS_KEY: SECRETS_KEY });
  await untilHealthy(running).catch((error: Error) => {
    running.process.kill('SIGKILL');
    throw error;
  });
  const database = await openDatabase(readConfig(here), pino({ level: 'silent' }));
  const external = await testDatabase({ bare: true });
  try {
    // No session of the old portal is valid any more.
    expect((await fetch(`${running.address}/api/live`, { headers: { cookie: session } })).status).toBe(401);
    expect(await fetchMachineResponses(running.address, await signIn(running.address))).toEqual(before);
    // Readings, totals and roll-up of the busy machine agree, so they are of one snapshot.
    const { rows } = await database.pool.query(
      `select total_count::int as counted, (select sum(count)::int from rollup where stream_id = $1) as rolled,
         time as newest from latest where stream_id = $1`,
      [busy.streamId],
    );
    const readings = await storedRows(database.pool, busy.streamId, ['time']);
    const stored = readings.length;
    expect(rows).toEqual([{ counted: stored, rolled: stored, newest: readings.at(-1)?.time }]);
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(acknowledged);
    // The restored portal accepts the loggers' keys, assigns new ids and sends the waiting mail.
    await uploadSnapshot(running.address, busy, { GMT_UNIX: Math.floor(Date.now() / 1000), Soc1: 12 });
    const newId = await createMachine(database.pool, {
      serial: 'N-1',
      alias: 'N',
      organizationId: fleet.organizationId,
      brand: 'b',
      model: 'm',
      macaddress: '',
      batteries: [],
      accessories: [],
      initialHours: 0,
    });
    const { rows: next } = await portal.pool.query(
      `select unordered_id(last_value + 1) as id from pg_sequences where sequencename = 'stream_id_seq'`,
    );
    expect(next).toEqual([{ id: newId }]);
    await database.pool.query(`update pgboss.job set start_after = now() where name = 'mail'`);
    await expect
      .poll(() => readdir(join(dataDir, 'mail')).catch(() => []), { timeout: 10_000 })
      .toHaveLength(1);
  } finally {
    await database.close();
    await running.end('SIGTERM');
  }

  // A second backup, made without a running portal, is restored from the embedded into an external PostgreSQL.
  const second = join(folder, 'second.backup');
  expect(await runCommand('backup', second, here)).toMatchObject({ stderr: '', code: 0 });
  const there = {
    DATABASE_URL: databaseUrlOf(external.connection),
    DATA_DIR: join(folder, 'none'),
    SECRETS_KEY: SECRETS_KEY,
  };
  expect(await runCommand('restore', second, there)).toMatchObject({ stderr: '', code: 0 });
  const embedded = await openDatabase(readConfig(here), pino({ level: 'silent' }));
  try {
    const leftOut = Object.keys(TABLES_LEFT_OUT);
    // The newest row in the audit log of each database is the backup or the restore (13.9i).
    const newest = 'delete from audit where id = (select max(id) from audit) returning action, actor';
    expect((await embedded.owner.query(newest)).rows).toEqual([
      { action: 'database.backup', actor: 'npm run backup' },
    ]);
    expect((await external.pool.query(newest)).rows).toEqual([
      { action: 'database.restore', actor: 'npm run restore' },
    ]);
    const known = 'select from backup_made';
    expect((await embedded.owner.query(known)).rowCount).toBe(1);
    expect((await external.pool.query(known)).rowCount).toBe(0);
    expect(await tableDigests(external.pool, leftOut)).toEqual(await tableDigests(embedded.pool, leftOut));
    const schema = `select conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`;
    expect((await external.pool.query(schema)).rows).toEqual((await embedded.pool.query(schema)).rows);
    const triggers = `select tgname, tgenabled from pg_trigger join pg_class c on c.oid = tgrelid where not tgisinternal and relnamespace = 'public'::regnamespace order by relname, 1`;
    expect((await external.pool.query(triggers)).rows).toEqual((await embedded.pool.query(triggers)).rows);
  } finally {
    await embedded.close();
    await external.drop();
  }
}, 240_000);
