import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '#server/auth/passwords.ts';
import type { Pool } from '#server/platform/database.ts';
import { migrate } from '#server/platform/migrate.ts';
import { secretsWith } from '#server/platform/secrets.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { lossOf, NO_LOSS } from '#server/test/acknowledged.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { urlOf } from '#server/test/postgres.ts';
import { freePort, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { FIRST_READINGS, fillFirstSchema, firstIngest } from './first-schema.ts';

/** The database of the first version that ran somewhere (0007), full, is brought to today's schema. */
const KEY = '11'.repeat(32);
const PASSWORD = 'a password of long ago';
const LOGGER = { serial: '7000001', accessKey: 'WSOLDKEY00000001', secret: 'a secret of long ago' };

let old: TestDatabase;
let fresh: TestDatabase;
let folder: string;
beforeAll(async () => {
  [old, fresh, folder] = await Promise.all([
    testDatabase(),
    testDatabase(),
    mkdtemp(join(tmpdir(), 'werkstroom-migrations-')),
  ]);
  for (const name of await readdir('migrations'))
    if (name < '0008') await copyFile(join('migrations', name), join(folder, name));
  await old.pool.query('drop schema public cascade');
  await old.pool.query('create schema public');
  await migrate(old.pool, folder);
  await fillFirstSchema(old.pool, secretsWith(KEY), {
    ...LOGGER,
    passwordHash: await hashPassword(PASSWORD),
  });
  await firstIngest(old.pool, FIRST_READINGS);
});
afterAll(async () => {
  await old.drop();
  await fresh.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Every row of every table, by the columns that the tables have now. */
type Content = Map<string, { columns: readonly string[]; rows: unknown[] }>;
async function contentOf(pool: Pool, like?: Content): Promise<Content> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by 1`,
  );
  const content: Content = new Map();
  for (const { name, columns } of tables) {
    const asked = like?.get(name)?.columns ?? columns;
    const list = asked.map((column) => `'${column}', to_jsonb("${column}")`).join();
    const { rows } = await pool.query<{ row: unknown }>(
      `select jsonb_build_object(${list}) as row from "${name}" order by 1`,
    );
    content.set(name, { columns: asked, rows: rows.map(({ row }) => row) });
  }
  return content;
}

test('INGEST-02 nothing of a full database of the first version is lost, in any table', async () => {
  const before = await contentOf(old.pool);
  expect([...before].filter(([, { rows }]) => rows.length === 0).map(([name]) => name)).toEqual([]);
  const done = await migrate(old.pool, 'migrations');
  expect(done[0]).toBe('0008-ingest.sql');
  expect(await migrate(old.pool, 'migrations')).toEqual([]);
  const after = await contentOf(old.pool, before);
  for (const [name, { rows }] of before) {
    if (name === 'schema_migration') expect(after.get(name)?.rows.slice(0, rows.length), name).toEqual(rows);
    // A log file that broke off is delivered again (0009). What migrating changes is told to whoever has it by heart.
    else if (name === 'object') expect(after.get(name)?.rows, name).toEqual(rows.filter(isKept));
    else if (name === 'change_counter') expect(after.get(name)?.rows, name).toHaveLength(rows.length);
    else expect(after.get(name)?.rows, name).toEqual(rows);
  }
});

const isKept = (row: unknown): boolean => !String((row as { key: string }).key).endsWith('broken.log');

test('INGEST-03 what the first version computed is what today computes from the same readings, and both go on alike', async () => {
  await fresh.pool.query('insert into latest (stream_id) select unnest($1::int[])', [[1, 2]]);
  await fresh.pool.query(`select ensure_week(t) from unnest($1::timestamptz[]) as t`, [
    FIRST_READINGS.flat().map(({ time }) => new Date(time)),
  ]);
  for (const batch of FIRST_READINGS) await storeReadings(fresh.pool, batch);
  const figures = async (pool: Pool) =>
    (
      await pool.query(
        `select (select json_agg(r order by stream_id, bucket) from rollup r) as rollup,
           (select json_agg(r order by stream_id, time) from reading r) as reading,
           (select json_agg(to_jsonb(l) - '{updated_at,signal_names}'::text[] order by stream_id) from latest l) as latest`,
      )
    ).rows[0];
  expect(await figures(old.pool)).toEqual(await figures(fresh.pool));
  const newestOf = (streamId: number) =>
    Math.max(...FIRST_READINGS.flat().map((reading) => (reading.streamId === streamId ? reading.time : 0)));
  const next = [
    { streamId: 1, time: newestOf(1) + 60_000, signals: { LATITUDE: 53.01, LONGITUDE: 6.01, Soc1: 40 } },
    { streamId: 2, time: newestOf(2) - 95_000, signals: { Speed: 4 } },
  ];
  for (const { pool } of [old, fresh]) expect((await storeReadings(pool, next)).inserted).toBe(2);
  expect(await figures(old.pool)).toEqual(await figures(fresh.pool));
});

test('AUTH-10 INGEST-01 the portal of today runs on it: its people sign in, its logger reports with its old key', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-upgraded-'));
  const portal = startPortal(dataDir, await freePort(), {
    DATABASE_URL: urlOf(old.connection),
    SECRETS_KEY: KEY,
    LOG_LEVEL: 'warn',
  });
  try {
    await untilHealthy(portal);
    const client = new S3Client({
      endpoint: portal.address,
      region: 'eu-central-1',
      forcePathStyle: true,
      credentials: { accessKeyId: LOGGER.accessKey, secretAccessKey: LOGGER.secret },
    });
    const second = Math.floor(Date.now() / 1000);
    const Key = `WS_SN${LOGGER.serial}/snapshot.json`;
    await client.send(
      new PutObjectCommand({
        Bucket: 'telemetry',
        Key,
        Body: JSON.stringify({ GMT_UNIX: second, Soc1: 39 }),
      }),
    );
    const signedIn = await fetch(`${portal.address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'anna@klant.nl', password: PASSWORD }),
    });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const live = async () => (await fetch(`${portal.address}/api/live`, { headers: { cookie } })).json();
    await expect
      .poll(live, { timeout: 5_000 })
      .toMatchObject({ 'OUD-1': { liveData: { GMT_UNIX: second, Soc1: 39 } } });
    expect(await lossOf(old.pool, new Map([[1, [second]]]))).toEqual(NO_LOSS);
  } finally {
    await portal.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
});
