import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTransaction, openPool } from '#server/platform/database.ts';
import { migrateWithin } from '#server/platform/migrate.ts';
import { testDatabase } from '#server/test/database.ts';
import { urlOf } from '#server/test/postgres.ts';
import { runCommand } from './test/run.ts';

/** Landed first, and long before others. */
const THEN = '0009-log-objects.sql';

test('INGEST-02 an older version’s backup, made before the update, becomes a database of this version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-older-'));
  const [older, target] = [await testDatabase({ bare: true }), await testDatabase({ bare: true })];
  try {
    const all = (await readdir('migrations')).filter((name) => name.endsWith('.sql')).sort();
    const first = all.filter((name) => name <= THEN);
    await inTransaction(older.pool, (client) => migrateWithin(client, 'migrations', first));
    await older.pool.query(`
      insert into organization (name, clean, code) values ('klant', 'Klant', 'c');
      insert into stream (kind, serial, alias) values ('machine', 'M-1', 'M 1');
      insert into latest (stream_id) values (1);
      select ensure_week('2026-03-02');
      insert into reading (stream_id, time, soc1, rest) values (1, '2026-03-04 05:06:07.089Z', 80.1, '{"Ander": [1e300, null]}');
      insert into reading (stream_id, time, soc1) values (1, '1999-12-31', 'NaN');
      create table "Of somebody else" as select 1 as n`);
    const file = join(folder, 'older.backup');
    const settings = { DATABASE_URL: urlOf(older.connection), DATA_DIR: folder };
    expect(await runCommand('backup', file, settings)).toMatchObject({ code: 0, stderr: '' });
    // The backup itself changes nothing.
    const applied = 'select name from schema_migration order by name';
    expect((await older.pool.query(applied)).rows.map(({ name }) => name)).toEqual(first);

    await target.pool.end();
    const there = { DATABASE_URL: urlOf(target.connection), DATA_DIR: folder };
    const said = await runCommand('restore', file, there);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(said.stdout).toMatch(/^6 rows .*\nNot Werkstroom's, and left out: Of somebody else\.\n$/);
    const restored = openPool(target.connection, () => {});
    try {
      expect((await restored.query(applied)).rows.map(({ name }) => name)).toEqual(all);
      const readings =
        'select stream_id, time::text, soc1, rest, tableoid::regclass::text as week from reading order by time';
      expect((await restored.query(readings)).rows).toEqual((await older.pool.query(readings)).rows);
      const { rows } = await restored.query(
        `insert into stream (kind, serial, alias) values ('machine', 'M-2', 'M 2') returning id`,
      );
      expect(rows).toEqual([{ id: 2 }]);
    } finally {
      await restored.end();
    }
  } finally {
    await older.drop();
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
