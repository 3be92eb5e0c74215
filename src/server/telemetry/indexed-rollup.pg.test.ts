import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database.ts';
import { findShards, type Shard, shardForStream } from '#server/platform/shards.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { indexClosedWeek } from './indexed-rollup.ts';
import { openPartitions } from './partitions.ts';
import { storeReadings } from './readings.store.ts';

/** A Wednesday at noon: the previous week ended on Monday at 0:00, more than two days ago, so it is closed. */
const NOW = Date.UTC(2026, 10, 18, 12);
const DAY_MS = 86_400_000;

let database: TestDatabase;
let client: Transaction;
let shard: Shard;
beforeAll(async () => {
  database = await testDatabase();
  const times = [0, 7, 14].map((days) => NOW - days * DAY_MS);
  await openPartitions(database.pool, () => NOW).ensure(times, undefined);
  // Autovacuum may run at any moment; running it here makes the tests independent of it.
  for (const week of [45, 46, 47])
    await inEachShard(
      database.pool,
      `alter table telemetry.rollup_2026w${week} set (autovacuum_enabled = false)`,
    );
  await database.pool.query('insert into latest (stream_id) select generate_series(1, 50)');
  for (const time of times.reverse()) {
    for (let bucket = 0; bucket < 40; bucket++) {
      const at = time + bucket * 300_000;
      await storeReadings(
        database.pool,
        Array.from({ length: 50 }, (_, n) => ({
          streamId: n + 1,
          time: at,
          signals: { Speed: n, BatteryCurrent: 9 },
        })),
      );
    }
  }
  client = await database.pool.connect();
  shard = shardForStream(client, 7);
});
afterAll(async () => {
  client.release(true);
  await database.drop();
});

const indexes = async (): Promise<{ name: string; valid: boolean }[]> =>
  (
    await shard.query<{ name: string; valid: boolean }>(
      `select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
       where relname like '%\\_whole' and relnamespace = (select relnamespace from pg_class where oid = 'telemetry.rollup'::regclass)
       order by 1`,
    )
  ).rows;
const planOf = async (days: number): Promise<string> => {
  const { rows } = await shard.query<{ 'QUERY PLAN': string }>(
    `explain select sum(running_ms), sum(out_mj - in_mj), sum(count), min(speed_min), min(south), max(charging_flag_max) from telemetry.rollup
     where stream_id = 7 and bucket >= to_timestamp(${(NOW - days * DAY_MS) / 1000}) and bucket < to_timestamp(${(NOW - (days - 1) * DAY_MS) / 1000})`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

// Skipped on a cluster, whose query plans are visible on its workers only.
test.skipIf(CITUS_CONNECTION)(
  'a closed week is read from its index alone, and a week that receives readings has none (MDET-08)',
  async () => {
    const sum = () =>
      client.query(
        'select stream_id, sum(out_mj), sum(count), max(speed_max) from rollup group by 1 order by 1',
      );
    const before = (await sum()).rows;
    // An invalid index, as an interrupted build leaves it.
    await shard
      .query('create unique index concurrently rollup_2026w45_whole on telemetry.rollup_2026w45 (count)')
      .catch(() => {});
    // An index as an earlier version made it, without the columns that were added later.
    await shard.query(
      'create index rollup_2026w46_whole on telemetry.rollup_2026w46 (stream_id, bucket) include (count)',
    );
    expect(await indexes()).toEqual([
      { name: 'rollup_2026w45_whole', valid: false },
      { name: 'rollup_2026w46_whole', valid: true },
    ]);

    const done: string[] = [];
    for (let week = await indexClosedWeek(client, NOW); week; week = await indexClosedWeek(client, NOW))
      done.push(week);
    const shards = await findShards(client);
    expect(done).toEqual(['rollup_2026w45', 'rollup_2026w46'].flatMap((week) => shards.map(() => week)));
    expect(await indexes()).toEqual([
      { name: 'rollup_2026w45_whole', valid: true },
      { name: 'rollup_2026w46_whole', valid: true },
    ]);
    const { rows: seen } = await shard.query(
      `select relallvisible > 0 as all from pg_class where oid in (
       'telemetry.rollup_2026w45'::regclass, 'telemetry.rollup_2026w46'::regclass, 'telemetry.rollup_2026w47'::regclass) order by relname`,
    );
    expect(seen).toEqual([{ all: true }, { all: true }, { all: false }]);
    expect(await planOf(14)).toContain('Index Only Scan using rollup_2026w45_whole');
    expect(await planOf(7)).toContain('Index Only Scan using rollup_2026w46_whole');
    expect(await planOf(0)).not.toContain('Index Only Scan');
    expect((await sum()).rows).toEqual(before);
  },
);

test.skipIf(CITUS_CONNECTION).each([
  ['on its second day after', Date.UTC(2026, 10, 24, 23, 59), undefined],
  ['two days after', Date.UTC(2026, 10, 25), 'rollup_2026w47'],
])('a week is closed when late readings have become rare: %s (MDET-08)', async (_when, now, week) => {
  expect(await indexClosedWeek(client, now)).toBe(week);
});

// Skipped on a cluster, where the sizes of tables are known on the workers only.
test.skipIf(CITUS_CONNECTION)(
  'an index that late readings have left half empty is rebuilt (45.2)',
  async () => {
    const bytes = async () =>
      (await client.query(`select pg_relation_size('rollup_2026w45_whole')::float8 as bytes`)).rows[0].bytes;
    const before = await bytes();
    expect(await indexClosedWeek(client, NOW)).toBe(undefined);
    const late = 'stream_id >= 1000';
    const columns = (
      await client.query(
        `select string_agg(column_name, ', ') as names from information_schema.columns where table_name = 'rollup' and column_name not in ('stream_id', 'packs')`,
      )
    ).rows[0].names;
    await client.query(
      `insert into rollup (stream_id, packs, ${columns}) select 1000 * stream_id + n, packs, ${columns} from rollup_2026w45, generate_series(1, 10) n where stream_id < 1000`,
    );
    await client.query(`delete from rollup_2026w45 where ${late}`);
    await client.query('vacuum rollup_2026w45');
    expect(await bytes()).toBeGreaterThan(3 * before);
    expect(await indexClosedWeek(client, NOW)).toBe('rollup_2026w45');
    expect(await bytes()).toBeLessThanOrEqual(before);
    expect(await indexClosedWeek(client, NOW)).toBe(undefined);
  },
);

test('late readings of a closed week are added to the roll-up (INGEST-03)', async () => {
  const of = async () =>
    (
      await client.query('select count from rollup where stream_id = 7 and bucket = to_timestamp($1)', [
        (NOW - 14 * DAY_MS) / 1000,
      ])
    ).rows;
  expect(await of()).toEqual([{ count: 1 }]);
  await storeReadings(database.pool, [
    { streamId: 7, time: NOW - 14 * DAY_MS + 1000, signals: { Speed: 200 } },
  ]);
  expect(await of()).toEqual([{ count: 2 }]);
});
