import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Database } from '#server/platform/database.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { MAX_PARTITIONS_PER_LOGGER_DAY, openPartitions } from './partitions.ts';
import { weekStartOf } from './readings/weeks.ts';

const WEEK_MS = 7 * 86400_000;
const NOW = Date.UTC(2026, 10, 18);
const weeksAgo = (n: number): number => weekStartOf(NOW) - n * WEEK_MS;
const weeks = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => weeksAgo(from + n));

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function existing(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_inherits where inhparent in ('reading'::regclass, 'rollup'::regclass)`,
  );
  return (rows[0]?.count ?? 0) / 2 - 1;
}

test('one logger makes the portal create at most 20 weekly partitions a day, and a request for more creates none (INGEST-03)', async () => {
  const partitions = openPartitions(database.pool, () => NOW);
  expect(await partitions.ensure(weeks(10, MAX_PARTITIONS_PER_LOGGER_DAY), '1')).toBe(true);
  const before = await existing();
  expect(await partitions.ensure(weeks(40, 2), '1')).toBe(false);
  expect(await existing()).toBe(before);
  expect(await partitions.ensure(weeks(40, 2), '2')).toBe(true);
});

test('after a restart, existing weekly partitions do not count towards a logger’s limit of new partitions (INGEST-03)', async () => {
  await openPartitions(database.pool, () => NOW).ensure(weeks(10, 60), undefined);
  const before = await existing();
  const restarted = openPartitions(database.pool, () => NOW);
  expect(await restarted.ensure(weeks(10, 60), '3')).toBe(true);
  expect(await existing()).toBe(before);
  // Existing weeks do not count, so the logger can still cause 20 new ones.
  expect(await restarted.ensure(weeks(75, MAX_PARTITIONS_PER_LOGGER_DAY), '3')).toBe(true);
  expect(await restarted.ensure(weeks(95, 1), '3')).toBe(false);
});

test('a weekly partition counts once for its logger, even when its creation failed or is in progress (INGEST-03)', async () => {
  let broken = true;
  const query = (async (text: string, values: unknown[]) => {
    if (broken && text.includes('ensure_week')) throw new Error('out of reach');
    return database.pool.query(text, values);
  }) as Database['query'];
  const partitions = openPartitions({ query }, () => NOW);
  for (let n = 0; n < MAX_PARTITIONS_PER_LOGGER_DAY; n++) {
    await expect(partitions.ensure([weeksAgo(5)], '4')).rejects.toThrow('out of reach');
  }
  broken = false;
  const together = Array.from({ length: MAX_PARTITIONS_PER_LOGGER_DAY }, () =>
    partitions.ensure([weeksAgo(5), weeksAgo(6)], '4'),
  );
  expect(await Promise.all(together)).toEqual(together.map(() => true));
  expect(await partitions.ensure([weeksAgo(7)], '4')).toBe(true);
});

test('readings of weeks that began more than two years ago share the default partition (INGEST-03)', async () => {
  const before = await existing();
  expect(await openPartitions(database.pool, () => NOW).ensure(weeks(106, 40), '5')).toBe(true);
  expect(await existing()).toBe(before);
});

test('LOCKS.weekPartitions equals the lock number that the SQL functions compute', async () => {
  const { rows } = await database.pool.query(`select hashtext('werkstroom partitions') as number`);
  expect(rows).toEqual([{ number: ADVISORY_LOCK_KEYS.weekPartitions }]);
});
