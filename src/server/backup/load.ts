import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrateTo, readMigrations } from '#server/platform/migrate.ts';
import { type Part, readArchive } from './archive.ts';
import { BackupError } from './command.ts';
import { type Dumped, type Header, quoted } from './dump.ts';
import { DAMAGED } from './frames.ts';
import { LEFT_OUT, readForeignKeys, readTables } from './tables.ts';
import { writeWaitingJobs } from './waiting-jobs.ts';

/** `foreign`: tables that Werkstroom does not have, which are not restored. */
export type Loaded = Dumped & { readonly foreign: readonly string[] };

type Schema = {
  readonly tables: readonly string[];
  /** Puts the foreign keys back, which checks every reference. */
  complete(): Promise<void>;
};

/**
 * Fills an empty database, in one transaction: the schema as it was when the backup was made, the rows, the numbers
 * given out, and the waiting jobs, whose queues must be there. What breaks on the way leaves the database empty.
 * @param client without time limits
 * @param migrations the folder of this program's
 * @throws BackupError, errors of PostgreSQL
 */
export async function load(
  client: pg.Client,
  path: string,
  migrations: string,
  progress: (done: number) => void,
): Promise<Loaded> {
  await client.query('begin');
  try {
    const loaded = { rows: 0, jobs: 0, tables: new Set<string>(), foreign: [] as string[] };
    let schema: Schema | undefined;
    for await (const part of readArchive(path, progress)) {
      if (part.kind === 'header') schema = await makeSchema(client, part.header, migrations);
      else if (part.kind === 'table' && !schema?.tables.includes(part.table.table)) {
        // Somebody else's in our schema, or what older versions did not leave out yet.
        for await (const _rows of part.rows());
        if (!Object.hasOwn(LEFT_OUT, part.table.table)) loaded.foreign.push(part.table.table);
      } else if (part.kind === 'table') {
        loaded.rows += await copyRows(client, part);
        loaded.tables.add(part.table.table);
      } else if (part.kind === 'jobs') {
        await writeWaitingJobs(client, part.jobs);
        loaded.jobs += part.jobs.length;
      } else {
        for (const { name, last } of part.sequences) {
          await client.query('select setval(s, $2::bigint) from to_regclass($1) as s where s is not null', [
            `public.${quoted(name)}`,
            last,
          ]);
        }
      }
    }
    await schema?.complete();
    await client.query('commit');
    return { ...loaded, tables: loaded.tables.size };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** The text of the functions that make the partitions of a week; it is run as it stands, so it has no lists to expand. */
const WEEKS = new URL('../telemetry/sql/weeks.sql', import.meta.url);

/**
 * Tables and weeks without a row or a foreign key: some tables refer to each other, so no order suits. Functions and
 * triggers are not there yet: those of this program need not fit the tables of then.
 */
async function makeSchema(client: pg.Client, header: Header, migrations: string): Promise<Schema> {
  await migrateTo(
    client,
    migrations,
    header.migrations.map(({ name }) => name),
  );
  const keys = await readForeignKeys(client);
  const tables = (await readTables(client)).filter((table) => !Object.hasOwn(LEFT_OUT, table));
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await client.query(`truncate ${tables.map(quoted).join(', ')}`);
  await client.query(await readFile(WEEKS, 'utf8'));
  for (const week of header.weeks) {
    await client.query(`select ensure_week($1::date::timestamp at time zone 'UTC')`, [week]);
  }
  await client.query('drop function ensure_week, has_week');
  return {
    tables,
    async complete() {
      for (const { table, name, definition } of keys) {
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      }
    },
  };
}

async function copyRows(client: pg.Client, { table, rows }: Part & { kind: 'table' }): Promise<number> {
  const columns = table.columns.map(quoted).join(', ');
  const copy = client.query(copyFrom(`copy ${quoted(table.table)} (${columns}) from stdin (format binary)`));
  let expected = -1;
  await pipeline(async function* () {
    const bodies = rows();
    for (;;) {
      const { value, done } = await bodies.next();
      if (done) {
        expected = value.rows;
        return;
      }
      yield value;
    }
  }, copy);
  if (copy.rowCount !== expected) throw new BackupError(DAMAGED);
  return expected;
}

/**
 * That this program can make the schema that the backup's rows fit in.
 * @param folder of this program's migrations
 * @throws BackupError when it does not know one, or knows another one of that name
 */
export async function requireMigrations(folder: string, { app, migrations }: Header): Promise<void> {
  const ours = await readMigrations(folder);
  if (!migrations.some(({ name }) => name === ours[0])) {
    throw new BackupError(
      "The backup was made before Werkstroom 0.1's first baseline and cannot be restored by this version. Nothing was changed.",
    );
  }
  const unknown: string[] = [];
  for (const { name, sha256 } of migrations) {
    const sql = ours.includes(name) ? await readFile(join(folder, name)) : '';
    if (createHash('sha256').update(sql).digest('hex') !== sha256) unknown.push(name);
  }
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup was made by another Werkstroom (${app}), whose migrations this one does not have (${unknown.join(', ')}). Restore it with that version or a newer one. Nothing was changed.`,
    );
  }
}
