import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChangeNotifier, watchDatabaseChanges } from './platform/changes.ts';
import type { Database } from './platform/database.ts';
import { deriveSecrets } from './platform/secrets.ts';
import { openLoggerDirectory } from './telemetry/logger-directory.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';

let database: TestDatabase;
/** Delays the results of the portal's database reads until this promise resolves. */
let arrival: Promise<void> = Promise.resolve();
let changes: ChangeNotifier;
let received: () => void = () => {};
/** Called when the database has answered a read. */
let read: () => void = () => {};

beforeAll(async () => {
  database = await testDatabase();
  const slow: Database = {
    query: (async (...given: Parameters<Database['query']>) => {
      const result = await database.pool.query(...given);
      read();
      await arrival;
      return result;
    }) as Database['query'],
  };
  changes = watchDatabaseChanges(slow, database.connection, () => {});
  const listening = nextNotification();
  changes.onSession(() => received());
  await listening;
});
afterAll(async () => {
  await changes.close();
  await database.drop();
});

/** Resolves with the next notification about sessions; notifications arrive in the order in which they were sent. */
const nextNotification = (): Promise<void> =>
  new Promise((resolve) => {
    received = resolve;
  });

test('a change notification that arrives while a cache reads its version makes the next request read the version again (LIVE-01, INGEST-06)', async () => {
  const before = await changes.directoryVersion();
  await database.pool.query(`notify werkstroom, 'directory'`);
  let arrive: () => void = () => {};
  const word = nextNotification();
  await database.pool.query(`notify werkstroom, 'session'`);
  await word;

  arrival = new Promise((resolve) => {
    arrive = resolve;
  });
  const isRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  const reading = changes.directoryVersion();
  await isRead;
  const notified = nextNotification();
  await database.pool.query(`insert into stream (kind, serial, alias) values ('machine', 'V-1', 'V')`);
  await database.pool.query(`notify werkstroom, 'session'`);
  await notified;
  arrive();
  expect(await reading).toBe(before);
  expect(await changes.directoryVersion()).toBe(String(Number(before) + 1));
});

test('if the version of a cache cannot be read, only the request fails and the process goes on (INGEST-02)', async () => {
  const gone: Database = { query: () => Promise.reject(new Error('write EPIPE')) };
  const changes = watchDatabaseChanges(gone, database.connection, () => {});
  try {
    const directory = openLoggerDirectory(gone, deriveSecrets('11'.repeat(32)), changes);
    // A rejected promise that is not awaited would end the process, and fail this test run.
    await expect(directory.key('AK')).rejects.toThrow('EPIPE');
    await setImmediate();
  } finally {
    await changes.close();
  }
});
