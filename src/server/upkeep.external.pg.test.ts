import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './test/database.ts';
import { runUpkeep } from './upkeep.ts';

let database: TestDatabase;
const LOGGER = '4000001';
const OTHER = '4000002';
const problems: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  for (const [stream, logger] of [LOGGER, OTHER].entries()) {
    await database.pool.query(
      `with made as (insert into stream (kind, serial, alias) values ('machine', $1, $1) returning id)
       insert into writer (stream_id, logger_serial) select id, $2 from made`,
      [`S-${stream}`, logger],
    );
  }
});
afterAll(() => database.drop());

/** Inserts objects of a logger with keys that end in the numbers `from` to `to`, in that order, all stored at the time `at`. */
const insert = (logger: string, kind: 'document' | 'log', from: number, to: number, at = new Date()) =>
  database.pool.query(
    `insert into object (logger_serial, key, size, etag, content_type, body, modified_at, log_stored_at)
     select $1, $2 || n, 1, '', '', case when $2 = 'document' then 'x'::bytea end, $5::timestamptz, case when $2 = 'log' then $5::timestamptz end
     from generate_series($3::int, $4::int) as n order by n`,
    [logger, kind, from, to, at],
  );

const keysOf = async (logger: string, kind: string): Promise<number[]> => {
  const { rows } = await database.pool.query(
    `select substring(key from '\\d+$')::int as n from object where logger_serial = $1 and starts_with(key, $2) order by n`,
    [logger, kind],
  );
  return rows.map(({ n }) => n);
};
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const upkeep = () =>
  runUpkeep(database.pool, (message, detail) => void problems.push(`${message} ${detail}`));
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);

test('upkeep keeps the newest 1,000 documents of each logger and all log files (INGEST-05)', async () => {
  const moment = new Date();
  await insert(LOGGER, 'document', 1, 1003, moment);
  // This object is inserted last, but its time is earlier than that of all others.
  await insert(LOGGER, 'document', 1004, 1005, daysAgo(1));
  await insert(LOGGER, 'log', 1, 1005, daysAgo(29));
  await insert(OTHER, 'document', 1, 3, daysAgo(400));
  await upkeep();
  await upkeep();
  expect(problems).toEqual([]);
  expect(await keysOf(LOGGER, 'document')).toEqual(numbers(4, 1003));
  expect(await keysOf(LOGGER, 'log')).toEqual(numbers(1, 1005));
  expect(await keysOf(OTHER, 'document')).toEqual([1, 2, 3]);
});

test('upkeep deletes log files with all their content after 30 days (INGEST-05)', async () => {
  await insert(OTHER, 'log', 1, 2, daysAgo(31));
  await insert(OTHER, 'log', 3, 3, daysAgo(29));
  await database.pool.query(
    `insert into object_chunk select id, n, 'x' from object, generate_series(0, 1) as n where logger_serial = $1 and body is null`,
    [OTHER],
  );
  await upkeep();
  expect(problems).toEqual([]);
  expect(await keysOf(OTHER, 'log')).toEqual([3]);
  const { rows } = await database.pool.query('select count(*)::int as n from object_chunk');
  expect(rows).toEqual([{ n: 2 }]);
});

test('upkeep logs a warning for a failing task and runs the others (INGEST-03)', async () => {
  problems.length = 0;
  await database.pool.query('alter table session rename to session_elsewhere');
  await insert(OTHER, 'log', 9, 9, daysAgo(31));
  await upkeep();
  await database.pool.query('alter table session_elsewhere rename to session');
  expect(problems).toEqual([expect.stringContaining('Upkeep: expired sessions')]);
  expect(await keysOf(OTHER, 'log')).toEqual([3]);
});
