import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findShards } from './platform/shards.ts';
import { SCHEMA } from './schema.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';
import { NOUNS } from './test/security/principals/nouns.ts';

// Checks that tables can lie in shards (docs/decisions/0053-shards.md). This file runs on PostgreSQL 15 and 18, so the migrations do too.

const DISTRIBUTED = SCHEMA.spread;
/** Tables that hold readings, of which whole weeks can be dropped. */
const BY_TIME = { reading: 'time', rollup: 'bucket' };

/**
 * Citus accepts a foreign key between distributed tables only with the stream id on both sides, and one to a reference table (all
 * other tables would be reference tables). It accepts none from a reference table to a distributed one. Therefore nothing refers to a
 * distributed table, and a distributed table refers to `stream` by its stream id at most.
 */
const FOREIGN_KEYS: readonly string[][] = [];

let database: TestDatabase;
/** SQL list of two schemas: `public`, with all tables that are not in shards, and one shard, because the shards are alike. */
let schemas: string;
beforeAll(async () => {
  database = await testDatabase();
  const [shard] = await findShards(database.pool);
  schemas = `('public'::regnamespace, '${shard}'::regnamespace)`;
  // Creates the partitions that exist while the portal runs.
  await database.pool.query(`select ensure_week(now()), ensure_week(now() + interval '7 days')`);
});
afterAll(() => database.drop());

const read = async <Row extends object>(sql: string): Promise<Row[]> =>
  (await database.pool.query<Row>(sql)).rows;

test('every table with a stream id is listed as a distributed table or as an administration table (INGEST-03)', async () => {
  const found = await read<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace in ${schemas} and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'stream_id' and not attisdropped)
     order by 1`,
  );
  /**
   * Tables with few rows per machine, changed by people or, at most once a minute, by the portal; and the tables that record these
   * changes. Each node of a cluster has a copy of all these tables.
   */
  const administration = NOUNS.flatMap(({ administration: own = [] }) => own);
  expect(found.map(({ name }) => name)).toEqual([...DISTRIBUTED, ...administration].sort());
});

test('primary keys and unique indexes of distributed tables begin with the stream id (INGEST-03)', async () => {
  const found = await read<{ name: string; isPrimary: boolean; columns: string[] }>(
    `select c.relname as name, i.indisprimary as is_primary,
       array(select a.attname::text from unnest(i.indkey) with ordinality as k (attnum, n)
         left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by k.n) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace in ${schemas} and i.indisunique and not c.relispartition`,
  );
  const theirs = found.filter(({ name }) => DISTRIBUTED.includes(name));
  const primary = theirs.filter(({ isPrimary }) => isPrimary).map(({ name, columns }) => [name, columns[0]]);
  expect(primary.sort()).toEqual(DISTRIBUTED.map((name) => [name, 'stream_id']));
  expect(theirs.filter(({ columns }) => !columns.includes('stream_id'))).toEqual([]);
  const excluding = await read(
    `select conrelid::regclass::text from pg_constraint where contype = 'x' and connamespace in ${schemas}`,
  );
  expect(excluding).toEqual([]);
});

test('no foreign key refers to a distributed table, and those of distributed tables refer to stream only (INGEST-03)', async () => {
  const found = await read<{ from: string; to: string; definition: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace in ${schemas}`,
  );
  expect(found.filter(({ to }) => DISTRIBUTED.includes(to))).toEqual([]);
  const theirs = found
    .filter(({ from }) => DISTRIBUTED.includes(from))
    .map((key) => [key.from, key.to, key.definition]);
  expect(theirs).toEqual(FOREIGN_KEYS);
});

test('distributed tables have no trigger and no sequence, which work on one node only (INGEST-03)', async () => {
  const triggers = await read<{ name: string }>(
    `select relname as name from pg_trigger join pg_class c on c.oid = tgrelid where not tgisinternal and relkind <> 'v'`,
  );
  expect(triggers.filter(({ name }) => DISTRIBUTED.includes(name))).toEqual([]);
  const counted = await read<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute where attidentity <> '' and not attisdropped`,
  );
  expect(counted.filter(({ name }) => DISTRIBUTED.includes(name))).toEqual([]);
});

test('readings and their roll-up are partitioned by week, with a default partition (INGEST-03)', async () => {
  const found = await read<{ name: string; key: string }>(
    `select relname as name, pg_get_partkeydef(partrelid) as key from pg_partitioned_table join pg_class c on c.oid = partrelid
     where relnamespace in ${schemas} order by 1`,
  );
  expect(found).toEqual(
    Object.entries(BY_TIME).map(([name, column]) => ({
      name,
      key: expect.stringMatching(`^RANGE \\("?${column}"?\\)$`),
    })),
  );
  const weeks = await read<{ name: string; days: string }>(
    `select relname as name, coalesce(
       (select string_agg(extract(epoch from (m[2]::timestamptz - m[1]::timestamptz)) / 86400 || '', ',')
        from regexp_matches(pg_get_expr(relpartbound, oid), $$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$$) as m), 'default') as days
     from pg_class where relispartition and relnamespace in ${schemas} and relkind = 'r' order by 1`,
  );
  const ofWeeks = weeks.filter(({ days }) => days !== 'default');
  expect(weeks.filter(({ days }) => days === 'default').map(({ name }) => name)).toEqual([
    'reading_default',
    'rollup_default',
  ]);
  expect(ofWeeks).toHaveLength(4);
  for (const { name, days } of ofWeeks) {
    expect(name).toMatch(/^(reading|rollup)_\d{4}w\d\d$/);
    expect(Number(days)).toBe(7);
  }
});

const isOurs = (name: string) => /\.(sql|ts)$/.test(name) && !/\.test\.ts$|(^|\/)test\//.test(name);
const sources = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(isOurs)
      .map((name) => `${folder}/${name}`),
  );

test('every SQL statement qualifies distributed tables with a schema, and joins them with no administration table (11.9, 17.3)', () => {
  const tables = DISTRIBUTED.join('|');
  const bare = new RegExp(`\\b(?:from|join|into|update) (?:public\\.)?(?:${tables})\\b`, 'i');
  const ofShard = new RegExp(`\\btelemetry\\.(?:${tables}|\\$\\{)`);
  const joined =
    /\b(?:from|join) (?:stream|ownership|organization|machine|writer|definition|subscription)\b|\$\{SEEN\}/i;
  const statements = sources('src/server').flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return file.endsWith('.sql')
      ? text.split(';').map((sql) => ({ file, sql }))
      : (text.match(/`[^`]*`|'[^'\n]*'/g) ?? []).map((sql) => ({ file, sql }));
  });
  const ofShards = statements.filter(({ sql }) => ofShard.test(sql));
  expect(ofShards.length).toBeGreaterThan(100);
  expect(statements.filter(({ sql }) => bare.test(sql))).toEqual([]);
  expect(ofShards.filter(({ sql }) => joined.test(sql))).toEqual([]);
});

/**
 * Statements with LATERAL, by file, and why they may stay: on Citus a LATERAL must stay within one stream or the streams of one shard, or
 * read no distributed table.
 */
const LATERAL: Readonly<Record<string, string>> = {
  'src/server/writers/configuration-settings.ts': 'administration only (writer, its configurations)',
  'src/server/writers/logger-health.ts':
    'administration only (writer, its newest config and key), of one stream ($1)',
  'src/server/definitions/definitions.store.ts':
    'administration only (stream, its newest writer), of one stream ($1)',
  'src/server/telemetry/partitions.ts': 'names of weeks, no table',
  'src/server/webhooks/deliveries.store.ts': 'messages to webhooks, which are of no stream',
  'src/server/webhooks/webhooks.store.ts': 'a webhook and its messages, which are of no stream',
  'src/server/telemetry/read-buckets.ts': 'the roll-up, of one stream ($1)',
  'src/server/telemetry/readings/read-columns.ts': 'readings, each range by its stream and times',
  'src/server/telemetry/readings/read-edges.ts': 'readings, each range by its stream and times',
  'src/server/telemetry/readings/read-samples.ts': 'readings, of one stream ($1)',
  'src/server/telemetry/readings/read-windows.ts': 'readings, of one stream ($1)',
  'src/server/telemetry/readings/reading-files.store.ts':
    'files of readings, each range by its stream and times',
  'src/server/telemetry/readings/unused-values.ts': 'readings, of one stream ($1)',
  'src/server/telemetry/readings/whole-readings.ts': 'readings, each range by its stream and times',
  'src/server/alerts/nights-moved.store.ts': 'the roll-up, of the streams of one portion: each night by key',
  'src/server/reports/laadbeurten-rows.ts':
    'charging sessions of the streams of one shard, each with the presence of its own stream',
  'src/server/alerts/portal-state.store.ts': 'administration only (writer, its newest config)',
  'src/server/telemetry/empty-logs.store.ts': 'administration only (writer, its newest log files)',
};

test('no SQL statement has a LATERAL subquery across streams (INGEST-03)', () => {
  // In SQL LATERAL stands before its subquery; the word in a comment has no bracket.
  const found = sources('migrations', 'src/server').filter((file) =>
    /\blateral\s*(\(|\$\{)/i.test(readFileSync(file, 'utf8')),
  );
  expect(found.sort()).toEqual(Object.keys(LATERAL).sort());
});

test('only telemetry/readings and the SQL functions of telemetry read and write the table of readings (45.1)', () => {
  const found = sources('src/server').filter((file) =>
    /telemetry\.reading\b/.test(readFileSync(file, 'utf8')),
  );
  const others = found.filter((file) => !/^src\/server\/telemetry\/(readings|sql)\//.test(file));
  expect(others).toEqual([]);
  expect(found.length).toBeGreaterThan(5);
});

test('a batch locks its streams in the order of their ids, before it writes (INGEST-03)', () => {
  const text = readFileSync('src/server/telemetry/readings.store.ts', 'utf8');
  expect(text).toMatch(/from telemetry\.latest where stream_id = any \(\$1\) order by stream_id for update/);
  const lock = text.indexOf('await lockStreamStates(');
  expect(lock).toBeGreaterThan(-1);
  for (const write of ['await storeLateReadings(', 'await write('])
    expect(text.indexOf(write, lock)).toBeGreaterThan(lock);
});

test('migrations create tables; functions, triggers and views are placed next to the code that calls them (INGEST-02, 11.1)', () => {
  const texts = readdirSync('migrations').map((name) => readFileSync(`migrations/${name}`, 'utf8'));
  expect(texts.join('\n')).not.toMatch(/^\s*create (or replace )?(function|procedure|trigger|view)/im);
});
