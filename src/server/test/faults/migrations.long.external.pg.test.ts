import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endPool, openPool } from '#server/platform/database.ts';
import { MigrationError, migrate, type Schema } from '#server/platform/migrate.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';

/** Tests migrations and stored routines (platform/migrate.ts) with small schemas that only these tests use. */
let database: TestDatabase;
let folder: string;
let schema: Schema;
beforeEach(async () => {
  [database, folder] = await Promise.all([
    testDatabase({ bare: true }),
    mkdtemp(join(tmpdir(), 'werkstroom-migrate-')),
  ]);
  schema = {
    migrations: join(folder, 'migrations'),
    routines: join(folder, 'src'),
    expand: (sql) => sql,
    spread: [],
    delegated: '',
  };
  await write({
    'migrations/0001-things.sql': 'create table thing (id integer primary key, size integer not null);',
    'src/things/sql/double.sql':
      'create or replace function double_of(size integer) returns integer language sql return size * 2;',
    'src/things/sql/stamp.sql': `
      create or replace function stamp() returns trigger language plpgsql as $$ begin new.size := 7; return new; end $$;
      create or replace trigger stamped before update on thing for each row execute function stamp();`,
    'src/views/sql/large-thing.sql':
      'create or replace view large_thing as select id from thing where size > 5;',
  });
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const read = async (sql: string): Promise<unknown[]> =>
  (await database.pool.query({ text: sql, rowMode: 'array' })).rows.flat();
const functions = () =>
  read(`select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace order by 1`);

describe('migrate', () => {
  test('migrate creates the schema; a second run changes nothing (INGEST-02)', async () => {
    expect(await migrate(database.pool, schema)).toEqual(['0001-things.sql']);
    expect(await functions()).toEqual(['double_of(integer)', 'stamp()']);
    await database.pool.query('insert into thing values (1, 1); update thing set size = 2');
    expect(await read('select id from large_thing')).toEqual([1]);
    const made = 'select oid from pg_proc union all select oid from pg_trigger';
    const before = await read(made);
    expect(await migrate(database.pool, schema)).toEqual([]);
    expect(await read(made)).toEqual(before);
  });

  test('migrate applies the next migration and replaces the changed routines and views (INGEST-02, 11.1)', async () => {
    await migrate(database.pool, schema);
    await database.pool.query('insert into thing values (1, 3)');
    await write({
      'migrations/0002-weight.sql': 'alter table thing add column weight integer not null default 9;',
      // The function gets another argument and another result type.
      'src/things/sql/double.sql': `
        create or replace function double_of(size integer, times integer) returns bigint language sql return size * 2 * times;`,
      'src/things/sql/stamp.sql': '',
      'src/views/sql/large-thing.sql': `
        create or replace view heavy_thing as select id, double_of(weight, 1) as twice from thing where weight > 8;`,
    });
    expect(await migrate(database.pool, schema)).toEqual(['0002-weight.sql']);
    expect(await functions()).toEqual(['double_of(integer,integer)']);
    await database.pool.query('update thing set size = 4');
    expect(await read('select size, twice from thing natural join heavy_thing')).toEqual([4, '18']);
    expect(await read(`select count(*)::int from pg_class where relname = 'large_thing'`)).toEqual([0]);
    expect(await migrate(database.pool, schema)).toEqual([]);
  });

  test('migrate replaces a changed routine and keeps functions that other people created in the database (INGEST-02, 11.1)', async () => {
    await migrate(database.pool, schema);
    await database.pool.query(
      'create function theirs() returns integer language sql return 1; insert into thing values (1, 1)',
    );
    schema = { ...schema, expand: (sql) => sql.replace('* 2', '* 20') };
    expect(await migrate(database.pool, schema)).toEqual([]);
    expect(await read('select double_of(size) from thing')).toEqual([20]);
    expect(await functions()).toEqual(['double_of(integer)', 'stamp()', 'theirs()']);
  });

  test('migrate replaces a function whose result type changed (INGEST-02)', async () => {
    await migrate(database.pool, schema);
    schema = {
      ...schema,
      expand: (sql) => sql.replace('returns integer', 'returns text').replace('size * 2', `size || ' x 2'`),
    };
    expect(await migrate(database.pool, schema)).toEqual([]);
    expect(await read('select double_of(3)')).toEqual(['3 x 2']);
    expect(await functions()).toEqual(['double_of(integer)', 'stamp()']);
    await database.pool.query('insert into thing values (1, 1); update thing set size = 2');
    expect(await read('select size from thing')).toEqual([7]);
    expect(await migrate(database.pool, schema)).toEqual([]);
  });

  test('migrate applies a migration that drops the table and view of removed routines (INGEST-02)', async () => {
    await migrate(database.pool, schema);
    await write({
      'migrations/0002-no-things.sql': 'drop view large_thing; drop table thing;',
      'src/things/sql/stamp.sql': '',
      'src/views/sql/large-thing.sql': '',
    });
    expect(await migrate(database.pool, schema)).toEqual(['0002-no-things.sql']);
    expect(await functions()).toEqual(['double_of(integer)']);
  });

  test('migrate rolls back everything on a syntax error and names the file (INGEST-02)', async () => {
    await migrate(database.pool, schema);
    await write({
      'migrations/0002-weight.sql': 'alter table thing add column weight integer;',
      'src/things/sql/double.sql': 'create or replace function double_of(',
    });
    await expect(migrate(database.pool, schema)).rejects.toThrow(/things.sql.double\.sql: syntax error/);
    expect(await functions()).toEqual(['double_of(integer)', 'stamp()']);
    expect(await read('select name from schema_migration')).toEqual(['0001-things.sql']);
  });
});

describe('migrate beside a running process', () => {
  test('a prepared statement uses the new function, and a running call of the old one ends normally (INGEST-02)', async () => {
    await write({
      'src/things/sql/slow.sql': `
        create or replace function slow(out a integer, out b integer) language plpgsql as
        $$ begin perform pg_sleep(1); a := 1; b := 2; end $$;`,
    });
    await migrate(database.pool, schema);
    const [running, busy] = [new pg.Client(database.connection), new pg.Client(database.connection)];
    for (const client of [running, busy]) await client.connect();
    const doubled = async () =>
      (await running.query({ name: 'doubled', text: 'select double_of(3) as n' })).rows[0].n;
    expect(await doubled()).toBe(6);
    const called = busy.query('select * from slow()');
    await expect
      .poll(() =>
        read(
          `select count(*)::int from pg_stat_activity where query like '%from slow()' and pid <> pg_backend_pid()`,
        ),
      )
      .toEqual([1]);
    schema = { ...schema, expand: (sql) => sql.replace('* 2', '* 20').replace('b := 2', 'b := 3') };
    await migrate(database.pool, schema);
    expect(await doubled()).toBe(60);
    expect((await called).rows).toEqual([{ a: 1, b: 2 }]);
    expect((await busy.query('select * from slow()')).rows).toEqual([{ a: 1, b: 3 }]);
    for (const client of [running, busy]) await client.end();
  });

  test('a migration and the process that waits for it may take longer than the statement timeout (INGEST-02)', async () => {
    await write({ 'migrations/0002-slow.sql': 'create table slow (); select pg_sleep(3);' });
    // These timeouts are shorter than the portal's 35 s.
    const hasty = openPool(
      { ...database.connection, query_timeout: 1_500, statement_timeout: 1_200 },
      () => {},
    );
    try {
      await expect(hasty.query('select pg_sleep(3)')).rejects.toThrow(/timeout/);
      expect(await Promise.all([migrate(hasty, schema), migrate(hasty, schema)])).toEqual(
        expect.arrayContaining([['0001-things.sql', '0002-slow.sql'], []]),
      );
      expect(await functions()).toEqual(['double_of(integer)', 'stamp()']);
    } finally {
      await endPool(hasty);
    }
  });
});

describe('refusals of migrate', () => {
  const refusal = async (): Promise<string> => {
    const tables = `select array_agg(relname order by relname)::text from pg_class where relnamespace = 'public'::regnamespace`;
    const before = await read(tables);
    const error: unknown = await migrate(database.pool, schema).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(MigrationError);
    expect(await read(tables)).toEqual(before);
    return (error as MigrationError).message;
  };
  beforeEach(() => migrate(database.pool, schema));

  test('migrate refuses a database of a newer version, without a change (INGEST-02)', async () => {
    await database.pool.query(`insert into schema_migration (name, sha256) values ('0002-later.sql', 'x')`);
    expect(await refusal()).toMatch(
      /^This database was made by a newer Werkstroom \(it has 0002-later\.sql\)/,
    );
  });

  test('migrate refuses an applied migration whose file has changed, without a change of the database (INGEST-02)', async () => {
    await write({ 'migrations/0001-things.sql': 'create table thing (id bigint primary key);' });
    expect(await refusal()).toMatch(/^The migration 0001-things\.sql has changed since/);
  });

  test('migrate refuses a database from before the first migration, without a change (INGEST-02, 11.1)', async () => {
    await database.pool.query(`update schema_migration set name = '0001-administration.sql'`);
    expect(await refusal()).toMatch(/^This database was made before .*npm run demo -- --fresh\)\.$/);
  });
});
