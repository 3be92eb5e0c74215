import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPool } from '#server/platform/database.ts';
import { migrate, type Schema } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { verifyArchive } from './archive.ts';
import { requireMigrations, restoreDatabase } from './load.ts';
import { runCommand } from './test/run.ts';

test('a backup is restored into the version that made it and into a later one (INGEST-02)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-older-'));
  const [older, same, later] = [
    await testDatabase({ asRows: true }),
    await testDatabase({ bare: true }),
    await testDatabase({ bare: true }),
  ];
  try {
    await older.pool.query(`
      insert into organization (name, clean, code) values ('klant', 'Klant', 'c');
      insert into stream (kind, serial, alias) values ('machine', 'M-1', 'M 1');
      insert into latest (stream_id) select id from stream;
      select ensure_week('2026-03-02');
      insert into reading (stream_id, time, soc1, rest) select id, '2026-03-04 05:06:07.089Z', 80.1, '{"Ander": [1e300, null]}' from stream;
      insert into reading (stream_id, time, soc1) select id, '1999-12-31', 'NaN' from stream;
      create table "Foreign table" as select 1 as n`);
    const applied = async (pool: pg.Pool) =>
      (await pool.query('select name from schema_migration order by name')).rows.map(({ name }) => name);
    const first = await applied(older.pool);
    const file = join(folder, 'older.backup');
    const settings = { DATABASE_URL: databaseUrlOf(older.connection), DATA_DIR: folder };
    expect(await runCommand('backup', file, settings)).toMatchObject({ code: 0, stderr: '' });

    /** Expects that the database has the rows of the backup and accepts new ones. */
    const isRestored = async ({ connection }: TestDatabase, migrations: readonly string[]) => {
      const restored = openPool(connection, () => {});
      try {
        expect(await applied(restored)).toEqual(migrations);
        const readings =
          'select stream_id, time::text, soc1, rest, tableoid::regclass::text as week from reading order by time';
        expect((await restored.query(readings)).rows).toEqual((await older.pool.query(readings)).rows);
        const { rows } = await restored.query(
          `insert into stream (kind, serial, alias) values ('machine', 'M-2', 'M 2') returning id = unordered_id(2) as "isNext"`,
        );
        expect(rows).toEqual([{ isNext: true }]);
        // The functions and triggers exist.
        expect((await restored.query(`select has_week('2026w10') as has`)).rows).toEqual([{ has: true }]);
        expect((await restored.query('select n > 0 as changed from change_counter')).rows).toEqual([
          { changed: true },
        ]);
      } finally {
        await restored.end();
      }
    };

    // The restore requires that no other client is connected.
    await same.pool.end();
    const there = { DATABASE_URL: databaseUrlOf(same.connection), DATA_DIR: folder };
    const output = await runCommand('restore', file, there);
    expect(output).toMatchObject({ code: 0, stderr: '' });
    expect(output.stdout).toMatch(/^7 rows .*\nNot Werkstroom's, and left out: Foreign table\.\n$/);
    await isRestored(same, first);

    // From here on the test does what `npm run restore` of a later version does.
    const next: Schema = { ...SCHEMA, migrations: join(folder, 'migrations') };
    await cp(SCHEMA.migrations, next.migrations, { recursive: true });
    await writeFile(
      join(next.migrations, '9999-next.sql'),
      `alter table reading add column pressure double precision default 7; update stream set alias = 'Renamed';`,
    );
    const { header } = await verifyArchive(file, () => {});
    await requireMigrations(next.migrations, header);
    const client = new pg.Client(later.connection);
    await client.connect();
    expect(await restoreDatabase(client, file, next, undefined, () => {})).toMatchObject({
      rows: 7,
      foreign: ['Foreign table'],
    });
    await client.end();
    expect(await migrate(later.pool, next)).toEqual(['9999-next.sql']);
    await isRestored(later, [...first, '9999-next.sql']);
    const { rows } = await later.pool.query(
      'select pressure, alias from reading join stream on id = stream_id',
    );
    expect(rows).toEqual(Array(2).fill({ pressure: 7, alias: 'Renamed' }));
  } finally {
    for (const database of [older, same, later]) await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
