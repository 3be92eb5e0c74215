import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endPool, openPool, type Pool } from '#server/platform/database.ts';
import { migrate } from '#server/platform/migrate.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';

let database: TestDatabase;
let folder: string;
/** Gives up soon, as the portal's gives up after 35 s. */
let hasty: Pool;

beforeAll(async () => {
  database = await testDatabase({ bare: true });
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-migrate-'));
  hasty = openPool({ ...database.connection, query_timeout: 300, statement_timeout: 250 }, () => {});
});
afterAll(async () => {
  await endPool(hasty);
  await database.drop();
  await rm(folder, { recursive: true });
});

test('INGEST-02 a migration may take longer than any statement, and so may who waits for it', async () => {
  await writeFile(join(folder, '0001-slow.sql'), 'create table slow (); select pg_sleep(0.8);');
  await expect(hasty.query('select pg_sleep(0.8)')).rejects.toThrow(/timeout/);
  expect(await Promise.all([migrate(hasty, folder), migrate(hasty, folder)])).toEqual(
    expect.arrayContaining([['0001-slow.sql'], []]),
  );
});
