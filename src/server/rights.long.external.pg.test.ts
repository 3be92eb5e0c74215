import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { grantRoleRights } from './platform/application-role.ts';
import { applicationRightsOf } from './schema.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';
import { databaseUrlOf } from './test/postgres.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from './test/running-portal.ts';
import { connectedRoles } from './test/users-of.ts';

let database: TestDatabase;
let application: pg.Client;
/** false on a PostgreSQL server where the owner of the database may not create roles and no administrator created the portal role. */
const hasRole = databaseUrlOf(inject('application')) !== databaseUrlOf(inject('postgres'));

beforeAll(async () => {
  database = await testDatabase();
  application = new pg.Client(database.application);
  await application.connect();
});
afterAll(async () => {
  await application.end();
  await database.drop();
});

const NOT_ALLOWED = '42501';
const codeOf = (sql: string) =>
  application.query(sql).then(
    () => 'done',
    (error: Error & { code?: string }) => error.code,
  );

test.runIf(hasRole).each([
  // The log is append-only.
  'update audit set actor = actor',
  'delete from audit',
  'truncate audit',
  'insert into audit (actor, action, subject) values (1, 2, 3) on conflict (id) do update set actor = null',
  'select from audit for update',
  'alter table audit rename to elsewhere',
  'alter table audit disable trigger all',
  'drop table audit cascade',
  'create trigger mine before insert on audit for each row execute function suppress_redundant_updates_trigger()',
  'create rule mine as on insert to audit do instead nothing',
  // No statement gives the role more rights.
  'create role mine superuser',
  'alter role current_user createrole',
  'grant pg_read_server_files to current_user',
  'set role pg_read_server_files',
  'create database mine',
  'alter system set log_statement = $$all$$',
  'set session_replication_role = replica',
  'create extension dblink',
  'create schema mine',
  'create table public.mine (a integer)',
  `create function public.mine() returns integer language sql as 'select 1'`,
  `create function pg_temp.mine() returns integer language c as 'libc.so.6', 'system'`,
  'create or replace function ensure_week(moment timestamptz) returns void language sql as $$ $$',
  'alter table account add column mine text',
  'drop table account cascade',
  'truncate reading',
  'drop table reading_default',
  'delete from schema_migration',
  'update schema_routine set sha256 = null',
  'alter table pgboss.job rename to elsewhere',
  // No statement reads the server's files or runs its programs.
  `select pg_read_file('/etc/passwd')`,
  `select pg_ls_dir('/')`,
  `select lo_import('/etc/passwd')`,
  `create temporary table mine_too (line text); copy mine_too from '/etc/passwd'`,
  `copy (select 1) to '/tmp/mine'`,
  `copy (select 1) to program 'true'`,
  'select * from pg_authid',
  `select pg_reload_conf()`,
])('the portal role may not run: %s (13.10a)', async (sql) => {
  const code = await codeOf(sql);
  await application.query('drop table if exists pg_temp.mine_too');
  // A role or extension that this server lacks cannot be set or loaded either.
  expect(
    sql === 'create extension dblink' ? [NOT_ALLOWED, '0A000', '58P01'] : [NOT_ALLOWED, '42704'],
  ).toContain(code);
});

test.runIf(hasRole)(
  'the portal role is no superuser, owns nothing, and has the documented rights on each table (13.10a)',
  async () => {
    const { rows: roles } = await application.query(
      `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as above,
       (select count(*)::integer from pg_class where relowner = r.oid and relpersistence <> 't') as owns,
       (select count(*)::integer from pg_auth_members where member = r.oid) as member
     from pg_roles r where rolname = current_user`,
    );
    expect(roles).toEqual([{ above: false, owns: 0, member: 0 }]);

    const { rows: tables } = await application.query<{ name: string; may: string[] }>(
      `select relname as name, array(
       select p from unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) as p
       where has_table_privilege(c.oid, p)) as may
     from pg_class c where relnamespace = any ('{public,pgboss}'::regnamespace[]) and relkind in ('r', 'p')
       and not (relispartition and relnamespace = 'public'::regnamespace)`,
    );
    const may = Object.fromEntries(tables.map(({ name, may }) => [name, may.join()]));
    const { audit, id_key, schema_migration, schema_routine, ...others } = may;
    expect({ audit, id_key, schema_migration, schema_routine }).toEqual({
      audit: 'select,insert',
      id_key: 'select',
      schema_migration: 'select',
      schema_routine: 'select',
    });
    expect(Object.keys(others).length).toBeGreaterThan(30);
    expect(new Set(Object.values(others))).toEqual(new Set(['select,insert,update,delete']));
    expect(await codeOf(`select nextval(pg_get_serial_sequence('account', 'id'))`)).toBe('done');
    expect(await codeOf(`select setval(pg_get_serial_sequence('account', 'id'), 1)`)).toBe(NOT_ALLOWED);
    expect(
      await codeOf(
        `insert into audit (actor, action, subject, kind) values ('test', 'user.role', 's', 'account')`,
      ),
    ).toBe('done');
  },
);

test.runIf(hasRole)(
  'the portal role creates weekly partitions with the owner’s rights, although its temporary tables hide the real ones (13.10a)',
  async () => {
    await application.query('create temporary table reading_default (like reading)');
    await application.query('create temporary table pg_inherits (inhparent oid, inhrelid oid)');
    expect(await codeOf(`select ensure_week('2024-05-05Z')`)).toBe('done');
    await application.query('drop table pg_temp.reading_default, pg_temp.pg_inherits');
    const { rows } = await application.query(
      `select relname as name, relnamespace::regnamespace::text as schema, pg_has_role(relowner, 'member') as own
     from pg_class where relname ~ '2024w18$' order by 1`,
    );
    expect(rows).toEqual([
      { name: 'reading_2024w18', schema: 'public', own: false },
      { name: 'rollup_2024w18', schema: 'public', own: false },
    ]);
  },
);

test.runIf(hasRole)(
  'a start grants rights on a later version’s table, revokes extra rights, and changes nothing the second time (13.10a)',
  async () => {
    const { pool } = database;
    const role = { user: new pg.Client(database.application).user as string };
    const written = async () =>
      (
        await pool.query(
          `select oid, xmin from pg_class where relnamespace = 'public'::regnamespace order by 1`,
        )
      ).rows;
    const before = await written();
    expect(await grantRoleRights(pool, role, await applicationRightsOf(pool))).toEqual([]);
    expect(await written()).toEqual(before);

    await pool.query('create table of_tomorrow (n integer); grant truncate on of_tomorrow to public');
    await pool.query(
      `grant update, truncate on audit to ${role.user}; revoke delete on account from ${role.user}`,
    );
    expect(await grantRoleRights(pool, role, await applicationRightsOf(pool))).toEqual([]);
    expect(await codeOf('insert into of_tomorrow values (1)')).toBe('done');
    expect(await codeOf('truncate of_tomorrow')).toBe(NOT_ALLOWED);
    expect(await codeOf('update audit set actor = actor')).toBe(NOT_ALLOWED);
    expect(await codeOf('delete from account where false')).toBe('done');
    await pool.query('drop table of_tomorrow');
  },
);

test('grantRoleRights returns a warning when the portal role has the rights of the owner of the tables (13.10a)', async () => {
  const { user } = new pg.Client(database.connection);
  expect(
    await grantRoleRights(database.pool, { user: user as string }, await applicationRightsOf(database.pool)),
  ).toEqual([expect.stringContaining('has the rights of who owns the tables')]);
});

const healthy = async (portal: RunningPortal) => {
  await untilHealthy(portal);
  return (await fetch(`${portal.address}/api/health`)).status;
};

test.runIf(hasRole)(
  'MIGRATION_DATABASE_URL creates the tables, and the portal works as the other role (13.10a)',
  async () => {
    const target = await testDatabase({ bare: true });
    const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rights-'));
    const portal = startPortal(dataDir, await findFreePort(), {
      DATABASE_URL: databaseUrlOf(target.application),
      MIGRATION_DATABASE_URL: databaseUrlOf(target.connection),
    });
    expect(await healthy(portal)).toBe(200);
    const own = new pg.Client(target.application).user as string;
    // The connections that created the tables close when they are idle.
    await expect.poll(() => connectedRoles(target.connection), { timeout: 20_000 }).toEqual([own]);
    const { rows } = await target.pool.query(
      `select count(*)::integer as n from pg_class c join pg_roles r on r.oid = relowner where rolname = $1`,
      [own],
    );
    expect(rows).toEqual([{ n: 0 }]);
    const { rows: weeks } = await target.pool.query(
      `select from pg_class where relname ~ '^reading_\\d{4}w\\d\\d$'`,
    );
    expect(weeks.length).toBe(2);
    await portal.end('SIGTERM');
    expect(portal.output()).not.toMatch(/superuser|"level":(?:[45]0|60)/);
    await target.drop();
    await rm(dataDir, { recursive: true, force: true });
  },
);

test('the start warns about a DATABASE_URL of a superuser (13.10a)', async () => {
  const target = await testDatabase();
  const { rows } = await target.pool.query('select rolsuper from pg_roles where rolname = current_user');
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rights-'));
  const portal = startPortal(dataDir, await findFreePort(), {
    DATABASE_URL: databaseUrlOf(target.connection),
  });
  expect(await healthy(portal)).toBe(200);
  await portal.end('SIGTERM');
  expect(portal.output().includes('DATABASE_URL signs in as a superuser')).toBe(rows[0].rolsuper);
  await target.drop();
  await rm(dataDir, { recursive: true, force: true });
});
