import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { ADVISORY_LOCK_KEYS } from './advisory-locks.ts';
import { type Database, inTransaction, MAX_TIMEOUT_MS, type Pool } from './database.ts';
import {
  delegateRoutineToShards,
  findShards,
  isCluster,
  makeShards,
  replaceTelemetrySchema,
} from './shards.ts';

/** The database schema of a program: folders with SQL. */
export type Schema = {
  /** Folder of migrations: tables, indexes, constraints, first rows. Each is applied once, in the order of their names. */
  readonly migrations: string;
  /** Folder with subfolders `sql`: functions, triggers and views, which are recreated when one of them changes, and after a migration. */
  readonly routines: string;
  /** Expands a routine's text to plain SQL. */
  readonly expand: (sql: string) => string;
  /** Tables that each shard has its own copy of. A migration that names `telemetry.…` runs in each shard. */
  readonly spread: readonly string[];
  /** Name of the SQL function, one in each shard, that a cluster runs on the server that holds the shard. */
  readonly delegated: string;
};

/** Default number of shards of a new cluster. */
const SHARDS_OF_CLUSTER = 32;

/** The database cannot be migrated to this program's schema; the message says why. */
export class MigrationError extends Error {}

// Time during which lockTables() tries to lock all tables at once.
const AT_ONCE_WITHIN_MS = 30_000;
/** Error codes of PostgreSQL. NOT_REPLACEABLE: the result type of a function or the columns of a view cannot be replaced. */
const LOCK_NOT_AVAILABLE = '55P03';
const NOT_REPLACEABLE = ['42P13', '42P16'];
/**
 * Error code of `raise exception`, with which a migration refuses the data that it finds. Its message is a sentence for an
 * administrator.
 */
const REFUSED = 'P0001';

/**
 * Migrates the database to this schema, in one transaction under an advisory lock: first the pending migrations, forward only, then the
 * routines. A migration may not call routines, because these do not exist yet in a new database. A file that names the schema `telemetry`
 * runs in each shard.
 * @param shards the number of shards of a new database; an existing database keeps its number
 * @returns the applied migrations
 * @throws MigrationError when the database has migrations that the program lacks, or lacks the program's first migration; when an applied
 * file has changed since; or when a migration refuses the stored data
 */
export async function migrate(pool: Pool, schema: Schema, shards?: number): Promise<readonly string[]> {
  const routines = await readRoutines(schema);
  return inTransaction(pool, async (client) => {
    await lockSchema(client);
    const pending = await readPending(client, schema.migrations);
    // A migration makes the routines outdated too, because these may depend on which tables exist (unordered-ids.sql).
    const isCurrent = pending.length === 0 && (await hasRoutines(client, routines.sha256));
    if (!isCurrent) await lockTables(client);
    const isNew = (await readApplied(client)).size === 0;
    await applyAll(client, pending);
    if (isNew) await distributeTables(client, schema, shards);
    if (!isCurrent) {
      await makeRoutines(client, routines);
      if (await isCluster(client)) await delegateRoutineToShards(client, schema.delegated);
    }
    return pending.map(({ name }) => name);
  });
}

/** Applies these migrations only, without routines, in the caller's transaction. @throws MigrationError as migrate */
export async function migrateTo(client: Database, folder: string, names: readonly string[]): Promise<void> {
  await lockSchema(client);
  const pending = await readPending(client, folder);
  await applyAll(
    client,
    pending.filter(({ name }) => names.includes(name)),
  );
}

/**
 * Distributes the tables of streams in a new, empty database over shards.
 * @param shards the number of shards; undefined: the default number
 */
export async function distributeTables(
  client: Database,
  { spread: tables }: Schema,
  shards?: number,
): Promise<void> {
  const count = shards ?? ((await isCluster(client)) ? SHARDS_OF_CLUSTER : 1);
  if (count > 1) await makeShards(client, tables, count);
}

/**
 * Locks schema and rights until the end of the caller's transaction, so that processes that start at the same time migrate one after
 * another.
 */
export async function lockMigrations(client: Database): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await withoutTimeLimit(client, `select pg_advisory_xact_lock(${ADVISORY_LOCK_KEYS.migration})`);
}

/** Creates the tables that record which migrations and routines the database has. */
async function lockSchema(client: Database): Promise<void> {
  await lockMigrations(client);
  await client.query(
    `create table if not exists schema_migration (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now());
     create table if not exists schema_routine (
       type text, identity text, sha256 text not null, primary key (type, identity))`,
  );
}

const withoutTimeLimit = (client: Database, text: string) =>
  // `query_timeout` is an option of pg that @types/pg lacks.
  client.query({ text, query_timeout: MAX_TIMEOUT_MS } as pg.QueryConfig);

type SqlFile = { readonly name: string; readonly sql: string };

/** Runs a file; a file that names the schema `telemetry` runs in each shard. Errors name the file. */
async function run(client: Database, { name, sql }: SqlFile): Promise<void> {
  const shards = replaceTelemetrySchema(sql, '') === sql ? [''] : await findShards(client);
  for (const shard of shards)
    await withoutTimeLimit(client, replaceTelemetrySchema(sql, shard)).catch(
      (error: Error & { code?: string }) => {
        if (error.code === REFUSED) throw new MigrationError(error.message);
        error.message = `${name}: ${error.message}`;
        throw error;
      },
    );
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the names of the migrations, in order. */
export const readMigrations = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

async function readApplied(client: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  );
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

async function readPending(client: Database, folder: string): Promise<SqlFile[]> {
  const applied = await readApplied(client);
  const names = await readMigrations(folder);
  if (applied.size > 0 && !applied.has(names[0] ?? '')) {
    throw new MigrationError(
      'This database was made before Werkstroom 1.0 and cannot be updated: start with another DATA_DIR or DATABASE_URL (the demo: npm run demo -- --fresh).',
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

/** Returns the routines in the order of their paths: a file may use those of its own and of earlier files. */
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

/** Returns whether the database's routines were made from the files with this hash. */
async function hasRoutines(client: Database, sha256: string): Promise<boolean> {
  const { rows } = await client.query<{ same: boolean | null }>(
    'select bool_and(sha256 = $1) as same from schema_routine',
    [sha256],
  );
  return rows[0]?.same ?? false;
}

/** SQL `from` item with the existing routines, each with the id of the transaction that created it. */
const ROUTINES = `(
  select 'pg_trigger'::regclass, oid, xmin from pg_trigger where not tgisinternal
  union all select 'pg_class'::regclass, ev_class, xmin from pg_rewrite where rulename = '_RETURN'
  union all select 'pg_proc'::regclass, p.oid, p.xmin from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname ~ '^(public|telemetry_\\d+)$'
) as routine (class, oid, made_by)`;

/**
 * Creates or replaces the routines; calls that are running finish with the old routines. Drops the routines that no file creates any
 * more, such as one under its former name.
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

async function dropRoutines(client: Database, except: readonly Routine[]): Promise<void> {
  const kept = except.map(({ type, identity }) => `${type} ${identity}`);
  const { rows } = await client.query<Routine>('select type, identity from schema_routine');
  const gone = rows.filter(({ type, identity }) => !kept.includes(`${type} ${identity}`));
  const of = (wanted: string) => gone.filter(({ type }) => type === wanted).map(({ identity }) => identity);
  for (const trigger of of('trigger')) await withoutTimeLimit(client, `drop trigger if exists ${trigger}`);
  // All views, and all functions, are dropped in one statement, because they may depend on each other.
  for (const type of ['view', 'function']) {
    if (of(type).length > 0) await withoutTimeLimit(client, `drop ${type} if exists ${of(type).join(', ')}`);
  }
}

/**
 * Locks the tables of the portal's triggers all at once. Locking them one by one could deadlock with a running process that writes to
 * several of them. After 30 s without success this function locks them one by one nevertheless.
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
  await withoutTimeLimit(client, lock);
}
