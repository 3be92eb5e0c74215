import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { VERSION } from '#server/version.ts';
import { BackupError } from './backup-error.ts';
import { FrameWriter } from './frames.ts';
import { type Relation, readRelations, readSequences } from './tables.ts';
import { readWaitingJobs } from './waiting-jobs.ts';

/** Version of the format; raised by a change that older programs cannot read. */
export const BACKUP_FORMAT = 1;

export type BackupHeader = {
  readonly format: number;
  /** Version of the Werkstroom that made the backup. */
  readonly app: string;
  /** ISO time of the snapshot. */
  readonly madeAt: string;
  /** Version of PostgreSQL, for information only: `18.4`. */
  readonly postgres: string;
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  /** Mondays (YYYY-MM-DD) whose weeks have partitions. */
  readonly weeks: readonly string[];
  /** An encrypted sample (base64), which only the key of the backup's secrets decrypts; null if the backup has no encrypted values. */
  readonly secretsCheck: string | null;
  readonly relations: readonly { readonly relation: string; readonly bytes: number }[];
};
export type DumpedTableHeader = { readonly table: string; readonly columns: readonly string[] };
export type DumpedTableTrailer = { readonly rows: number };

export type DumpCounts = { readonly rows: number; readonly tables: number; readonly jobs: number };

/**
 * Yields the state of the database in one snapshot, while the portal keeps running. Each table is read in a transaction of its
 * own that imports the snapshot of `holder`: a lock for the whole backup would block the creation of a week's partition, and
 * every upload behind it.
 * @param holder, reader two idle connections without time limits
 * @param progress receives the bytes on disk of the tables that were read, and of all tables
 * @throws BackupError if the schema changes meanwhile; errors of PostgreSQL
 */
export async function* dumpDatabase(
  holder: pg.Client,
  reader: pg.Client,
  progress: (done: number, total: number) => void,
): AsyncGenerator<Buffer, DumpCounts> {
  const frames = new FrameWriter();
  await holder.query('begin isolation level repeatable read read only');
  const { rows: snapshots } = await holder.query<{ id: string }>('select pg_export_snapshot() as id');
  const relations = await readRelations(holder);
  yield frames.json('H', await readHeader(holder, relations));

  const total = relations.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  let rows = 0;
  for (const relation of relations) {
    progress(done, total);
    const { table, columns } = relation;
    yield frames.json('T', { table, columns } satisfies DumpedTableHeader);
    await reader.query('begin isolation level repeatable read read only');
    await reader.query(`set transaction snapshot '${snapshots[0]?.id}'`);
    const copy = reader.query(
      copyTo(
        `copy ${quoteIdentifier(relation.schema)}.${quoteIdentifier(relation.relation)} (${columns.map(quoteIdentifier).join(', ')}) to stdout (format binary)`,
      ),
    );
    try {
      for await (const chunk of copy) yield frames.frame('D', chunk);
    } catch (error) {
      if ((error as { code?: string }).code === '42P01') {
        throw new BackupError(
          `The table ${relation.relation} was removed while the backup ran. Start it again.`,
        );
      }
      throw error;
    }
    await reader.query('commit');
    rows += copy.rowCount;
    yield frames.json('E', { rows: copy.rowCount } satisfies DumpedTableTrailer);
    done += relation.bytes;
  }

  let jobs = 0;
  for await (const some of readWaitingJobs(holder)) {
    jobs += some.length;
    yield frames.json('J', some);
  }
  // The sequences are read last, so that ids assigned since the snapshot are not assigned again.
  yield frames.json('S', await readSequences(holder));
  await holder.query('commit');
  yield frames.end();
  progress(total, total);
  return { rows, tables: new Set(relations.map(({ table }) => table)).size, jobs };
}

async function readHeader(holder: pg.Client, relations: readonly Relation[]): Promise<BackupHeader> {
  const { rows: migrations } = await holder.query<BackupHeader['migrations'][number]>(
    'select name, sha256 from schema_migration order by name',
  );
  const { rows } = await holder.query<{ postgres: string; at: Date; sealed: Buffer | null }>(
    `select current_setting('server_version') as postgres, now() as at, (select sealed from secrets_check) as sealed`,
  );
  const [about] = rows;
  return {
    format: BACKUP_FORMAT,
    app: VERSION,
    madeAt: (about?.at ?? new Date()).toISOString(),
    postgres: about?.postgres ?? '',
    migrations,
    weeks: [...new Set(relations.map(({ week }) => week).filter((week) => week !== null))].sort(),
    secretsCheck: about?.sealed?.toString('base64') ?? null,
    relations: relations.map(({ relation, bytes }) => ({ relation, bytes })),
  };
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
