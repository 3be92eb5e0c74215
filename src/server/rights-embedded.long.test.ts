import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { grantRoleRights } from './platform/application-role.ts';
import { endPool, openPool } from './platform/database.ts';
import { installJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrate.ts';
import { applicationConnectionOf } from './platform/postgres/connection.ts';
import { startEmbedded } from './platform/postgres/embedded.ts';
import { applicationRightsOf, SCHEMA } from './schema.ts';
import { findFreePort, startPortal, untilHealthy } from './test/running-portal.ts';
import { connectedRoles } from './test/users-of.ts';

// Repeats the checks of rights.long.external.pg.test.ts on the embedded PostgreSQL.

const NOT_ALLOWED = 'permission denied for table audit';

test('the portal role gets a password where PostgreSQL requires one (13.10a)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rights-'));
  const embedded = await startEmbedded({ dataDir, log: () => {}, transport: 'tcp' });
  const role = applicationConnectionOf(embedded.connection);
  const pool = openPool(embedded.connection, () => {});
  await migrate(pool, SCHEMA);
  await installJobs(pool);
  expect(await grantRoleRights(pool, role, await applicationRightsOf(pool))).toEqual([]);
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

test('each start on the embedded PostgreSQL connects as the portal role, which cannot delete log rows (13.10a)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rights-'));
  for (const _start of ['the first one', 'one more']) {
    const portal = startPortal(dataDir, await findFreePort());
    await untilHealthy(portal);
    const joined = await startEmbedded({ dataDir, log: () => {} });
    await expect
      .poll(() => connectedRoles(joined.connection), { timeout: 20_000 })
      .toEqual(['werkstroom_app']);
    const client = new pg.Client(applicationConnectionOf(joined.connection));
    await client.connect();
    await expect(client.query('delete from audit')).rejects.toThrow(NOT_ALLOWED);
    await client.query(`select ensure_week('2024-06-05Z')`);
    await client.end();
    await portal.end('SIGTERM');
    expect(portal.output()).not.toMatch(/superuser|"level":(?:[45]0|60)/);
  }
  await rm(dataDir, { recursive: true, force: true });
});
