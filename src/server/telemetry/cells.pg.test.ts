import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHealth } from '#server/health/health.ts';
import { readLatest } from '#server/live/live.store.ts';
import { readFigures } from '#server/metrics/metrics.store.ts';
import { inCells, learnCells } from '#server/platform/cells.ts';
import { openPool, type Pool } from '#server/platform/database.ts';
import { installJobs } from '#server/platform/jobs.ts';
import { migrate } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { showCellsAsOne } from '#server/test/cells-as-one.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { type Funnel, openFunnel } from './funnel.ts';
import { upload } from './test/uploads.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase({ bare: true });
  pool = openPool(database.connection, () => {});
  await migrate(pool, SCHEMA, 3);
  await showCellsAsOne(pool);
  await installJobs(pool);
  await learnCells(pool);
  await pool.query('insert into latest (stream_id) select generate_series(1, 9)');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Cell and stream of each reading. */
async function stored(): Promise<string[]> {
  const found = await inCells(pool, async (cell) => {
    const { rows } = await cell.query<{ id: number }>('select stream_id as id from telemetry.reading');
    return { rows: rows.map(({ id }) => `${cell.name} ${id}`) };
  });
  return found.sort();
}

test('17.3 uploads of several cells that come together are stored in theirs, and those of a logger in the order in which they came', async () => {
  const funnel: Funnel = openFunnel(pool);
  const committed = await Promise.all([
    // The first group is of cell 0; what logger 7 sends then waits for its first upload, which is of cell 1.
    funnel.commit(upload(8, 1, 3)),
    funnel.commit(upload(7, 1, 1)),
    funnel.commit({ ...upload(7, 2, 1), reading: undefined }),
    funnel.commit(upload(9, 1, 2)),
  ]);
  expect(committed).toEqual(['readings', 'readings', undefined, 'readings']);
  expect(await stored()).toEqual(['telemetry_00 3', 'telemetry_01 1', 'telemetry_02 2']);
  const { rows } = await pool.query(`select size from object where logger_serial = '7'`);
  expect(rows).toEqual([{ size: '2' }]);
  await funnel.close();
});

/** The pool, but the machine of cell 1 gives no answer. */
function withoutCell1(): { broken: Pool; asked: string[] } {
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

test('17.4 a cell whose machine gives no answer has its uploads put off at once, and holds up no other', async () => {
  const { broken, asked } = withoutCell1();
  const funnel = openFunnel(broken);
  const both = [funnel.commit(upload(4, 3, 4)), funnel.commit(upload(5, 3, 5))];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const before = asked.length;
  await expect(funnel.commit(upload(4, 4, 4))).rejects.toThrow('Cell 1 of the database is out of reach.');
  expect(asked).toHaveLength(before);
  expect(await funnel.commit(upload(6, 4, 6))).toBe('readings');
  // Of one cell, and no reason to send all loggers elsewhere.
  expect(funnel.health().failedMs).toBeUndefined();
  await funnel.close();
});

test('17.4 health names a cell whose machine gives no answer, and the live data of the others go on', async () => {
  const spool = await mkdtemp(join(tmpdir(), 'werkstroom-cells-'));
  try {
    const checked = async (db: Pool) =>
      (await openHealth(db, () => ({ waiting: 0, waitingMs: 0, failedMs: undefined }), spool).check())
        .cellsAway;
    expect(await checked(pool)).toEqual([]);
    const { broken } = withoutCell1();
    expect(await checked(broken)).toEqual(['telemetry_01']);
    const streams = async (db: Pool) => {
      const { rows, isWhole } = await readLatest(db, undefined);
      return { isWhole, ids: rows.map(({ streamId }) => streamId).sort((a, b) => a - b) };
    };
    expect(await streams(pool)).toEqual({ isWhole: true, ids: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
    expect(await streams(broken)).toEqual({ isWhole: false, ids: [2, 3, 5, 6, 8, 9] });
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
});

test('17.2 what is counted over all streams is no number while a cell gives no answer', async () => {
  await pool.query('alter table stream disable trigger give_unordered_id');
  await pool.query(
    `insert into stream (kind, serial, alias) select 'machine', 'C-' || n, 'x' from generate_series(1, 9) as n`,
  );
  const figures = (db: Pool) => readFigures(db, { keyDay: 1, organization: 1 }, Date.now());
  const { streams, oldestAge } = await figures(pool);
  expect(streams).toEqual({ reporting: 0, silent: 5, never: 4 });
  expect(oldestAge).toBeGreaterThan(600);
  const without = await figures(withoutCell1().broken);
  expect(without).toMatchObject({ streams: {}, newestAge: undefined, oldestAge: undefined });
  expect(without.quarantined).toBe(0);
});
