import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Changes, watchChanges } from './platform/changes.ts';
import type { Database } from './platform/database.ts';
import { secretsWith } from './platform/secrets.ts';
import { openDirectory } from './telemetry/logger-directory.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';

let database: TestDatabase;
/** Until it resolves, what was read is on its way. */
let arrival: Promise<void> = Promise.resolve();
let changes: Changes;
let heard: () => void = () => {};
/** What is read has come from the database. */
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
  changes = watchChanges(slow, database.connection, () => {});
  const listening = nextWord();
  changes.onSession(() => heard());
  await listening;
});
afterAll(async () => {
  await changes.close();
  await database.drop();
});

/** Resolves with the next word about sessions; words come in the order in which they were said. */
const nextWord = (): Promise<void> =>
  new Promise((resolve) => {
    heard = resolve;
  });

test('a change that is heard while the version is read is not hidden by what was read (LIVE-01, INGEST-06)', async () => {
  const before = await changes.directoryVersion();
  await database.pool.query(`notify werkstroom, 'directory'`);
  let arrive: () => void = () => {};
  const word = nextWord();
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
  const told = nextWord();
  await database.pool.query(`insert into stream (kind, serial, alias) values ('machine', 'V-1', 'V')`);
  await database.pool.query(`notify werkstroom, 'session'`);
  await told;
  arrive();
  expect(await reading).toBe(before);
  expect(await changes.directoryVersion()).toBe(String(Number(before) + 1));
});

test('a version that cannot be read is an error of who asked, and ends nothing else (INGEST-02)', async () => {
  const gone: Database = { query: () => Promise.reject(new Error('write EPIPE')) };
  const changes = watchChanges(gone, database.connection, () => {});
  try {
    const directory = openDirectory(gone, secretsWith('11'.repeat(32)), changes);
    // A promise of it that nobody waits for would end the process, and fails this run.
    await expect(directory.key('AK')).rejects.toThrow('EPIPE');
    await setImmediate();
  } finally {
    await changes.close();
  }
});
