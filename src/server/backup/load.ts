import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { distributeTables, migrateTo, readMigrations, type Schema } from '#server/platform/migrate.ts';
import { findShards, replaceTelemetrySchema } from '#server/platform/shards.ts';
import { type BackupPart, readArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { type BackupHeader, type DumpCounts, quoteIdentifier } from './dump.ts';
import { DAMAGED_MESSAGE } from './frames.ts';
import { readForeignKeys, readTables, TABLES_LEFT_OUT } from './tables.ts';
import { writeWaitingJobs } from './waiting-jobs.ts';

/** `foreign`: tables in the backup that Werkstroom does not have; they are not restored. */
export type RestoreCounts = DumpCounts & { readonly foreign: readonly string[] };

type Made = {
  readonly tables: readonly string[];
  /** The shards that hold the tables of streams. */
  readonly shards: readonly string[];
  /** Puts the foreign keys back, which checks every reference. */
  complete(): Promise<void>;
};

/**
 * Fills an empty database in one transaction: the schema of the backup, the rows, the sequences and the waiting jobs, whose
 * queues must exist. After an error the database is empty again.
 * @param client a connection without time limits
 * @param shards as returned by migrate()
 * @throws BackupError, errors of PostgreSQL
 */
export async function restoreDatabase(
  client: pg.Client,
  path: string,
  schema: Schema,
  shards: number | undefined,
  progress: (done: number) => void,
): Promise<RestoreCounts> {
  await client.query('begin');
  try {
    const loaded = { rows: 0, jobs: 0, tables: new Set<string>(), foreign: [] as string[] };
    let made: Made | undefined;
    for await (const part of readArchive(path, progress)) {
      if (part.kind === 'header') made = await makeSchema(client, part.header, schema, shards);
      else if (part.kind === 'table' && !made?.tables.includes(part.table.table)) {
        // Skips the rows: the table is not one of Werkstroom, or this version no longer backs it up (TABLES_LEFT_OUT).
        for await (const _rows of part.rows());
        if (!Object.hasOwn(TABLES_LEFT_OUT, part.table.table)) loaded.foreign.push(part.table.table);
      } else if (part.kind === 'table') {
        loaded.rows += await copyPart(
          client,
          part,
          schema.spread.includes(part.table.table) ? (made?.shards ?? []) : [],
        );
        loaded.tables.add(part.table.table);
      } else if (part.kind === 'jobs') {
        await writeWaitingJobs(client, part.jobs);
        loaded.jobs += part.jobs.length;
      } else {
        for (const { name, last } of part.sequences) {
          await client.query('select setval(s, $2::bigint) from to_regclass($1) as s where s is not null', [
            `public.${quoteIdentifier(name)}`,
            last,
          ]);
        }
      }
    }
    await made?.complete();
    await client.query('commit');
    return { ...loaded, tables: loaded.tables.size };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** The functions that create the partitions of a week. */
const WEEKS = new URL('../telemetry/sql/weeks.sql', import.meta.url);

/**
 * Creates empty tables and weekly partitions without foreign keys, since some tables refer to each other. Functions and triggers
 * come later: those of this version may not fit the older tables.
 */
async function makeSchema(
  client: pg.Client,
  header: BackupHeader,
  schema: Schema,
  count: number | undefined,
): Promise<Made> {
  await migrateTo(
    client,
    schema.migrations,
    header.migrations.map(({ name }) => name),
  );
  const isKept = (table: string) => !Object.hasOwn(TABLES_LEFT_OUT, table);
  const tables = (await readTables(client, ['public'])).filter(isKept);
  await client.query(`truncate ${tables.map(quoteIdentifier).join(', ')} cascade`);
  await distributeTables(client, schema, count);
  const keys = await readForeignKeys(client);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const shards = await findShards(client);
  const weeks = await readFile(WEEKS, 'utf8');
  for (const shard of shards) {
    await client.query(replaceTelemetrySchema(weeks, shard));
    for (const week of header.weeks)
      await client.query(`select ${shard}.ensure_week($1::date::timestamp at time zone 'UTC')`, [week]);
    await client.query(`drop function ${shard}.ensure_week, ${shard}.has_week`);
  }
  return {
    tables,
    shards,
    async complete() {
      for (const { table, name, definition } of keys) {
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      }
    },
  };
}

type TablePart = BackupPart & { kind: 'table' };

/** Copies the rows of a table. @param shards databases over which the rows of streams are distributed */
async function copyPart(client: pg.Client, part: TablePart, shards: readonly string[]): Promise<number> {
  const { table, columns } = part.table;
  if (shards.length < 2) return copyRows(client, part, quoteIdentifier(table));
  const names = columns.map(quoteIdentifier).join(', ');
  await client.query(
    `create temp table arrived on commit drop as select ${names} from ${shards[0]}.${quoteIdentifier(table)} limit 0`,
  );
  const count = await copyRows(client, part, 'arrived');
  for (const [n, shard] of shards.entries())
    await client.query(
      `insert into ${shard}.${quoteIdentifier(table)} (${names}) select ${names} from arrived where stream_id % ${shards.length} = ${n}`,
    );
  await client.query('drop table arrived');
  return count;
}

async function copyRows(client: pg.Client, { table, rows }: TablePart, into: string): Promise<number> {
  const columns = table.columns.map(quoteIdentifier).join(', ');
  const copy = client.query(copyFrom(`copy ${into} (${columns}) from stdin (format binary)`));
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
  if (copy.rowCount !== expected) throw new BackupError(DAMAGED_MESSAGE);
  return expected;
}

/**
 * Requires that this version can create the schema of the backup.
 * @param folder this version's migrations
 * @throws BackupError if a migration is unknown, or differs from the one of the same name
 */
export async function requireMigrations(folder: string, { app, migrations }: BackupHeader): Promise<void> {
  const ours = await readMigrations(folder);
  if (!migrations.some(({ name }) => name === ours[0])) {
    throw new BackupError(
      'The backup was made before Werkstroom 1.0 and cannot be restored by this version. Nothing was changed.',
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
