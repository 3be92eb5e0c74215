import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrateWithin } from '#server/platform/migrate.ts';
import { type Part, readArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { type Dumped, type Header, quoted } from './dump.ts';
import { DAMAGED } from './frames.ts';
import { LEFT_OUT, readForeignKeys, readTables } from './tables.ts';
import { writeWaitingJobs } from './waiting-jobs.ts';

/** `foreign`: tables that Werkstroom does not have, which are not restored. */
export type Loaded = Dumped & { readonly foreign: readonly string[] };

type Schema = {
  readonly tables: readonly string[];
  /** Puts triggers and foreign keys back, which checks every reference. */
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
        // Somebody else's in our schema.
        for await (const _rows of part.rows());
        loaded.foreign.push(part.table.table);
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

/** Tables and weeks without a row, a trigger or a foreign key: some tables refer to each other, so no order suits. */
async function makeSchema(client: pg.Client, header: Header, migrations: string): Promise<Schema> {
  await migrateWithin(
    client,
    migrations,
    header.migrations.map(({ name }) => name),
  );
  const keys = await readForeignKeys(client);
  const tables = (await readTables(client)).filter((table) => !Object.hasOwn(LEFT_OUT, table));
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await client.query(`alter table ${quoted(table)} disable trigger user`);
  await client.query(`truncate ${tables.map(quoted).join(', ')}`);
  for (const week of header.weeks) {
    await client.query(`select ensure_week($1::date::timestamp at time zone 'UTC')`, [week]);
  }
  return {
    tables,
    async complete() {
      for (const table of tables) await client.query(`alter table ${quoted(table)} enable trigger user`);
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
