import type { Database } from '#server/platform/database.ts';
import { findShards } from '#server/platform/shards.ts';

/** Tables whose rows a backup omits, with the reason. Every other table is included. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  schema_migration: 'the header says which migrations there were; the restore applies them',
  schema_routine: 'the restore creates functions and triggers again',
  session: 'an ended session must not become valid again; every user signs in again',
  push_subscription: 'a device gets notifications only while a user is signed in on it',
  push_taken: 'notifications that such a device has received',
  ended_session: 'reasons of sessions that the restored database does not have',
  password_reset: 'a used code must not work again',
  sign_in_step: 'incomplete sign-ins',
  oidc_attempt: 'incomplete sign-ins at an identity provider, and links, which belong to sessions',
  oidc_arrival: 'incomplete sign-ins back from an identity provider',
  invitation: 'a revoked or used invitation must not work again',
  rate_limit: 'attempts of the last 15 minutes',
  background_task: 'progress of a process that has ended',
  redecoded: 'the waiting job, which is in the backup, fills it again',
  backup_made: 'the restored database has no backup yet',
  portal_disk: 'measured again where the portal runs',
  health: 'one row that a migration creates',
};

/** A table or partition on disk. */
export type Relation = {
  readonly schema: string;
  /** A table, or the weekly partition of one. */
  readonly relation: string;
  /** Table into which the rows are restored. */
  readonly table: string;
  /** The Monday of a weekly partition (YYYY-MM-DD). */
  readonly week: string | null;
  readonly columns: readonly string[];
  /** Size on disk, for the progress. */
  readonly bytes: number;
};

/** SQL condition that excludes the objects of extensions. */
const OWN = `not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
)`;

const schemasOf = async (db: Database): Promise<string[]> => [
  ...new Set(['public', ...(await findShards(db))]),
];

/** Returns the tables to back up, over all shards together. */
export async function readRelations(db: Database): Promise<Relation[]> {
  const { rows } = await db.query<Relation>(
    `select n.nspname as schema, c.relname as relation, coalesce(p.relname, c.relname) as "table", pg_table_size(c.oid)::float8 as bytes,
       case when p.oid is not null
         then to_char(to_date(substring(c.relname from '_(\\d{4}w\\d{2})$'), 'IYYY"w"IW'), 'YYYY-MM-DD') end as week,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where n.nspname = any ($1) and c.relkind = 'r' and ${OWN}
     order by 3, 2, 1`,
    [await schemasOf(db)],
  );
  return rows.filter(({ table }) => !Object.hasOwn(TABLES_LEFT_OUT, table));
}

/** Returns the objects in the database that come from neither PostgreSQL nor an extension, as `schema.name`. */
export async function listDatabaseObjects(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and ${OWN}
     order by n.nspname <> 'public', c.relname`,
  );
  return rows.map(({ name }) => name);
}

export type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string };

export async function readForeignKeys(db: Database): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
     order by conrelid, conname`,
  );
  return rows;
}

/** Returns the tables of the schemas, without partitions. */
export async function readTables(db: Database, schemas: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition and ${OWN}
     order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

export type Sequence = { readonly name: string; readonly last: string };

/** Returns the sequences that were used, with their last number. */
export async function readSequences(db: Database): Promise<Sequence[]> {
  const { rows } = await db.query<Sequence>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  );
  return rows;
}
