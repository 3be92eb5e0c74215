import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/platform/database.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { openPartitions } from './partitions.ts';
import { closeWeeks, countOpenWeeks } from './readings/close-weeks.ts';
import { columnForFigures } from './readings/columns.ts';
import { readColumnPages, readColumns, readColumnsAtRangeEnd } from './readings/read-columns.ts';
import { readEdgeReadings } from './readings/read-edges.ts';
import { readSamples } from './readings/read-samples.ts';
import { findEmptiedPartition } from './readings/shrink-weeks.ts';
import { readReadingsAtInstants } from './readings/stored-readings.ts';
import { storeReadings } from './readings.store.ts';

const WEEKS = 104;
const STREAMS = 10_000;
const ASKED = 5_000;
const WEEK_MS = 7 * 86_400_000;
const FIRST = Date.UTC(2024, 9, 7);
const LAST = FIRST + (WEEKS - 1) * WEEK_MS;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ asRows: true });
  const { pool } = database;
  const weeks = Array.from({ length: WEEKS }, (_, n) => FIRST + n * WEEK_MS);
  await openPartitions(pool, () => LAST).ensure(weeks, undefined);
  await pool.query('insert into latest (stream_id) values ($1)', [ASKED]);
  for (const week of weeks) {
    const readings = Array.from({ length: 20 }, (_, n) => ({
      streamId: ASKED,
      time: week + n * 10_000,
      signals: { Speed: n, LATITUDE: 52 + n / 1000, LONGITUDE: 5 },
    }));
    await storeReadings(pool, readings);
  }
  for await (const _ of closeWeeks(pool, Number.POSITIVE_INFINITY));
  // Adds files of other streams, without content. Queries find these files, but never read them.
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  for (let first = 0; first < STREAMS; first += 500)
    await client.query(
      `insert into reading_file select id, from_time, to_time, readings, chunks, '', true
       from generate_series($1::integer, $2::integer) as id, reading_file where stream_id = $3 and id <> $3`,
      [first, first + 499, ASKED],
    );
  await client.query('vacuum analyze reading_file');
  client.release(true);
}, 300_000);
afterAll(() => database.drop());

type Plan = {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
};

/** Returns a database connection, and a function that returns how many pages its queries have read. */
function countingPages(): { readonly db: Database; pages(): number } {
  let pages = 0;
  const query = async (text: string, values: readonly unknown[]) => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': Plan[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values as unknown[],
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    return database.pool.query(text, values as unknown[]);
  };
  return { db: { query } as Database, pages: () => pages };
}

const SPEED = [columnForFigures('Speed')];
const month = { from: LAST - 3 * WEEK_MS, to: LAST + WEEK_MS };
const all = { streamId: ASKED, from: FIRST, to: LAST + WEEK_MS };
const slots = Array.from({ length: 100 }, (_, n) => ({
  from: month.from + (n * 4 * WEEK_MS) / 100,
  to: month.from + ((n + 1) * 4 * WEEK_MS) / 100,
}));
/** Queries, with the largest number of pages of 8 kB that each may read; the files of all streams have some 20,000. */
const QUESTIONS: Readonly<Record<string, readonly [most: number, ask: (db: Database) => Promise<number>]>> = {
  'a day': [
    100,
    async (db) =>
      (await readColumns(db, ASKED, [{ from: LAST, to: LAST + 86_400_000 }], SPEED))[0]?.times.length ?? 0,
  ],
  'a month': [200, async (db) => (await readColumns(db, ASKED, [month], SPEED))[0]?.times.length ?? 0],
  'samples of a month': [
    300,
    async (db) => (await readSamples(db, ASKED, slots, SPEED, { most: 20, needed: 1 })).times.length,
  ],
  'the first reading': [
    2_000,
    async (db) => (await readEdgeReadings(db, [all], SPEED, { end: 'first' })).length,
  ],
  'the last readings': [
    2_000,
    async (db) => (await readColumnsAtRangeEnd(db, all, SPEED, { end: 'last', count: 30 })).times.length,
  ],
  'an instant': [
    100,
    async (db) => (await readReadingsAtInstants(db, [{ streamId: ASKED, time: LAST + 10_000 }])).size,
  ],
  'two years': [
    12_000,
    async (db) => {
      let count = 0;
      for await (const { times } of readColumnPages(db, ASKED, [all], SPEED)) count += times.length;
      return count;
    },
  ],
};

test.each(Object.entries(QUESTIONS))(
  'the query for %s reads few pages when 10,000 streams have 104 closed weeks (45.2)',
  async (_name, [most, ask]) => {
    const { db, pages } = countingPages();
    expect(await ask(db)).toBeGreaterThan(0);
    expect(pages()).toBeLessThan(most);
    expect(pages()).toBeGreaterThan(0);
  },
);

test('upkeep does not read the list of a million files to find that no week needs closing (45.2)', async () => {
  const { db, pages } = countingPages();
  expect(await countOpenWeeks(db, Number.POSITIVE_INFINITY)).toBe(0);
  await findEmptiedPartition(db, Number.POSITIVE_INFINITY);
  // The limit allows for PostgreSQL's catalogue and the indexes of each week's partition, not for the 20,000 pages of the files.
  expect(pages()).toBeLessThan(60 * WEEKS);
});
