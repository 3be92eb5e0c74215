import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHealth } from '#server/health/health.ts';
import { readLatestRows } from '#server/live/live.store.ts';
import { openPool, type Pool } from '#server/platform/database.ts';
import { installJobs } from '#server/platform/jobs.ts';
import { migrate } from '#server/platform/migrate.ts';
import { loadShards, runInAllShards } from '#server/platform/shards.ts';
import { SCHEMA } from '#server/schema.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { showShardsAsOne } from '#server/test/shards-as-one.ts';
import { queuedUpload } from './test/uploads.ts';
import { countStreamsByAge, countUploadsNotInHistory } from './upload-metrics.store.ts';
import { openWriteQueue, type WriteQueue } from './write-queue.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase({ bare: true });
  pool = openPool(database.connection, () => {});
  await migrate(pool, SCHEMA, 3);
  await showShardsAsOne(pool);
  await installJobs(pool);
  await loadShards(pool);
  await pool.query('insert into latest (stream_id) select generate_series(1, 9)');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Returns shard and stream of each reading. */
async function stored(): Promise<string[]> {
  const found = await runInAllShards(pool, async (shard) => {
    const { rows } = await shard.query<{ id: number }>('select stream_id as id from telemetry.reading');
    return { rows: rows.map(({ id }) => `${shard.name} ${id}`) };
  });
  return found.sort();
}

test('concurrent uploads of several shards are stored in their shards, and uploads of one logger in order of arrival (17.3)', async () => {
  const writeQueue: WriteQueue = openWriteQueue(pool);
  const committed = await Promise.all([
    // The first group is for shard 0. The second upload of logger 7 fits in any group, but waits until that logger's first upload (for
    // shard 1) is stored.
    writeQueue.commit(queuedUpload(8, 1, 3)),
    writeQueue.commit(queuedUpload(7, 1, 1)),
    writeQueue.commit({ ...queuedUpload(7, 2, 1), reading: undefined }),
    writeQueue.commit(queuedUpload(9, 1, 2)),
  ]);
  expect(committed).toEqual(['readings', 'readings', undefined, 'readings']);
  expect(await stored()).toEqual(['telemetry_00 3', 'telemetry_01 1', 'telemetry_02 2']);
  const { rows } = await pool.query(`select size from object where logger_serial = '7'`);
  expect(rows).toEqual([{ size: '2' }]);
  await writeQueue.close();
});

/** Returns a pool whose statements fail for shard 1, as if the machine of that shard did not answer. `asked`: all statements. */
function withoutShard1(): { broken: Pool; asked: string[] } {
  const asked: string[] = [];
  const query = async (...args: Parameters<Pool['query']>) => {
    const given = args[0] as unknown as string | { text: string };
    const text = typeof given === 'string' ? given : given.text;
    asked.push(text);
    if (text.includes('telemetry_01.'))
      throw Object.assign(new Error('connection to the remote node failed'), { code: '08006' });
    return pool.query(...args);
  };
  const get = (target: Pool, name: string | symbol) => (name === 'query' ? query : Reflect.get(target, name));
  return { broken: new Proxy(pool, { get }), asked };
}

test('uploads of a shard whose database server does not answer are refused immediately, and other shards are not delayed (17.4)', async () => {
  const { broken, asked } = withoutShard1();
  const writeQueue = openWriteQueue(broken);
  const both = [writeQueue.commit(queuedUpload(4, 3, 4)), writeQueue.commit(queuedUpload(5, 3, 5))];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const before = asked.length;
  await expect(writeQueue.commit(queuedUpload(4, 4, 4))).rejects.toThrow(
    'Shard 1 of the database is out of reach.',
  );
  expect(asked).toHaveLength(before);
  expect(await writeQueue.commit(queuedUpload(6, 4, 6))).toBe('readings');
  // A failure of one shard is no reason to refuse all loggers.
  expect(writeQueue.health().failedMs).toBeUndefined();
  await writeQueue.close();
});

test('health names a shard whose machine does not answer, and live data of other shards continue (17.4)', async () => {
  const spool = await mkdtemp(join(tmpdir(), 'werkstroom-shards-'));
  try {
    const checked = async (db: Pool) =>
      (await openHealth(db, () => ({ waiting: 0, waitingMs: 0, failedMs: undefined }), spool).check())
        .cellsAway;
    expect(await checked(pool)).toEqual([]);
    const { broken } = withoutShard1();
    expect(await checked(broken)).toEqual(['telemetry_01']);
    const streams = async (db: Pool) => {
      const { rows, isWhole } = await readLatestRows(db, undefined);
      return { isWhole, ids: rows.map(({ streamId }) => streamId).sort((a, b) => a - b) };
    };
    expect(await streams(pool)).toEqual({ isWhole: true, ids: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
    expect(await streams(broken)).toEqual({ isWhole: false, ids: [2, 3, 5, 6, 8, 9] });
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
});

test('metrics over all streams have no value while a shard does not answer (17.2)', async () => {
  await pool.query('alter table stream disable trigger give_unordered_id');
  await pool.query(
    `insert into stream (kind, serial, alias) select 'machine', 'C-' || n, 'x' from generate_series(1, 9) as n`,
  );
  const { streams, oldestAge } = await countStreamsByAge(pool);
  expect(streams).toEqual({ reporting: 0, silent: 5, never: 4 });
  expect(oldestAge).toBeGreaterThan(600);
  const { broken } = withoutShard1();
  expect(await countStreamsByAge(broken)).toEqual({
    streams: {},
    newestAge: undefined,
    oldestAge: undefined,
  });
  expect((await countUploadsNotInHistory(broken)).quarantined).toBe(0);
});
