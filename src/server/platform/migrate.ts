import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type Database, inTransaction, type Pool } from './database.ts';

/** What a database's schema is made of: folders with SQL. */
export type Schema = {
  /** Migrations: tables, indexes, constraints, first rows. Each is applied once, in the order of their names. */
  readonly migrations: string;
  /** Beneath it, in folders named `sql`, routines: functions, triggers and views, made anew when one of them changes. */
  readonly routines: string;
  /** Makes plain SQL of a routine's text. */
  readonly expand: (sql: string) => string;
};

/** The database cannot be brought to this program's schema; the message says why. */
export class MigrationError extends Error {}

// One number for "the Werkstroom migrations", so that two starting processes take turns.
const LOCK = 7_406_318;
/** ms, 24 days: a large database takes its time, and who waits for it meanwhile as long. pg reads 0 as the pool's limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Brings the database to this schema, all in one transaction under an advisory lock: the migrations that it has not had
 * yet, forward only, and the routines as they are now. While a migration runs there are no routines, as on a new
 * database: it cannot call them, and they do not stand in its way.
 * @returns the migrations that were applied
 * @throws MigrationError when the database is newer than the program or older than its first migration, or an applied
 *   file has changed since
 */
export async function migrate(pool: Pool, schema: Schema): Promise<readonly string[]> {
  const routines = await readRoutines(schema);
  return inTransaction(pool, async (client) => {
    await takeTurn(client);
    const pending = await readPending(client, schema.migrations);
    if (pending.length === 0 && (await hasRoutines(client, routines.sha256))) return [];
    await dropRoutines(client);
    await applyAll(client, pending);
    await makeRoutines(client, routines);
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

/** And makes the tables that say what this database has of it all. */
async function takeTurn(client: Database): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await patiently(client, `select pg_advisory_xact_lock(${LOCK})`);
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

/** An error says in which file it is. */
async function run(client: Database, { name, sql }: SqlFile): Promise<void> {
  await patiently(client, sql).catch((error: Error) => {
    error.message = `${name}: ${error.message}`;
    throw error;
  });
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** File names, in their order. */
export const readMigrations = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

/** The migrations that the database has not had yet. */
async function readPending(client: Database, folder: string): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
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

/** Those that we made, so that none stays behind whose name or arguments have changed. */
async function dropRoutines(client: Database): Promise<void> {
  const { rows } = await client.query<{ type: string; identity: string }>(
    'delete from schema_routine returning type, identity',
  );
  const of = (wanted: string) => rows.filter(({ type }) => type === wanted).map(({ identity }) => identity);
  for (const trigger of of('trigger')) await patiently(client, `drop trigger if exists ${trigger}`);
  // Together: they may need each other.
  for (const type of ['view', 'function']) {
    if (of(type).length > 0) await patiently(client, `drop ${type} if exists ${of(type).join(', ')}`);
  }
}

async function makeRoutines(client: Database, { files, sha256 }: Routines): Promise<void> {
  for (const file of files) await run(client, file);
  // All that this transaction made.
  await client.query(
    `insert into schema_routine (type, identity, sha256)
     select i.type, i.identity, $1 from (
       select 'pg_trigger'::regclass, oid, xmin from pg_trigger where not tgisinternal
       union all select 'pg_class'::regclass, oid, xmin from pg_class where relkind = 'v'
       union all select 'pg_proc'::regclass, oid, xmin from pg_proc
     ) as made (class, oid, xmin), pg_identify_object(class, oid, 0) as i
     where made.xmin = pg_current_xact_id()::xid`,
    [sha256],
  );
}
