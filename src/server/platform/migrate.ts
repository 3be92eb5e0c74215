import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type Database, inTransaction, type Pool } from './database.ts';

/** The database cannot be brought to this program's schema; the message says why. */
export class MigrationError extends Error {}

// One number for "the Werkstroom migrations", so that two starting processes take turns.
const LOCK = 7_406_318;
/** ms, 24 days: a large database takes its time, and who waits for it meanwhile as long. pg reads 0 as the pool's limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Applies the SQL files of `folder` that this database has not had yet, in the order of their names, all in one
 * transaction under an advisory lock. Forward only.
 * @throws MigrationError when the database is newer than the program, or an applied file has changed since
 */
export async function migrate(pool: Pool, folder: string): Promise<readonly string[]> {
  return inTransaction(pool, (client) => migrateWithin(client, folder));
}

/** The same in the caller's transaction. @param only these of them, for a schema of former days */
export async function migrateWithin(
  client: Database,
  folder: string,
  only?: readonly string[],
): Promise<readonly string[]> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.sql') && (only?.includes(name) ?? true))
    .sort();
  // pg's own option, which @types/pg does not know.
  const patiently = (text: string, values?: unknown[]) =>
    client.query({ text, values, query_timeout: NO_LIMIT_MS } as pg.QueryConfig);
  await client.query('set local statement_timeout = 0');
  await patiently('select pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(
    'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const unknown = [...applied.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `This database was made by a newer Werkstroom (it has ${unknown.join(', ')}). Start that version, or use another DATA_DIR or DATABASE_URL.`,
    );
  }
  const done: string[] = [];
  for (const name of names) {
    const sql = await readFile(join(folder, name), 'utf8');
    const sha256 = createHash('sha256').update(sql).digest('hex');
    const before = applied.get(name);
    if (before === sha256) continue;
    if (before !== undefined) {
      throw new MigrationError(
        `The migration ${name} has changed since it was applied to this database. Migrations are never edited: add a new one.`,
      );
    }
    await patiently(sql);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
    done.push(name);
  }
  return done;
}
