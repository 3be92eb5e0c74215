import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BackupTestFleet,
  createBackupTestFleet,
  uploadSnapshot,
} from '#server/backup/test/fleet-to-keep.ts';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { migrate, migrateTo, readMigrations, type Schema } from '#server/platform/migrate.ts';
import { loadShards, shardForStream } from '#server/platform/shards.ts';
import { SCHEMA } from '#server/schema.ts';
import { encodeFile, insertFile } from '#server/telemetry/readings/reading-files.store.ts';
import { countLoss, NO_LOSS } from '#server/test/acknowledged.ts';
import { closeAllWeeks, IS_TEST_OF_CLOSED_WEEKS } from '#server/test/closed.ts';
import { testDatabase } from '#server/test/database.ts';
import { NOUNS } from '#server/test/security/principals/nouns.ts';

/** Tests the migration of a full database to a later version, while a portal of the current version runs on it. */
let fleet: BackupTestFleet;
let folder: string;
let holder: Transaction;
let next: Schema;
beforeAll(async () => {
  [fleet, folder] = await Promise.all([createBackupTestFleet(), mkdtemp(join(tmpdir(), 'werkstroom-next-'))]);
  await fleet.portal.portal.dayComputation.close();
  // Holds the lock of the background task that would move readings into files between two comparisons.
  holder = await fleet.portal.pool.connect();
  await holder.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_KEYS.closedReadings]);
  await fillTheRest(fleet.portal.pool);
  await insertFile(fleet.portal.pool, 1, encodeFile({ times: Float64Array.of(0), columns: new Map() }));
  next = { ...SCHEMA, migrations: join(folder, 'migrations'), routines: join(folder, 'server') };
  for (const from of [SCHEMA.migrations, SCHEMA.routines]) {
    const to = from === SCHEMA.migrations ? next.migrations : next.routines;
    const files = (await readdir(from, { recursive: true })).filter((name) => name.endsWith('.sql'));
    for (const file of files) {
      await mkdir(dirname(join(to, file)), { recursive: true });
      await copyFile(join(from, file), join(to, file));
    }
  }
});
afterAll(async () => {
  holder.release(true);
  await fleet.portal.close();
  await rm(folder, { recursive: true, force: true });
});

const readRows = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

/** Adds a row to every table in which BackupTestFleet stores none. */
async function fillTheRest(pool: Pool): Promise<void> {
  await pool.query(await readRows('version-1.0-rest.sql'));
  await pool.query(
    `insert into quarantine (logger_serial, key, reason, size) values ('7000001', 'x.json', '[]', 3)`,
  );
  for (const row of NOUNS.flatMap(({ rows = [] }) => rows)) await pool.query(row);
}

/** Tables that the running portal itself keeps writing. */
const WRITTEN_ALL_THE_TIME = ['alert_clock', 'alert_cursor', 'change_counter', 'writer_health'];

/** The rows of every table by its name, restricted to the columns that existed before the migration. */
type Content = Map<string, { columns: readonly string[]; rows: unknown[] }>;
/** Columns whose values a migration converts. Separate tests check the conversion. */
const CONVERTED = ['object.outcome', 'quarantine.reason', 'writer_health.last_error'];

async function contentOf(pool: Pool, like?: Content): Promise<Content> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by 1`,
  );
  const content: Content = new Map();
  for (const { name, columns } of tables) {
    const asked =
      like?.get(name)?.columns ?? columns.filter((column) => !CONVERTED.includes(`${name}.${column}`));
    const list = asked.map((column) => `'${column}', to_jsonb("${column}")`).join();
    const { rows } = await pool.query<{ row: unknown }>(
      `select jsonb_build_object(${list}) as row from "${name}" order by 1`,
    );
    content.set(name, { columns: asked, rows: rows.map(({ row }) => row) });
  }
  return content;
}

/** Expects that each table still has the rows of `before`. For the tables in `written`, only the number of rows is compared. */
function expectKept(before: Content, after: Content, written: readonly string[] = []): void {
  for (const [name, { rows }] of before) {
    const now = after.get(name)?.rows;
    if (name === 'schema_routine') continue;
    if (name === 'schema_migration') expect(now?.slice(0, rows.length), name).toEqual(rows);
    else if (written.includes(name)) expect(now, name).toHaveLength(rows.length);
    else expect(now, name).toEqual(rows);
  }
}

const columnsOf = async (pool: Pool, sql: string): Promise<unknown[]> =>
  (await pool.query({ text: sql, rowMode: 'array' })).rows.flat();

test('a database of version 1.0 keeps every row of every table through all later migrations (INGEST-02, 11.1, 46.2)', async () => {
  const database = await testDatabase({ bare: true });
  try {
    const { pool } = database;
    await inTransaction(pool, (client) => migrateTo(client, SCHEMA.migrations, ['0001-baseline.sql']));
    expect(
      await columnsOf(pool, 'select sha256 from schema_migration'),
      'A migration is never edited: add a new one.',
    ).toEqual(['a91b56bebc663b4e58eaa8a193aca1bbb00faf73745d3f5cce60cfe26f2353cd']);
    for (const name of ['version-1.0.sql', 'version-1.0-rest.sql']) await pool.query(await readRows(name));
    const before = await contentOf(pool);
    expect([...before].filter(([, { rows }]) => rows.length === 0).map(([name]) => name)).toEqual([
      'schema_routine',
    ]);
    const [, ...later] = await readMigrations(SCHEMA.migrations);
    expect(await migrate(pool, SCHEMA)).toEqual(later);
    expectKept(before, await contentOf(pool, before));
  } finally {
    await database.drop();
  }
});

test("the upgrade converts the text that version 1.0 stored as an upload's outcome to structured outcomes, with the number of readings (46.4)", async () => {
  const database = await testDatabase({ bare: true });
  try {
    const { pool } = database;
    await inTransaction(pool, (client) => migrateTo(client, SCHEMA.migrations, ['0001-baseline.sql']));
    for (const name of ['version-1.0.sql', 'version-1.0-rest.sql']) await pool.query(await readRows(name));
    const outcomes = [
      'meting',
      'niet gedecodeerd',
      '1 meting',
      '1.234 metingen; 2 metingen van voor deze koppeling (over te nemen bij Quarantaine); een reden; nog een',
      'De momentopname is geen JSON-object.',
    ];
    await pool.query(
      `insert into object (logger_serial, key, size, etag, content_type, outcome)
       select '7000001', n, 0, '', '', outcome from unnest($1::text[]) with ordinality as o (outcome, n)`,
      [outcomes],
    );
    await pool.query(
      `update writer_health set last_error = 'fout', last_error_at = now() where writer_id = 1`,
    );
    await pool.query(
      `insert into logger_event (writer_id, at, kind, detail) values (1, now(), 'error', 'fout')`,
    );
    await migrate(pool, SCHEMA);
    const text = (words: string) => ({ kind: 'text', text: words });
    expect(await columnsOf(pool, `select outcome from object where size = 0 order by key`)).toEqual([
      [{ kind: 'reading' }],
      [{ kind: 'not-decoded' }],
      [{ kind: 'readings', count: 1 }],
      [{ kind: 'readings', count: 1234 }, text('2 metingen van voor deze koppeling; een reden; nog een')],
      [text('De momentopname is geen JSON-object.')],
    ]);
    expect(await columnsOf(pool, 'select reason from quarantine')).toEqual([[text('onleesbaar')]]);
    expect(await columnsOf(pool, 'select last_error from writer_health order by writer_id limit 1')).toEqual([
      [text('fout')],
    ]);
    expect(
      await columnsOf(pool, `select detail::jsonb from logger_event where kind = 'error'`),
    ).toContainEqual([text('fout')]);
  } finally {
    await database.drop();
  }
});

test('a migration keeps every row of every table and installs the new function (INGEST-02, 11.1)', async () => {
  const { pool, portal } = fleet.portal;
  // The list of shards is stored once per process, and the tests above loaded that of another database.
  await loadShards(pool);
  // Upload counts per logger are stored with a delay.
  await portal.counters.flush();
  await closeAllWeeks(pool);
  const before = await contentOf(pool);
  const empty = [...before].filter(([, { rows }]) => rows.length === 0).map(([name]) => name);
  expect(empty).toEqual(IS_TEST_OF_CLOSED_WEEKS ? ['reading'] : []);
  await writeFile(
    join(next.migrations, '0199-colour.sql'),
    `alter table machine add column colour text not null default 'geel'; update machine set colour = 'rood';`,
  );
  // The function of the newer version stores 77 as the maximum speed of each bucket.
  const asFast = (sql: string) =>
    sql.replace(/select stream_id, bucket[^;]+?packs::double/, (columns) =>
      columns.replace('speed_max', '77.0::float8'),
    );
  next = { ...next, expand: (sql) => asFast(SCHEMA.expand(sql)) };
  expect(await migrate(pool, next)).toEqual(['0199-colour.sql']);
  expect(await migrate(pool, next)).toEqual([]);
  expectKept(before, await contentOf(pool, before), WRITTEN_ALL_THE_TIME);
  expect(await columnsOf(pool, 'select distinct colour from machine')).toEqual(['rood']);
});

test('the portal that ran during the migration still stores uploads and shows them (LIVE-01, INGEST-01)', async () => {
  const { portal, quiet } = fleet;
  const cookie = await portal.login('a@klant.nl');
  const second = Math.floor(Date.now() / 1000);
  await uploadSnapshot(portal.address, quiet, { GMT_UNIX: second, Soc1: 39, MotorSpeed: 0 });
  const live = async () => (await fetch(`${portal.address}/api/live`, { headers: { cookie } })).json();
  await expect
    .poll(live, { timeout: 5_000 })
    .toMatchObject({ 'Q-1': { liveData: { GMT_UNIX: second, Soc1: 39 } } });
  expect(await countLoss(portal.pool, new Map([[quiet.streamId, [second]]]))).toEqual(NO_LOSS);
  // The speed was stored by the function of the newer version.
  const newest = `select speed_max from rollup where stream_id = ${quiet.streamId} order by bucket desc limit 1`;
  expect(await columnsOf(portal.pool, newest)).toEqual([77]);
});

test('a further signal with its own column needs a migration that adds the column, and no change of the SQL functions (INGEST-02, 11.3)', async () => {
  const { pool } = fleet.portal;
  await writeFile(
    join(next.migrations, '0100-pressure.sql'),
    'alter table telemetry.reading add column pressure double precision;',
  );
  const all = /\{\{([^{}:]*\$[^{}:]*)\}\}/g;
  const expand = (sql: string) =>
    SCHEMA.expand(sql.replace(all, (list, text: string) => `${list}, ${text.replaceAll('$', 'pressure')}`));
  next = { ...next, expand };
  expect(await migrate(pool, next)).toEqual(['0100-pressure.sql']);
  // Only the function with the new arguments is left.
  const shard = shardForStream(pool, 1);
  const { rows } = await shard.query<{ names: string[] }>(
    `select proargnames as names from pg_proc where proname = 'store_readings'
       and pronamespace = (select relnamespace from pg_class where oid = 'telemetry.reading'::regclass)`,
  );
  expect(rows).toHaveLength(1);
  const values: Record<string, string> = {
    in_stream: '{1}',
    in_time: '{2026-11-02T08:00Z}',
    in_speed: '{3}',
    in_pressure: '{180}',
  };
  const given = rows[0]?.names.map(
    (name) => `${name} => '${values[name] ?? (name.startsWith('in_') ? '{null}' : '{}')}'`,
  );
  await shard.query(`select telemetry.store_readings(${given?.join(', ')})`);
  const stored = `select speed, pressure from telemetry.reading where stream_id = 1 and time = '2026-11-02T08:00Z'`;
  expect((await shard.query(stored)).rows).toEqual([{ speed: 3, pressure: 180 }]);
});
