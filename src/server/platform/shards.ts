import pg from 'pg';
import { type Database, isUnavailable } from './database.ts';

/**
 * The tables of readings and of data derived from them are divided into shards: schemas with the same tables, each with the rows of
 * its own streams, which a cluster stores on different servers (docs/decisions/0053-shards.md). A single server has one shard,
 * `public`. Statements name the schema `telemetry` and are sent to one shard, because no server of a cluster has the rows of
 * another server.
 */
export type Shard = {
  readonly name: string;
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string | pg.QueryConfig,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
};

const ONE_CELL = ['public'];
let schemas: readonly string[] = [];

/** Returns the schemas of a database's shards, in order. */
export async function findShards(db: Database): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where nspname ~ '^telemetry_\\d+$' and relname = 'latest' order by 1`,
  );
  return rows.length > 0 ? rows.map(({ name }) => name) : ONE_CELL;
}

/**
 * Replaces the one shard of a new database by `count` shards.
 * @param tables the tables of streams, which have no rows yet
 */
export async function makeShards(db: Database, tables: readonly string[], count: number): Promise<void> {
  const { rows } = await db.query<{
    name: string;
    key: string | null;
    options: string | null;
    parts: string[];
  }>(
    `select c.relname as name, case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as key,
       array_to_string(c.reloptions, ', ') as options,
       array(select p.relname::text from pg_inherits join pg_class p on p.oid = inhrelid where inhparent = c.oid) as parts
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any ($1)`,
    [tables],
  );
  const names = Array.from({ length: count }, (_, n) => `telemetry_${String(n).padStart(2, '0')}`);
  for (const [n, schema] of names.entries()) {
    await db.query(`create schema ${schema}`);
    for (const { name, key, options, parts } of rows) {
      if (n === 0) {
        for (const table of [name, ...parts])
          await db.query(`alter table public.${table} set schema ${schema}`);
        continue;
      }
      const by = key === null ? '' : ` partition by ${key}`;
      const having = options === null ? '' : ` with (${options})`;
      await db.query(`create table ${schema}.${name} (like ${names[0]}.${name} including all)${by}${having}`);
      for (const part of parts)
        await db.query(`create table ${schema}.${part} partition of ${schema}.${name} default`);
    }
  }
  if (await isCluster(db))
    for (const schema of names) await db.query('select citus_schema_distribute($1::regnamespace)', [schema]);
}

/** Makes a cluster run each shard's function on the server that has the shard, where it is planned with the actual values. */
export async function delegateRoutineToShards(db: Database, routine: string): Promise<void> {
  const shards = await findShards(db);
  // With one shard the functions stay on the coordinator: they were created before the database became a cluster.
  if (shards.length < 2) return;
  for (const schema of shards) {
    const { rows } = await db.query<{ signature: string }>(
      'select oid::regprocedure::text as signature from pg_proc where proname = $1 and pronamespace = $2::regnamespace',
      [routine, schema],
    );
    for (const { signature } of rows) {
      await db.query(`alter function ${signature} reset plan_cache_mode`);
      await db.query(`select create_distributed_function($1, colocate_with := $2)`, [
        signature,
        `${schema}.latest`,
      ]);
    }
  }
}

/** Returns whether the database is the coordinator of a cluster: PostgreSQL with Citus. */
export async function isCluster(db: Database): Promise<boolean> {
  const { rows } = await db.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/** Makes this thread use the shards of `db`; the main thread and each worker thread must call this. */
export async function loadShards(db: Database): Promise<void> {
  schemas = await findShards(db);
}

/** Returns a statement in which the schema of one shard replaces `telemetry`. */
export const replaceTelemetrySchema = (text: string, schema: string): string =>
  text.replaceAll('telemetry.', `${schema}.`);

function inShard(db: Database, n: number): Shard {
  const schema = schemas[n];
  if (schema === undefined)
    throw new Error('Which shards the database has was not read: call loadShards() first.');
  return {
    name: schema,
    query(asked, values) {
      if (typeof asked === 'string')
        return db.query(replaceTelemetrySchema(asked, schema), values as unknown[]);
      const { name, text } = asked;
      return db.query({
        ...asked,
        text: replaceTelemetrySchema(text, schema),
        ...(name && { name: `${name} ${schema}` }),
      });
    },
  };
}

/** Returns the index of a stream's shard, from 0. */
export const shardOf = (streamId: number): number => streamId % schemas.length;

/** Returns the number of shards. */
export const shardCount = (): number => schemas.length;

/** Returns the shard of a stream, to query it. */
export const shardForStream = (db: Database, streamId: number): Shard => inShard(db, shardOf(streamId));

/** Returns the shard of a stream and the shards after it. */
export const shardsFrom = (db: Database, streamId: number): Shard[] =>
  schemas.map((_, n) => inShard(db, n)).slice(shardOf(streamId));

type Answer<Row> = Promise<{ readonly rows: readonly Row[] }>;
/** Callback for a shard whose server does not respond. Without the callback such a shard is an error. */
type Away = (shard: string) => void;

/**
 * Runs a query for many streams: once per shard, with that shard's streams.
 * @param items stream ids, or objects that have a stream id
 * @returns the rows, one shard after another
 */
export function runInShardsOfStreams<Item extends number | { readonly streamId: number }, Row>(
  db: Database,
  items: Iterable<Item>,
  ask: (shard: Shard, own: Item[]) => Answer<Row>,
  away?: Away,
): Promise<Row[]> {
  const byShard = Map.groupBy(items, (item) => shardOf(typeof item === 'number' ? item : item.streamId));
  return askAll(
    db,
    [...byShard].map(([n, own]) => [inShard(db, n), own] as const),
    ask,
    away,
  );
}

/** Runs a query in every shard. */
export const runInAllShards = <Row>(
  db: Database,
  ask: (shard: Shard) => Answer<Row>,
  away?: Away,
): Promise<Row[]> =>
  askAll(
    db,
    schemas.map((_, n) => [inShard(db, n), undefined] as const),
    ask,
    away,
  );

/** Maximum number of a pool's connections that one query uses, because other queries need connections too. */
const AT_ONCE = 4;

/** Runs the queries one after another on a single connection, a few at a time on a pool. */
async function askAll<Own, Row>(
  db: Database,
  parts: readonly (readonly [Shard, Own])[],
  ask: (shard: Shard, own: Own) => Answer<Row>,
  away?: Away,
): Promise<Row[]> {
  const found: (readonly Row[])[] = [];
  const left = parts.entries();
  const go = async () => {
    for (const [at, [shard, own]] of left)
      try {
        found[at] = (await ask(shard, own)).rows;
      } catch (error) {
        if (!away || schemas.length === 1 || !isUnavailable(error)) throw error;
        away(shard.name);
      }
  };
  await Promise.all(Array.from({ length: db instanceof pg.Client ? 1 : AT_ONCE }, go));
  return found.flat();
}
