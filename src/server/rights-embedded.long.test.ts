import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { giveRights } from './platform/application-role.ts';
import { endPool, openPool } from './platform/database.ts';
import { installJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrate.ts';
import { applicationOf } from './platform/postgres/connection.ts';
import { startEmbedded } from './platform/postgres/embedded.ts';
import { rightsOf, SCHEMA } from './schema.ts';
import { freePort, startPortal, untilHealthy } from './test/running-portal.ts';
import { usersOf } from './test/users-of.ts';

// Repeats the checks of rights.long.external.pg.test.ts on the embedded PostgreSQL.

const NOT_ALLOWED = 'permission denied for table audit';

test('the portal role gets a password where PostgreSQL requires one (13.10a)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rights-'));
  const embedded = await startEmbedded({ dataDir, log: () => {}, transport: 'tcp' });
  const role = applicationOf(embedded.connection);
  const pool = openPool(embedded.connection, () => {});
  await migrate(pool, SCHEMA);
  await installJobs(pool);
  expect(await giveRights(pool, role, await rightsOf(pool))).toEqual([]);
  await endPool(pool);
  const client = new pg.Client(role);
  await client.connect();
  await expect(client.query('delete from audit')).rejects.toThrow(NOT_ALLOWED);
  await client.end();
  const wrong = new pg.Client({ ...role, password: embedded.connection.password });
  await expect(wrong.connect()).rejects.toThrow('password authentication failed');
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('the start makes a data folder of an earlier version use the portal role (13.10b)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rights-'));
  const first = await startEmbedded({ dataDir, log: () => {} });
  const before = openPool(first.connection, () => {});
  await migrate(before, SCHEMA);
  await installJobs(before);
  await before.query(`insert into organization (name, clean, code) values ('klant', 'Klant BV', 'CODE-1')`);
  await before.query(
    `insert into audit (actor, action, subject, kind) values ('first start', 'user.create', 'z', 'account')`,
  );
  await before.query(`select ensure_week('2024-05-05Z')`);
  expect((await before.query(`select from pg_roles where rolname = 'werkstroom_app'`)).rowCount).toBe(0);
  await endPool(before);
  await first.stop();

  for (const _start of ['the first one', 'one more']) {
    const portal = startPortal(dataDir, await freePort());
    await untilHealthy(portal);
    const joined = await startEmbedded({ dataDir, log: () => {} });
    await expect.poll(() => usersOf(joined.connection), { timeout: 20_000 }).toEqual(['werkstroom_app']);
    const client = new pg.Client(applicationOf(joined.connection));
    await client.connect();
    expect((await client.query(`select clean from organization where name = 'klant'`)).rows).toEqual([
      { clean: 'Klant BV' },
    ]);
    await expect(client.query('delete from audit')).rejects.toThrow(NOT_ALLOWED);
    await client.query(`select ensure_week('2024-06-05Z')`);
    await client.end();
    await portal.end('SIGTERM');
    expect(portal.output()).not.toMatch(/superuser|"level":(?:[45]0|60)/);
  }
  await rm(dataDir, { recursive: true, force: true });
});
