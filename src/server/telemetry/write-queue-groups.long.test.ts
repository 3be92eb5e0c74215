import { afterEach, beforeEach, expect, test } from 'vitest';
import { endPool, openPool, type Pool, type Transaction } from '#server/platform/database.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { openPartitions } from './partitions.ts';
import { storedRows } from './test/stored-rows.ts';
import { queuedUpload, UPLOADS_START } from './test/uploads.ts';
import { openWriteQueue, type WriteQueue, WriteQueueClosed, WriteQueueUnavailable } from './write-queue.ts';
import type { QueuedCommit } from './write-queue-group.ts';

/** Streams 1 to 80 have a logger each; logger 81 is bound to stream 1 too. */
const STREAMS = 80;
/** A wait that is longer than STUCK_MS (write-queue.ts). */
const AFTER_STUCK_MS = 300;

let database: TestDatabase;
let pool: Pool;
let writeQueue: WriteQueue;
let holders: Transaction[];
beforeEach(async () => {
  database = await testDatabase();
  await database.pool.query('insert into latest (stream_id) select generate_series(1, $1)', [STREAMS]);
  await openPartitions(
    database.pool,
    () => UPLOADS_START,
    () => {},
  ).ensure([UPLOADS_START], undefined);
  pool = openPool(database.connection, () => {});
  writeQueue = openWriteQueue(pool);
  holders = [];
});
afterEach(async () => {
  for (const holder of holders) await release(holder);
  await writeQueue.close();
  await endPool(pool);
  await database.drop();
});

/** Returns an upload of each of these loggers. */
const uploads = (from: number, to: number, n: number): QueuedCommit[] =>
  Array.from({ length: to - from + 1 }, (_, i) => queuedUpload(from + i, n));
const commitAll = (items: readonly QueuedCommit[], by = writeQueue) =>
  Promise.all(items.map((item) => by.commit(item)));

/** Locks the rows of these streams in `latest` until `release`, so that groups with their readings wait. */
async function hold(...streams: number[]): Promise<Transaction> {
  const holder = await database.pool.connect();
  holders.push(holder);
  await holder.query('begin');
  await holder.query('select from latest where stream_id = any ($1) order by stream_id for update', [
    streams,
  ]);
  return holder;
}
async function release(holder: Transaction): Promise<void> {
  holders = holders.filter((other) => other !== holder);
  await holder.query('rollback');
  holder.release();
}
const untilReleased = (holder: Transaction) =>
  expect.poll(() => holders.includes(holder), { timeout: 10_000 }).toBe(false);
/** Returns the backends that wait for a lock of `hold`. */
const blocked = async (): Promise<number[]> =>
  (
    await database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rows.map(({ pid }) => pid);
const untilBlocked = (groups: number) => expect.poll(blocked).toHaveLength(groups);

const newestObjects = async (): Promise<Map<number, number>> => {
  const { rows } = await database.pool.query<{ logger: number; size: number }>(
    'select logger_serial::integer as logger, size::integer as size from object',
  );
  return new Map(rows.map(({ logger, size }) => [logger, size]));
};
const deadlocks = async (): Promise<number> =>
  (
    await database.pool.query<{ deadlocks: number }>(
      `select pg_stat_force_next_flush(), deadlocks::integer from pg_stat_database where datname = current_database()`,
    )
  ).rows[0]?.deadlocks ?? 0;

test('while one group of uploads waits, another group is stored, but a later upload of a logger in the waiting group is not (INGEST-03)', async () => {
  const holder = await hold(1);
  const first = commitAll(uploads(1, 40, 1));
  await untilBlocked(1);
  const answered: string[] = [];
  void first.then(() => answered.push('first'));
  const overtaker = writeQueue.commit(queuedUpload(1, 2)).then(() => answered.push('its next'));
  await commitAll(uploads(41, 80, 1)).then(() => answered.push('others'));
  expect(answered).toEqual(['others']);
  await release(holder);
  await first;
  await overtaker;
  expect(answered).toEqual(['others', 'first', 'its next']);
  expect((await newestObjects()).get(1)).toBe(2);
});

test('a few uploads that arrive while a group of uploads is stuck do not wait for that group (INGEST-03)', async () => {
  const holder = await hold(1);
  const stuck = writeQueue.commit(queuedUpload(1, 1));
  await untilBlocked(1);
  await new Promise((later) => setTimeout(later, AFTER_STUCK_MS));
  await expect(writeQueue.commit(queuedUpload(2, 1))).resolves.toBe('readings');
  await release(holder);
  await stuck;
});

test('when the connection that stores one group breaks, that group is refused and the other group is stored (INGEST-02, INGEST-03)', async () => {
  const holder = await hold(1, 80);
  const first = commitAll(uploads(1, 40, 1));
  first.catch(() => {});
  await untilBlocked(1);
  const [pid] = await blocked();
  const second = commitAll(uploads(41, 80, 1));
  await untilBlocked(2);
  await database.pool.query('select pg_terminate_backend($1)', [pid]);
  await expect(first).rejects.toBeInstanceOf(WriteQueueUnavailable);
  await release(holder);
  await second;
  expect([...(await newestObjects()).keys()].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, n) => 41 + n),
  );
  await commitAll(uploads(1, 40, 1));
  expect((await newestObjects()).size).toBe(80);
});

test('closing the write queue waits for both groups in progress and for the uploads queued after them (INGEST-02)', async () => {
  const [one, another] = [await hold(1), await hold(80)];
  const first = commitAll(uploads(1, 40, 1));
  await untilBlocked(1);
  const second = commitAll(uploads(41, 80, 1));
  await untilBlocked(2);
  const after = commitAll(uploads(1, 80, 2));
  let closed = false;
  const closing = writeQueue.close().then(() => {
    closed = true;
  });
  await expect(writeQueue.commit(queuedUpload(1, 3))).rejects.toBeInstanceOf(WriteQueueClosed);
  await release(one);
  await first;
  await new Promise((later) => setTimeout(later, 50));
  expect(closed).toBe(false);
  await release(another);
  await closing;
  await Promise.all([second, after]);
  expect(new Set((await newestObjects()).values())).toEqual(new Set([2]));
});

test('two processes that store the same documents in opposite orders do not deadlock (INGEST-03)', async () => {
  const other = openWriteQueue(pool);
  const documents = (n: number): QueuedCommit[] =>
    uploads(1, 400, n).map(({ document }) => ({ document, reading: undefined }));
  const send = async (by: WriteQueue, order: (items: QueuedCommit[]) => QueuedCommit[]): Promise<void> => {
    for (let n = 1; n <= 40; n++) await commitAll(order(documents(n)), by);
  };
  await Promise.all([send(writeQueue, (items) => items), send(other, (items) => items.reverse())]);
  await other.close();
  expect(await deadlocks()).toBe(0);
  expect(new Set((await newestObjects()).values())).toEqual(new Set([40]));
});

test('two processes that store uploads of the same streams in opposite orders do not deadlock, and count each reading once (INGEST-03)', async () => {
  const ROUNDS = 25;
  const other = openWriteQueue(pool);
  const pending: Promise<unknown>[] = [];
  for (let n = 1; n <= ROUNDS; n++) {
    const mine = [...uploads(1, STREAMS, 2 * n), queuedUpload(81, 2 * n + 1000, 1)];
    // The other write queue stores new versions of the same objects in the opposite order, with readings of other times.
    const theirs = uploads(1, STREAMS, 2 * n + 1).reverse();
    pending.push(commitAll(mine), commitAll(theirs, other));
    // Waits after every second round only, so that each write queue has two groups in progress.
    if (n % 2 === 0) await new Promise((later) => setTimeout(later, 10));
  }
  await Promise.all(pending);
  await other.close();

  expect(await deadlocks()).toBe(0);
  const { rows } = await database.pool.query<{ streamId: number }>(
    `select stream_id as "streamId", time as newest, total_count::integer as counted,
       (select sum(count)::integer from rollup u where u.stream_id = l.stream_id) as rolled
     from latest l where total_count > 0 order by stream_id`,
  );
  expect(rows).toHaveLength(STREAMS);
  for (const [n, { streamId, ...figures }] of rows.entries()) {
    const readings = await storedRows(database.pool, streamId, ['time']);
    expect(readings).toHaveLength(n === 0 ? 3 * ROUNDS : 2 * ROUNDS);
    expect(figures).toEqual({
      newest: readings.at(-1)?.time,
      counted: readings.length,
      rolled: readings.length,
    });
  }
  // An object has the last version of one of the two write queues, whichever was stored later.
  for (const [logger, size] of await newestObjects()) {
    expect(logger === 81 ? [2 * ROUNDS + 1000] : [2 * ROUNDS, 2 * ROUNDS + 1]).toContain(size);
  }
});

test('two processes that write the same stream alternately give the same figures as one process (12.A3)', async () => {
  const otherPool = openPool(database.connection, () => {});
  const other = openWriteQueue(otherPool);
  try {
    for (let n = 0; n < 60; n++) {
      // One process writes stream 1 for a while, and then both write it alternately. Both write stream 2 throughout.
      const turn = n % 10 < 4 ? writeQueue : n % 10 < 7 && n % 2 === 0 ? other : writeQueue;
      await Promise.all([turn.commit(driving(1, n)), (n % 3 ? other : writeQueue).commit(driving(2, n))]);
      await writeQueue.commit(driving(3, n));
    }
    const [first, ...others] = await figuresOf([1, 2, 3]);
    expect(first).toMatchObject({ totalCount: '60', runningMs: String(59 * 2_000) });
    for (const figures of others) expect(figures).toEqual(first);
  } finally {
    await other.close();
    await endPool(otherPool);
  }
});

test('a reading of a stream that changed while the reading waited for its lock is stored once, and keeps the change (12.A3)', async () => {
  await writeQueue.commit(driving(1, 0));
  const holder = await hold(1);
  const waiting = writeQueue.commit(driving(1, 3));
  await untilBlocked(1);
  const { rows } = await holder.query<{ received: Date }>(
    'select heard_at as received from latest where stream_id = 1',
  );
  await inEachShard(
    holder,
    `update telemetry.latest set heard_at = $1, signals = '{"Kept.Word": [7, 1]}' where stream_id = 1`,
    [rows[0]?.received],
  );
  await holder.query('commit');
  await expect(waiting).resolves.toBe('readings');
  const [figures] = await figuresOf([1]);
  expect(figures).toMatchObject({ totalCount: '2', signals: { 'Kept.Word': [7, 1] } });
  expect([...(await newestObjects()).keys()]).toEqual([1]);
});

/** Returns an upload of a running machine. The row in `latest` and the roll-up depend on all readings stored before. */
const driving = (streamId: number, n: number): QueuedCommit => ({
  ...queuedUpload(streamId, n),
  reading: {
    streamId,
    time: UPLOADS_START + n * 2_000,
    signals: { MotorSpeed: 900 + n, BatteryCurrent: 10 + n, BatteryVoltage: 600, Soc1: 90 - n / 10 },
  },
});

async function figuresOf(streams: readonly number[]): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query(
    `select total_count, signals, track, (select sum(running_ms) from rollup r where r.stream_id = l.stream_id) as running_ms,
       (select sum(out_mj) from rollup r where r.stream_id = l.stream_id) as out_mj
     from latest l where stream_id = any ($1) order by stream_id`,
    [streams],
  );
  return rows;
}

test('while a log file is being stored, only uploads of its stream wait (INGEST-03)', async () => {
  const holder = await hold(2);
  const stored = writeQueue.whileLocked(new Set([2]), () => untilReleased(holder));
  const held = writeQueue.commit(queuedUpload(2, 1));
  await commitAll([...uploads(1, 1, 1), ...uploads(3, 40, 1)]);
  expect(await blocked()).toEqual([]);
  expect(writeQueue.health().waiting).toBe(1);

  await release(holder);
  await stored;
  expect(await held).toBe('readings');
});

test('a write queue that closes stores the uploads of a stream whose log file is being stored (INGEST-03)', async () => {
  const holder = await hold(2);
  const stored = writeQueue.whileLocked(new Set([2]), () => untilReleased(holder));
  const held = writeQueue.commit(queuedUpload(2, 1));
  const closing = writeQueue.close();
  await release(holder);
  await Promise.all([closing, stored]);
  expect(await held).toBe('readings');
});
