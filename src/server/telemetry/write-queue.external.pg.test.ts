import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endPool, inTransaction, openPool, type Pool } from '#server/platform/database.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { type SilentProxy, silentProxy } from '#server/test/silent-proxy.ts';
import { openWriteQueue, type WriteQueue, WriteQueueUnavailable } from './write-queue.ts';
import type { QueuedCommit } from './write-queue-group.ts';

/** Time limit for an answer of the database, in ms; longer than any answer takes on a busy machine. */
const NO_ANSWER_MS = 1_000;
let database: TestDatabase;
let proxy: SilentProxy;
let pool: Pool;
let writeQueue: WriteQueue;
beforeEach(async () => {
  database = await testDatabase();
  proxy = await silentProxy(database.connection);
  pool = openPool(proxy.connection, () => {});
  writeQueue = openWriteQueue(pool, NO_ANSWER_MS);
});
afterEach(async () => {
  await endPool(pool);
  await proxy.close();
  await database.drop();
});

const item = (key: string, kind: 'reading' | 'bad' | 'full' = 'reading'): QueuedCommit => ({
  document: {
    loggerSerial: '0000001',
    key,
    size: 2,
    etag: 'e',
    contentType: 'application/json',
    metadata: {},
    outcome: [kind === 'reading' ? { kind } : { kind: 'text', text: kind }],
    body: Buffer.from('{}'),
  },
  reading: undefined,
});
const keys = async () =>
  (await database.pool.query<{ key: string }>('select key from object order by key')).rows.map(
    ({ key }) => key,
  );

/**
 * Returns the result of `work`, or 'too late' after `ms`. On a busy machine the timer is delayed as much as the work, because both
 * run in this process.
 */
const within = <T>(ms: number, work: Promise<T>): Promise<T | 'too late'> =>
  Promise.race([work, wait(ms, 'too late' as const)]);

describe('a connection that goes silent', () => {
  test('a connection that goes silent fails its group of uploads, and the next group uses another connection (INGEST-02, INGEST-03)', async () => {
    await writeQueue.commit(item('a'));
    expect(proxy.silence()).toBe(1);
    await expect(within(2 * NO_ANSWER_MS, writeQueue.commit(item('b')))).rejects.toBeInstanceOf(
      WriteQueueUnavailable,
    );
    await writeQueue.commit(item('b'));
    await writeQueue.commit(item('c'));
    expect(await keys()).toEqual(['a', 'b', 'c']);
  });

  test('the health of the write queue reports a connection that goes silent, until an upload is stored again (INGEST-03)', async () => {
    await writeQueue.commit(item('a'));
    expect(writeQueue.health()).toEqual({ waiting: 0, waitingMs: 0, failedMs: undefined });
    proxy.silence();
    const stuck = writeQueue.commit(item('b')).catch(() => {});
    await wait(100);
    const { waiting, waitingMs } = writeQueue.health();
    expect(waiting).toBe(1);
    expect(waitingMs).toBeGreaterThan(90);
    await stuck;
    await new Promise((later) => setImmediate(later));
    expect(writeQueue.health()).toEqual({ waiting: 0, waitingMs: 0, failedMs: expect.any(Number) });
    await writeQueue.commit(item('b'));
    expect(writeQueue.health().failedMs).toBeUndefined();
  });

  test('a connection that goes silent does not delay the closing of the connection pool (INGEST-03)', async () => {
    await Promise.all([pool.query('select 1'), pool.query('select 1')]);
    expect(proxy.silence()).toBe(2);
    const hanging = pool.query('select 1');
    hanging.catch(() => {});
    // The connections are closed after 2 s.
    expect(await within(8_000, endPool(pool))).toBeUndefined();
    pool = openPool(proxy.connection, () => {});
  });

  test('a transaction on a connection that goes silent fails without waiting for a rollback (INGEST-03)', async () => {
    const impatientPool = openPool({ ...proxy.connection, query_timeout: NO_ANSWER_MS }, () => {});
    const { promise: silent, resolve: fellSilent } = Promise.withResolvers<void>();
    const work = inTransaction(impatientPool, async (client) => {
      proxy.silence();
      fellSilent();
      await client.query('select 1');
    });
    await silent;
    // A rollback on the silent connection would wait NO_ANSWER_MS again.
    await expect(within(1.8 * NO_ANSWER_MS, work)).rejects.toThrow('Query read timeout');
    expect((await impatientPool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await endPool(impatientPool);
  });
});

test('when the database has no space left while items of a failed group are stored one by one, the remaining items are refused (INGEST-03)', async () => {
  const patient = openWriteQueue(pool);
  await database.pool.query(`create function misbehave() returns trigger language plpgsql as $$ begin
      if new.outcome -> 0 ->> 'text' = 'bad' then raise exception 'bad'; end if;
      if new.outcome -> 0 ->> 'text' = 'full' then raise exception 'no space' using errcode = '53100'; end if;
      return new; end $$;
    create trigger misbehave before insert on object for each row execute function misbehave()`);
  const group = [item('a'), item('b', 'bad'), item('c', 'full'), item('d')].map((one) => patient.commit(one));
  const answers = await Promise.allSettled(group);
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? 'stored' : answer.reason.name))).toEqual([
    'stored',
    'error',
    'WriteQueueUnavailable',
    'WriteQueueUnavailable',
  ]);
  expect(await keys()).toEqual(['a']);
  expect(patient.health().failedMs).toBeGreaterThanOrEqual(0);
});
