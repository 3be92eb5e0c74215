import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endPool, openPool, type Pool, withTimeLimit } from '#server/platform/database.ts';
import type { WriteQueueHealth } from '#server/telemetry/write-queue.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { silentProxy } from '#server/test/silent-proxy.ts';
import { type Health, openHealth } from './health.ts';

const WELL: WriteQueueHealth = { waiting: 0, waitingMs: 0, failedMs: undefined };
let database: TestDatabase;
let uploads: WriteQueueHealth;
let health: Health;
let spool: string;
let clockMs: number;
beforeEach(async () => {
  database = await testDatabase();
  spool = await mkdtemp(join(tmpdir(), 'werkstroom-health-'));
  uploads = WELL;
  clockMs = 0;
  health = openHealth(
    database.pool,
    () => uploads,
    spool,
    () => clockMs,
  );
});
afterEach(async () => {
  await database.drop();
  await rm(spool, { recursive: true, force: true });
});

const refuseWrites = () =>
  database.pool.query(`create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger full_disk before update on health for each statement execute function full_disk()`);

describe('the health check', () => {
  test('the health check passes for a database that accepts writes (API-03)', async () => {
    expect((await health.check()).milliseconds).toBeGreaterThanOrEqual(0);
  });

  test('the health check fails for a database that refuses writes (API-03)', async () => {
    await refuseWrites();
    await expect(health.check()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'De database neemt geen gegevens aan.',
    });
  });

  test('the health check fails for a database that does not answer (API-03)', async () => {
    const proxy = await silentProxy(database.connection);
    const pool: Pool = openPool(proxy.connection, () => {});
    await pool.query('select 1');
    proxy.silence();
    const deaf = openHealth(withTimeLimit(pool, 5_000), () => WELL, spool);
    await expect(deaf.check()).rejects.toMatchObject({ message: 'De database antwoordt niet op tijd.' });
    await endPool(pool);
    await proxy.close();
  });

  test('the health check fails while the disk refuses log files, and passes afterwards (API-03)', async () => {
    await rm(spool, { recursive: true });
    await expect(health.check()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'De schijf van het portaal neemt geen logbestanden aan.',
    });
    await mkdir(spool);
    clockMs += 200;
    await health.check();
  });

  test.each<[WriteQueueHealth, string | undefined]>([
    [{ ...WELL, waitingMs: 4_900 }, undefined],
    [{ ...WELL, waitingMs: 5_100 }, 'Uploads van loggers wachten te lang op de database.'],
    [{ ...WELL, failedMs: 100 }, 'De database neemt geen metingen van loggers aan.'],
    [{ ...WELL, failedMs: 31_000 }, undefined],
  ])('the health check depends on the write queue %o (API-03, INGEST-03)', async (queue, message) => {
    uploads = queue;
    if (message === undefined) await health.check();
    else await expect(health.check()).rejects.toMatchObject({ code: 'unavailable', message });
  });
});

test('health checks within 200 ms share one write to the database, and the first check after that time reports that the database refuses writes (API-03)', async () => {
  const written = async () =>
    (await database.pool.query<{ n: string }>(`select xmin::text as n from health`)).rows[0]?.n;
  await Promise.all(Array.from({ length: 50 }, () => health.check()));
  const first = await written();
  clockMs += 199;
  await health.check();
  expect(await written()).toBe(first);
  await refuseWrites();
  await health.check();
  clockMs += 1;
  await expect(health.check()).rejects.toMatchObject({ code: 'unavailable' });
});
