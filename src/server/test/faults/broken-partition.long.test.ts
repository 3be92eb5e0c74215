import { afterAll, beforeEach, expect, test } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { weekStartOf } from '#server/telemetry/readings/weeks.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { countLoss, NO_LOSS } from '#server/test/acknowledged.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { runUpkeep } from '#server/upkeep.ts';

/** Tests uploads of readings while their weekly partition cannot be created. */
const WEEK_MS = 7 * 86_400_000;
const THIS_WEEK = weekStartOf(Date.now());
const HERE = 1;

const open: TestDatabase[] = [];
let database: TestDatabase;
let pool: Pool;
let warnings: string[];
beforeEach(async () => {
  database = await testDatabase({ asRows: true });
  open.push(database);
  pool = database.pool;
  warnings = [];
  await pool.query('insert into latest (stream_id) select generate_series(1, 3)');
});
afterAll(async () => {
  for (const one of open) await one.drop();
});

const warn = (what: string, reason: string) => void warnings.push(`${what}: ${reason}`);
const nameOf = async (week: number, parent = 'reading'): Promise<string> => {
  const { rows } = await pool.query<{ name: string }>(
    `select $1 || to_char(to_timestamp($2::float8 / 1000) at time zone 'UTC', '_IYYY"w"IW') as name`,
    [parent, week],
  );
  return rows[0]?.name ?? '';
};
/** Stores readings as an upload of logger 7000001 does. */
async function upload(db: Pool, times: readonly number[], partitions = openPartitions(db, Date.now, warn)) {
  expect(await partitions.ensure(times, '7000001')).toBe(true);
  const readings = times.map((time) => ({ streamId: HERE, time, signals: { MotorSpeed: 900, Speed: 3 } }));
  return storeReadings(db, readings);
}
/** Returns the number of rows in each partition. */
async function partitionCounts(table = 'reading'): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ partition: string; n: number }>(
    `select tableoid::regclass::text as partition, count(*)::int as n from ${table} group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ partition, n }) => [partition, n]));
}
const figures = async () =>
  (
    await pool.query(
      `select (select json_agg(r order by stream_id, bucket) from rollup r) as rollup, (select json_agg(l order by stream_id) from latest l) as latest`,
    )
  ).rows[0];
const secondsIn = (week: number, count: number) =>
  Array.from({ length: count }, (_, n) => week + 3_600_000 + n * 60_000);

test('uploads succeed with one warning while another table has the name of the partition; upkeep later moves the readings to it (INGEST-03)', async () => {
  const name = await nameOf(THIS_WEEK);
  await pool.query(`create table ${name} (mine text)`);
  const partitions = openPartitions(pool, Date.now, warn);
  await upload(pool, secondsIn(THIS_WEEK, 5), partitions);
  await upload(pool, secondsIn(THIS_WEEK - WEEK_MS, 5), partitions);
  await upload(pool, secondsIn(THIS_WEEK, 8), partitions);
  expect(await partitionCounts()).toEqual({ reading_default: 8, [await nameOf(THIS_WEEK - WEEK_MS)]: 5 });
  expect(warnings).toEqual([expect.stringMatching(`could not be created.*${name} is in the way`)]);
  await runUpkeep(pool, warn);
  expect(warnings.slice(1)).toEqual([expect.stringMatching(`^Upkeep: partitions of this week: .*${name}`)]);
  // The next week's partition can be created nevertheless.
  await upload(pool, secondsIn(THIS_WEEK + WEEK_MS, 1), partitions);
  const before = await figures();

  await pool.query(`drop table ${name}`);
  await runUpkeep(pool, warn);
  expect(await partitionCounts()).toEqual({
    [await nameOf(THIS_WEEK - WEEK_MS)]: 5,
    [name]: 8,
    [await nameOf(THIS_WEEK + WEEK_MS)]: 1,
  });
  expect(await figures()).toEqual(before);
  expect(await partitionCounts('rollup')).not.toHaveProperty('rollup_default');
  await upload(pool, secondsIn(THIS_WEEK, 12), partitions);
  expect((await partitionCounts())[name]).toBe(12);
  expect(warnings).toHaveLength(2);
  const acknowledged = secondsIn(THIS_WEEK, 12).map((ms) => ms / 1000);
  expect(await countLoss(pool, new Map([[HERE, acknowledged]]))).toEqual(NO_LOSS);
});

test('uploads succeed without the right to create partitions; a process with the right creates the partition (INGEST-03)', async () => {
  const role = `limited_${database.connection.database ?? new URL(String(database.connection.connectionString)).pathname.slice(1)}`;
  await pool.query(`create role ${role}`);
  await pool.query(`grant usage on schema public to ${role}`);
  await pool.query(`grant select, insert, update, delete on all tables in schema public to ${role}`);
  // `ensure_week` creates partitions with the rights of its owner, so revoking `execute` from the role takes the right to create partitions
  // away.
  await inEachShard(pool, 'revoke execute on function telemetry.ensure_week from public');
  const limited = openPool({ ...database.connection, options: `-c role=${role}` }, () => {});
  try {
    const week = THIS_WEEK - 3 * WEEK_MS;
    await upload(limited, secondsIn(week, 4));
    expect(await partitionCounts()).toEqual({ reading_default: 4 });
    expect(warnings).toEqual([expect.stringMatching(/could not be created.*permission denied/)]);
    // `pool` has the right to create partitions. This upload does not use the first one's cache of existing partitions.
    await upload(pool, secondsIn(week, 5));
    expect(await partitionCounts()).toEqual({ [await nameOf(week)]: 5 });
    expect(warnings).toHaveLength(1);
  } finally {
    await limited.end();
    await pool.query(`drop owned by ${role}`);
    await pool.query(`drop role ${role}`);
  }
});

test('more than 200,000 readings stay in the default partition, because moving them would take too long (INGEST-03)', async () => {
  await pool.query(
    `insert into reading (stream_id, time) select 2, to_timestamp($1::float8 / 1000) + n * interval '1 ms' from generate_series(1, 200001) n`,
    [THIS_WEEK],
  );
  await upload(pool, secondsIn(THIS_WEEK, 3));
  expect(warnings).toEqual([expect.stringContaining('More than 200000 rows of')]);
  expect(await partitionCounts()).toEqual({ reading_default: 200_004 });
});

test('creating the next week’s partition gives up while a long transaction reads the table, and uploads do not wait for it (INGEST-03)', async () => {
  await upload(pool, secondsIn(THIS_WEEK, 1));
  const reader = await pool.connect();
  try {
    await reader.query('begin');
    await reader.query('select count(*) from reading'); // such as a backup
    const upkeep = runUpkeep(pool, warn);
    await new Promise((later) => setTimeout(later, 500));
    const began = performance.now();
    await upload(pool, secondsIn(THIS_WEEK, 2).slice(1));
    expect(performance.now() - began).toBeLessThan(1_500);
    await upkeep;
    expect(warnings).toEqual([expect.stringMatching(/partitions of next week.*lock timeout/)]);
  } finally {
    await reader.query('rollback');
    reader.release();
  }
  await runUpkeep(pool, warn);
  expect(warnings).toHaveLength(1);
  expect(
    (await pool.query(`select to_regclass('${await nameOf(THIS_WEEK + WEEK_MS)}') as made`)).rows[0].made,
  ).not.toBeNull();
});
