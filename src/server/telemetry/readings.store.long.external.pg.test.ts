import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { acceptDelivery, type ClockState } from '#shared/domain/test/oracle/accept.ts';
import { computeBuckets } from '#shared/domain/test/oracle/buckets.ts';
import {
  ORACLE_SEED_NUMBERS,
  type RandomMachine,
  randomMachine,
} from '#shared/domain/test/oracle/random-machine.ts';
import { openPartitions } from './partitions.ts';
import { readBuckets } from './read-buckets.ts';
import { readReadingsInRanges } from './readings/read-readings.ts';
import type { StreamReading } from './readings/signal-columns.ts';
import { storeReadings } from './readings.store.ts';
import { recomputeNextStream } from './recompute.ts';
import { storedRows } from './test/stored-rows.ts';

let database: TestDatabase;
const START = Date.UTC(2026, 2, 29, 0, 30); // the night of the summer-time change in Amsterdam

beforeAll(async () => {
  database = await testDatabase();
  await openPartitions(database.pool, () => START).ensure([START, START + 7 * 86400_000], undefined);
});
afterAll(() => database.drop());

let nextStream = 0;
async function newStream(): Promise<number> {
  nextStream += 1;
  await database.pool.query('insert into latest (stream_id) values ($1)', [nextStream]);
  return nextStream;
}

/** Returns the stored roll-up of a stream in the form in which the oracle computes it. */
async function rollupOf(streamId: number): Promise<unknown[]> {
  const buckets = await readBuckets(database.pool, streamId, [{ from: 0, to: Date.UTC(2100, 0, 1) }]);
  const { rows } = await database.pool.query<Record<'start' | 'least' | 'most' | 'low' | 'high', number>>(
    `select (date_part('epoch', bucket) * 1000)::float8 as start, charging_current_min as least, charging_current_max as most,
       charging_flag_min as low, charging_flag_max as high from rollup where stream_id = $1`,
    [streamId],
  );
  const borders = (min: number, max: number) => (min > max ? undefined : { min, max });
  const charging = new Map(
    rows.map(({ start, least, most, low, high }) => [
      start,
      { chargingCurrent: borders(least, most), chargingFlag: borders(low, high) },
    ]),
  );
  return [...buckets].map(([start, { speedMin, speedMax, packs, ...bucket }]) => ({
    start,
    ...bucket,
    ...charging.get(start),
    speed: speedMin === undefined ? undefined : { min: speedMin, max: speedMax },
    packs: Array.from({ length: 8 }, (_, pack) => packs[pack]),
  }));
}

async function totalsOf(streamId: number): Promise<{ count: number; runningMs: number }> {
  const { rows } = await database.pool.query(
    'select total_count::float8 as count, total_running_ms::float8 as "runningMs" from latest where stream_id = $1',
    [streamId],
  );
  return rows[0];
}

/** Returns the readings of a machine, in batches in order of arrival. */
function arrivalsOf(machine: RandomMachine, streamId: number): StreamReading[][] {
  const clocks: ClockState = new Map();
  return machine.batches.map((batch) =>
    batch.flatMap((delivery) => {
      const result = acceptDelivery(delivery, clocks);
      return 'refusal' in result ? [] : [{ streamId, ...result.reading, receivedAt: result.received }];
    }),
  );
}

async function expectAsTheOracle({ stored }: Pick<RandomMachine, 'stored'>, streamId: number): Promise<void> {
  const [readings] = await readReadingsInRanges(database.pool, [{ streamId, from: -Infinity, to: Infinity }]);
  expect(readings).toEqual(stored);
  const expected = [...computeBuckets(stored)].sort(([a], [b]) => a - b);
  expect(await rollupOf(streamId)).toEqual(expected.map(([start, bucket]) => ({ start, ...bucket })));
  expect(await totalsOf(streamId)).toEqual({
    count: stored.length,
    runningMs: expected.reduce((sum, [, { runningMs }]) => sum + runningMs, 0),
  });
}

const weeksOf = (machine: RandomMachine) =>
  openPartitions(database.pool, () => START).ensure(
    machine.stored.map(({ time }) => time),
    undefined,
  );

// Uses five seeds, however many the other tests use, because here each batch is a separate transaction.
test.each(ORACLE_SEED_NUMBERS.slice(0, 5))(
  'readings, roll-up and totals of machine %i equal the oracle’s for any order of arrival (INGEST-03, 12.A3)',
  async (seed) => {
    const machine = randomMachine(seed, { size: 150 });
    const streamId = await newStream();
    await weeksOf(machine);
    for (const batch of arrivalsOf(machine, streamId)) await storeReadings(database.pool, batch);
    await expectAsTheOracle(machine, streamId);
  },
);

test.each([21, 22])(
  'the roll-up of machine %i is recomputed after an update, while its uploads continue (INGEST-02, 12.A3)',
  async (seed) => {
    const machine = randomMachine(seed, { size: 150 });
    const streamId = await newStream();
    await weeksOf(machine);
    const batches = arrivalsOf(machine, streamId);
    const half = batches.length >> 1;
    for (const batch of batches.slice(0, half)) await storeReadings(database.pool, batch);
    // Changes the roll-up to what an earlier version with other rules could have stored.
    await inEachShard(
      database.pool,
      `update telemetry.rollup set running_ms = running_ms + 7, heard_ms = 0, packs = null where stream_id = $1`,
      [streamId],
    );
    await inEachShard(
      database.pool,
      `update telemetry.latest set track = '{}', recompute_from = '-infinity',
       total_running_ms = total_running_ms + 7 * (select count(*) from telemetry.rollup where stream_id = $1)
     where stream_id = $1`,
      [streamId],
    );
    for (const batch of batches.slice(half)) {
      await storeReadings(database.pool, batch);
      await recomputeNextStream(database.pool);
    }
    while (await recomputeNextStream(database.pool));
    await expectAsTheOracle(machine, streamId);
  },
);

const inTime = (readings: readonly StreamReading[]) =>
  readings.map(({ time, signals }) => ({ time, signals })).sort((a, b) => a.time - b.time);

const reading = (streamId: number, seconds: number, values: Signals): StreamReading => ({
  streamId,
  time: START + seconds * 1000,
  signals: values,
});

/** Readings of a machine on a trailer: positions 90 m apart each 10 s, from 25 minutes before START; MotorSpeed 900 from START on. */
const carriedUntilStart = (streamId: number): StreamReading[] =>
  Array.from({ length: 181 }, (_, n) => {
    const seconds = 10 * (n - 150);
    const place = { LATITUDE: 52 + n * 0.0008, LONGITUDE: 5 };
    return reading(streamId, seconds, seconds < 0 ? place : { ...place, MotorSpeed: 900 });
  });

/** MotorSpeed 0 each 10 s, 5 s after the positions, from `from` s until START. */
const motorOff = (streamId: number, from: number): StreamReading[] =>
  Array.from({ length: -from / 10 }, (_, n) => reading(streamId, from + 5 + 10 * n, { MotorSpeed: 0 }));

test('figures are recomputed at once when a file with an earlier first MotorSpeed continues until the former first MotorSpeed (INGEST-03)', async () => {
  const streamId = await newStream();
  const [snapshots, file] = [carriedUntilStart(streamId), motorOff(streamId, -1500)];
  await storeReadings(database.pool, snapshots);
  const driven = await rollupOf(streamId);
  await storeReadings(database.pool, file);
  expect(await rollupOf(streamId)).not.toEqual(driven);
  await expectAsTheOracle({ stored: inTime([...snapshots, ...file]) }, streamId);
  expect(await recomputeNextStream(database.pool)).toBe(false);
});

test('figures are recomputed in the background when a file with an earlier first MotorSpeed ends before the former first MotorSpeed (INGEST-03)', async () => {
  const streamId = await newStream();
  const [snapshots, file] = [carriedUntilStart(streamId), motorOff(streamId, -1500).slice(0, 1)];
  await storeReadings(database.pool, snapshots);
  await storeReadings(database.pool, file);
  expect(await recomputeNextStream(database.pool)).toBe(true);
  while (await recomputeNextStream(database.pool));
  await expectAsTheOracle({ stored: inTime([...snapshots, ...file]) }, streamId);
});

async function latestOf(
  streamId: number,
): Promise<{ time: number; signals: Record<string, [number, number]> }> {
  const { rows } = await database.pool.query(
    'select extract(epoch from time)::float8 * 1000 as time, signals from latest where stream_id = $1',
    [streamId],
  );
  return rows[0];
}

test('a replay of stored readings stores nothing and changes no figure (INGEST-03)', async () => {
  const streamId = await newStream();
  const batch = [
    reading(streamId, 0, { Soc1: 80, Oil: 3 }),
    reading(streamId, 10, { Soc1: 79, MotorSpeed: 900 }),
  ];
  expect(await storeReadings(database.pool, batch)).toEqual({ inserted: 2, merged: 0 });
  const before = [await rollupOf(streamId), await totalsOf(streamId), await latestOf(streamId)];
  expect(await storeReadings(database.pool, batch)).toEqual({ inserted: 0, merged: 0 });
  expect([await rollupOf(streamId), await totalsOf(streamId), await latestOf(streamId)]).toEqual(before);
});

test('two deliveries of one instant are merged: new signals are added, existing ones stay (INGEST-03)', async () => {
  const streamId = await newStream();
  await storeReadings(database.pool, [
    reading(streamId, 0, { Soc1: 80, Oil: 3 }),
    reading(streamId, 60, { MotorSpeed: 0 }),
  ]);
  const second = [reading(streamId, 0, { Soc1: 10, Oil: 4, MotorSpeed: 900, Water: 5 })];
  expect(await storeReadings(database.pool, second)).toEqual({ inserted: 0, merged: 1 });
  const [first] = await storedRows(database.pool, streamId, ['soc1', 'motor_speed', 'rest']);
  expect(first).toEqual({ soc1: 80, motor_speed: 900, rest: { Oil: 3, Water: 5 } });
  expect((await totalsOf(streamId)).runningMs).toBe(60_000);
  expect((await latestOf(streamId)).signals).toMatchObject({ Soc1: [80, START], Water: [5, START] });
});

test('a late value of a signal does not replace a newer value in the table latest (INGEST-03)', async () => {
  const streamId = await newStream();
  await storeReadings(database.pool, [reading(streamId, 10, { Soc1: 70 })]);
  await storeReadings(database.pool, [reading(streamId, 5, { Soc1: 99, MotorSpeed: 500 })]);
  // Late and new readings in one batch: the old value must not win because the batch is new.
  await storeReadings(database.pool, [
    reading(streamId, 7, { Soc1: 98 }),
    reading(streamId, 20, { Speed: 3 }),
  ]);
  expect(await latestOf(streamId)).toEqual({
    time: START + 20_000,
    signals: { Soc1: [70, START + 10_000], MotorSpeed: [500, START + 5_000], Speed: [3, START + 20_000] },
  });
});

test('a reading of 400 signals is stored completely (INGEST-03)', async () => {
  const streamId = await newStream();
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`Sig"${n}\\é`, n / 3]));
  await storeReadings(database.pool, [reading(streamId, 0, many)]);
  expect(await storedRows(database.pool, streamId, ['rest'])).toEqual([{ rest: many }]);
});

test('the signal name decides the column of a flag or charge level, and the column has only the value that figures use (LIVE-03, 12.A4)', async () => {
  const streamId = await newStream();
  await storeReadings(database.pool, [
    reading(streamId, 0, { IsCharging1: 0, IsCharging2: 1, Soc2: 60 }),
    reading(streamId, 1, { IsCharging: 1, SocDisp: 36 }),
    reading(streamId, 2, { Soc1: 80, SocDisp: 36, Soc9: 5 }),
    reading(streamId, 3, { SocDisp: 35 }),
  ]);
  expect(await storedRows(database.pool, streamId, ['is_charging', 'soc1', 'soc2', 'rest'])).toEqual([
    { is_charging: null, soc1: null, soc2: 60, rest: { IsCharging1: 0, IsCharging2: 1 } },
    { is_charging: 1, soc1: 36, soc2: null, rest: { SocDisp: 36 } },
    { is_charging: null, soc1: 80, soc2: null, rest: { Soc1: 80, SocDisp: 36, Soc9: 5 } },
    { is_charging: null, soc1: null, soc2: null, rest: { SocDisp: 35 } },
  ]);
});
