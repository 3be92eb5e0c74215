import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { VERSION } from '#server/version.ts';
import { BackupError } from './backup-error.ts';
import { FrameWriter } from './frames.ts';
import { type Relation, readRelations, readSequences } from './tables.ts';
import { readWaitingJobs } from './waiting-jobs.ts';

/** Raised by a change that older programs cannot read. */
export const FORMAT = 1;

export type Header = {
  readonly format: number;
  /** The version of Werkstroom that made it. */
  readonly app: string;
  /** ISO; of the moment whose state it holds. */
  readonly madeAt: string;
  /** For whoever wonders: `18.4`. */
  readonly postgres: string;
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  /** Mondays (YYYY-MM-DD) whose weeks have partitions. */
  readonly weeks: readonly string[];
  /** What tells whether a key is the one that the secrets were sealed with (base64); null: none were. */
  readonly secretsCheck: string | null;
  readonly relations: readonly { readonly relation: string; readonly bytes: number }[];
};
export type TableBegin = { readonly table: string; readonly columns: readonly string[] };
export type TableEnd = { readonly rows: number };

export type Dumped = { readonly rows: number; readonly tables: number; readonly jobs: number };

/**
 * The state of the database at one moment (one snapshot), beside whatever goes on in it. Each table is read in a
 * transaction of its own that shares the snapshot of `holder`: a lock that lasts as long as the backup would stop the
 * making of a week's partition, and every upload behind it.
 * @param holder, reader two idle connections without time limits
 * @param progress bytes on disk of the tables that are done, and of all
 * @throws BackupError when the schema changes meanwhile; errors of PostgreSQL
 */
export async function* dump(
  holder: pg.Client,
  reader: pg.Client,
  progress: (done: number, total: number) => void,
): AsyncGenerator<Buffer, Dumped> {
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
    yield frames.json('T', { table, columns } satisfies TableBegin);
    await reader.query('begin isolation level repeatable read read only');
    await reader.query(`set transaction snapshot '${snapshots[0]?.id}'`);
    const copy = reader.query(
      copyTo(
        `copy ${quoted(relation.schema)}.${quoted(relation.relation)} (${columns.map(quoted).join(', ')}) to stdout (format binary)`,
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
    yield frames.json('E', { rows: copy.rowCount } satisfies TableEnd);
    done += relation.bytes;
  }

  let jobs = 0;
  for await (const some of readWaitingJobs(holder)) {
    jobs += some.length;
    yield frames.json('J', some);
  }
  // Last: numbers that were given out since the snapshot are not given out again either.
  yield frames.json('S', await readSequences(holder));
  await holder.query('commit');
  yield frames.end();
  progress(total, total);
  return { rows, tables: new Set(relations.map(({ table }) => table)).size, jobs };
}

async function readHeader(holder: pg.Client, relations: readonly Relation[]): Promise<Header> {
  const { rows: migrations } = await holder.query('select name, sha256 from schema_migration order by name');
  const { rows } = await holder.query<{ postgres: string; at: Date; sealed: Buffer | null }>(
    `select current_setting('server_version') as postgres, now() as at, (select sealed from secrets_check) as sealed`,
  );
  const [about] = rows;
  return {
    format: FORMAT,
    app: VERSION,
    madeAt: (about?.at ?? new Date()).toISOString(),
    postgres: about?.postgres ?? '',
    migrations,
    weeks: [...new Set(relations.map(({ week }) => week).filter((week) => week !== null))].sort(),
    secretsCheck: about?.sealed?.toString('base64') ?? null,
    relations: relations.map(({ relation, bytes }) => ({ relation, bytes })),
  };
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
