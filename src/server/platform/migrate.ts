import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { LOCKS } from './advisory-locks.ts';
import { type Database, inTransaction, type Pool } from './database.ts';
import { delegate, findShards, inSchema, isCluster, makeShards } from './shards.ts';

/** What a database's schema is made of: folders with SQL. */
export type Schema = {
  /** Migrations: tables, indexes, constraints, first rows. Each is applied once, in the order of their names. */
  readonly migrations: string;
  /** Beneath it, in folders named `sql`, routines: functions, triggers and views, made anew when one of them changes. */
  readonly routines: string;
  /** Makes plain SQL of a routine's text. */
  readonly expand: (sql: string) => string;
  /** Tables of which each shard has its own. What they have anew, a migration gives to `telemetry.…`: it runs in each shard. */
  readonly spread: readonly string[];
  /** The function that a cluster calls where the shard is, whole. */
  readonly delegated: string;
};

/** Where a cluster is made, and nobody said how many. */
const SHARDS_OF_CLUSTER = 32;

/** The database cannot be brought to this program's schema; the message says why. */
export class MigrationError extends Error {}

// One number for "the Werkstroom migrations", so that two starting processes take turns.
/** ms, 24 days: a large database takes its time, and who waits for it meanwhile as long. pg reads 0 as the pool's limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const AT_ONCE_WITHIN_MS = 30_000;
/** PostgreSQL's codes; a function's result or a view's columns cannot be replaced. */
const LOCK_NOT_AVAILABLE = '55P03';
const NOT_REPLACEABLE = ['42P13', '42P16'];
/** Of `raise exception`: what a migration refuses, in words for an administrator. */
const REFUSED = 'P0001';

/**
 * Brings the database to this schema, all in one transaction under an advisory lock: the migrations that it has not had
 * yet, forward only, and then the routines as they are now. A migration calls no routine: on a new database there are
 * none yet. A file that names the schema `telemetry` runs in each shard.
 * @param shards of a new database; else it has those that it has
 * @returns the migrations that were applied
 * @throws MigrationError when the database is newer than the program or older than its first migration, when an applied
 *   file has changed since, or when a migration refuses what it finds
 */
export async function migrate(pool: Pool, schema: Schema, shards?: number): Promise<readonly string[]> {
  const routines = await readRoutines(schema);
  return inTransaction(pool, async (client) => {
    await takeTurn(client);
    const pending = await readPending(client, schema.migrations);
    const isCurrent = await hasRoutines(client, routines.sha256);
    if (!isCurrent) await lockTables(client);
    const isNew = (await readApplied(client)).size === 0;
    await applyAll(client, pending);
    if (isNew) await spread(client, schema, shards);
    if (!isCurrent) {
      await makeRoutines(client, routines);
      if (await isCluster(client)) await delegate(client, schema.delegated);
    }
    return pending.map(({ name }) => name);
  });
}

/** The tables only, in the caller's transaction, as they were after these migrations. @throws MigrationError as migrate */
export async function migrateTo(client: Database, folder: string, names: readonly string[]): Promise<void> {
  await takeTurn(client);
  const pending = await readPending(client, folder);
  await applyAll(
    client,
    pending.filter(({ name }) => names.includes(name)),
  );
}

/** Puts the tables of streams of a new database, of which all are empty, into shards. @param shards undefined: as many as are usual there */
export async function spread(client: Database, { spread: tables }: Schema, shards?: number): Promise<void> {
  const count = shards ?? ((await isCluster(client)) ? SHARDS_OF_CLUSTER : 1);
  if (count > 1) await makeShards(client, tables, count);
}

/** In a transaction: nobody else changes the schema, or who may do what with it, before its end. */
export async function takeMigrationTurn(client: Database): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await patiently(client, `select pg_advisory_xact_lock(${LOCKS.migration})`);
}

/** And makes the tables that say what this database has of it all. */
async function takeTurn(client: Database): Promise<void> {
  await takeMigrationTurn(client);
  await client.query(
    `create table if not exists schema_migration (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now());
     create table if not exists schema_routine (
       type text, identity text, sha256 text not null, primary key (type, identity))`,
  );
}

/** Without the pool's time limit. */
const patiently = (client: Database, text: string) =>
  // pg's own option, which @types/pg does not know.
  client.query({ text, query_timeout: NO_LIMIT_MS } as pg.QueryConfig);

type SqlFile = { readonly name: string; readonly sql: string };

/** In each shard, where it names one. An error says in which file it is. */
async function run(client: Database, { name, sql }: SqlFile): Promise<void> {
  const shards = inSchema(sql, '') === sql ? [''] : await findShards(client);
  for (const shard of shards)
    await patiently(client, inSchema(sql, shard)).catch((error: Error & { code?: string }) => {
      if (error.code === REFUSED) throw new MigrationError(error.message);
      error.message = `${name}: ${error.message}`;
      throw error;
    });
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** File names, in their order. */
export const readMigrations = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

/** Name to hash of what the database has had. */
async function readApplied(client: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  );
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/** The migrations that the database has not had yet. */
async function readPending(client: Database, folder: string): Promise<SqlFile[]> {
  const applied = await readApplied(client);
  const names = await readMigrations(folder);
  if (applied.size > 0 && !applied.has(names[0] ?? '')) {
    throw new MigrationError(
      "This database was made before Werkstroom 0.1's first baseline and cannot be updated: start with another DATA_DIR or DATABASE_URL (the demo: npm run demo -- --fresh).",
    );
  }
  const unknown = [...applied.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `This database was made by a newer Werkstroom (it has ${unknown.join(', ')}). Start that version, or use another DATA_DIR or DATABASE_URL.`,
    );
  }
  const pending: SqlFile[] = [];
  for (const name of names) {
    const sql = await readFile(join(folder, name), 'utf8');
    const before = applied.get(name);
    if (before === undefined) pending.push({ name, sql });
    else if (before !== sha256Of(sql)) {
      throw new MigrationError(
        `The migration ${name} has changed since it was applied to this database. Migrations are never edited: add a new one.`,
      );
    }
  }
  return pending;
}

async function applyAll(client: Database, pending: readonly SqlFile[]): Promise<void> {
  for (const file of pending) {
    await run(client, file);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
      file.name,
      sha256Of(file.sql),
    ]);
  }
}

type Routines = { readonly files: readonly SqlFile[]; readonly sha256: string };

/** In the order of their paths: what a view or a trigger is made of is in its own file, or in one that comes before. */
async function readRoutines({ routines, expand }: Schema): Promise<Routines> {
  const names = (await readdir(routines, { recursive: true })).filter((name) =>
    /(^|[/\\])sql[/\\][^/\\]+\.sql$/.test(name),
  );
  const files: SqlFile[] = [];
  for (const name of names.sort()) {
    files.push({ name, sql: expand(await readFile(join(routines, name), 'utf8')) });
  }
  return { files, sha256: sha256Of(files.map(({ sql }) => sql).join('\n')) };
}

/** Whether those that the database has were made of these texts. */
async function hasRoutines(client: Database, sha256: string): Promise<boolean> {
  const { rows } = await client.query<{ same: boolean | null }>(
    'select bool_and(sha256 = $1) as same from schema_routine',
    [sha256],
  );
  return rows[0]?.same ?? false;
}

/** The routines that are there, and which transaction made them as they are. */
const ROUTINES = `(
  select 'pg_trigger'::regclass, oid, xmin from pg_trigger where not tgisinternal
  union all select 'pg_class'::regclass, ev_class, xmin from pg_rewrite where rulename = '_RETURN'
  union all select 'pg_proc'::regclass, p.oid, p.xmin from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname ~ '^(public|telemetry_\\d+)$'
) as routine (class, oid, made_by)`;

/**
 * Every text is `create or replace …`: who is calling a function meanwhile comes to its end. What no text makes any more
 * is dropped, so that none stays behind whose name or arguments have changed.
 */
async function makeRoutines(client: Database, { files, sha256 }: Routines): Promise<void> {
  const { rows: before } = await client.query<{ routine: string }>(`select routine::text from ${ROUTINES}`);
  await client.query('savepoint replacing');
  try {
    for (const file of files) await run(client, file);
  } catch (error) {
    if (!NOT_REPLACEABLE.includes((error as { code?: string }).code ?? '')) throw error;
    await client.query('rollback to savepoint replacing');
    await dropRoutines(client, []);
    for (const file of files) await run(client, file);
  }
  await client.query('release savepoint replacing');
  const { rows: made } = await client.query<Routine>(
    `select type, identity from ${ROUTINES}, pg_identify_object(class, oid, 0) where routine::text <> all ($1)`,
    [before.map(({ routine }) => routine)],
  );
  await dropRoutines(client, made);
  await client.query('delete from schema_routine');
  await client.query(
    'insert into schema_routine (type, identity, sha256) select *, $3 from unnest($1::text[], $2::text[])',
    [made.map(({ type }) => type), made.map(({ identity }) => identity), sha256],
  );
}

type Routine = { readonly type: string; readonly identity: string };

/** Those that we made before, except these. */
async function dropRoutines(client: Database, except: readonly Routine[]): Promise<void> {
  const kept = except.map(({ type, identity }) => `${type} ${identity}`);
  const { rows } = await client.query<Routine>('select type, identity from schema_routine');
  const gone = rows.filter(({ type, identity }) => !kept.includes(`${type} ${identity}`));
  const of = (wanted: string) => gone.filter(({ type }) => type === wanted).map(({ identity }) => identity);
  for (const trigger of of('trigger')) await patiently(client, `drop trigger if exists ${trigger}`);
  // Together: they may need each other.
  for (const type of ['view', 'function']) {
    if (of(type).length > 0) await patiently(client, `drop ${type} if exists ${of(type).join(', ')}`);
  }
}

/**
 * The tables of our triggers, all at once: a process that runs and writes to several of them would wait for us at one
 * while we wait for it at another. After 30 s without a moment in which nobody has any of them, one after the other.
 */
async function lockTables(client: Database): Promise<void> {
  const { rows } = await client.query<{ tables: string | null }>(
    `select string_agg(distinct t.tgrelid::regclass::text, ', ') as tables
     from pg_trigger t, pg_identify_object('pg_trigger'::regclass, t.oid, 0) as i join schema_routine using (type, identity)`,
  );
  const { tables } = rows[0] ?? {};
  if (!tables) return;
  const lock = `lock table ${tables} in access exclusive mode`;
  for (const deadline = performance.now() + AT_ONCE_WITHIN_MS; performance.now() < deadline; ) {
    await client.query('savepoint locking');
    const refused = await client.query(`${lock} nowait`).then(
      () => undefined,
      (error: Error & { code?: string }) => error,
    );
    if (refused && refused.code !== LOCK_NOT_AVAILABLE) throw refused;
    if (refused) await client.query('rollback to savepoint locking');
    await client.query('release savepoint locking');
    if (!refused) return;
    await wait(10);
  }
  await patiently(client, lock);
}
