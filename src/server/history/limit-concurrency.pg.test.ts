import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { limitConcurrency } from './limit-concurrency.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('many history queries leave connections for other queries, and all are answered (API-03, LIVE-01)', async () => {
  const { pool } = database;
  const db = limitConcurrency(pool);
  const answers = Promise.all(
    Array.from({ length: 12 }, (_, n) => db.query('select pg_sleep(0.3), $1::integer as n', [n])),
  );
  let isAnswered = false;
  void answers.then(() => {
    isAnswered = true;
  });
  const busy: number[] = [];
  while (!isAnswered) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { rows } = await pool.query(
      `select count(*)::integer as n from pg_stat_activity
       where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`,
    );
    busy.push(rows[0].n);
  }
  expect(Math.max(...busy)).toBe(4);
  expect((await answers).map(({ rows }) => rows[0].n)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  // A query that fails releases its slot.
  const failures = await Promise.allSettled(Array.from({ length: 6 }, () => db.query('select 1/0')));
  expect(failures.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
  expect((await db.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
});
