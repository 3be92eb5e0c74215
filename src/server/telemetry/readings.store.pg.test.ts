import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { type Bucket, bucketsOf } from '#shared/domain/intervals.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { sumOfBuckets } from '#shared/domain/test/bucket-sums.ts';
import { openPartitions } from './partitions.ts';
import { storeReadings } from './readings.store.ts';
import type { StreamReading } from './signal-columns.ts';

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

async function rollupOf(streamId: number): Promise<Map<number, Bucket>> {
  const { rows } = await database.pool.query(
    `select extract(epoch from bucket)::float8 * 1000 as start, count, running_ms::float8 as "runningMs", out_j::float8 as "outJ",
       in_j::float8 as "inJ", charged_j::float8 as "chargedJ", distance_mm::float8 as "distanceMm", soc_min as "socMin",
       soc_max as "socMax", soc_sum_milli::float8 as "socSumMilli", soc_count as "socCount",
       speed_min as "speedMin", speed_max as "speedMax"
     from rollup where stream_id = $1 order by bucket`,
    [streamId],
  );
  return new Map(
    rows.map(({ start, ...bucket }) => [
      start as number,
      Object.fromEntries(Object.entries(bucket).map(([name, value]) => [name, value ?? undefined])) as Bucket,
    ]),
  );
}

async function totalsOf(streamId: number): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select total_count::float8 as count, total_running_ms::float8 as "runningMs", total_out_j::float8 as "outJ",
       total_in_j::float8 as "inJ", total_charged_j::float8 as "chargedJ", total_distance_mm::float8 as "distanceMm"
     from latest where stream_id = $1`,
    [streamId],
  );
  return rows[0];
}

const near = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance;

/** Everything exact, but the distance: sine and arcsine differ in the last bit between machines (intervals.ts). */
function expectRollup(actual: Map<number, Bucket>, expected: Map<number, Bucket>): void {
  expect([...actual.keys()]).toEqual([...expected.keys()].sort((a, b) => a - b));
  for (const [start, { distanceMm, ...bucket }] of expected) {
    const { distanceMm: actualMm = 0, ...rest } = actual.get(start) as Bucket;
    expect(rest, new Date(start).toISOString()).toEqual(bucket);
    expect(near(actualMm, distanceMm, 1 + bucket.count), `${actualMm} mm, not ${distanceMm}`).toBe(true);
  }
}

const signals = fc.record(
  {
    LATITUDE: fc.constantFrom(0, 52.1, 52.1005, 52.2),
    LONGITUDE: fc.constantFrom(5.3, 5.3007, 5.4),
    MotorSpeed: fc.constantFrom(0, 150, 151, 900),
    ChargingCurrent: fc.constantFrom(0, 1, 1.5, 80),
    ChargingVoltage: fc.constantFrom(650.5, 700),
    BatteryCurrent: fc.double({ min: -200, max: 200, noNaN: true }),
    BatteryVoltage: fc.double({ min: 500, max: 800, noNaN: true }),
    IsCharging1: fc.constantFrom(0, 0.5, 1),
    IsCharging2: fc.constantFrom(0, 1),
    Soc1: fc.double({ min: 0, max: 100, noNaN: true }),
    soc2: fc.double({ min: 0, max: 100, noNaN: true }),
    Speed: fc.constantFrom(-2, 0, 4.5, 80),
    OilTemperature: fc.integer(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Signals>;

const readings: fc.Arbitrary<Reading[]> = fc
  .array(fc.tuple(fc.constantFrom(1, 999, 10_000, 60_000, 240_000, 300_000, 300_001, 900_000), signals), {
    minLength: 1,
    maxLength: 25,
  })
  .map((steps) => {
    let time = START;
    return steps.map(([step, values]) => {
      time += step;
      return { time, signals: values };
    });
  });

test('INGEST-03 the roll-up and totals agree with the plain rule, in any order, batching and with duplicates', async () => {
  await fc.assert(
    fc.asyncProperty(
      readings.chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray([...list, ...list.slice(0, 5)], {
            minLength: list.length + Math.min(5, list.length),
          }),
          fc.integer({ min: 1, max: 8 }),
        ),
      ),
      async ([list, shuffled, size]) => {
        const streamId = await newStream();
        for (let from = 0; from < shuffled.length; from += size) {
          const batch = shuffled.slice(from, from + size).map((reading) => ({ streamId, ...reading }));
          await storeReadings(database.pool, batch);
        }
        const expected = bucketsOf(list);
        expectRollup(await rollupOf(streamId), expected);
        const { count, runningMs, outJ, inJ, chargedJ, distanceMm } = sumOfBuckets(expected.values());
        const totals = (await totalsOf(streamId)) as Bucket;
        expect({ ...totals, distanceMm: 0 }).toEqual({
          count,
          runningMs,
          outJ,
          inJ,
          chargedJ,
          distanceMm: 0,
        });
        expect(near(totals.distanceMm, distanceMm, list.length + 1)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

const reading = (streamId: number, seconds: number, values: Signals): StreamReading => ({
  streamId,
  time: START + seconds * 1000,
  signals: values,
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

test('INGEST-03 a replay stores nothing and changes nothing', async () => {
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

test('INGEST-03 two deliveries for one instant merge: new signals are added, existing ones stay', async () => {
  const streamId = await newStream();
  await storeReadings(database.pool, [reading(streamId, 0, { Soc1: 80, Oil: 3 }), reading(streamId, 60, {})]);
  const second = [reading(streamId, 0, { Soc1: 10, Oil: 4, MotorSpeed: 900, Water: 5 })];
  expect(await storeReadings(database.pool, second)).toEqual({ inserted: 0, merged: 1 });
  const { rows } = await database.pool.query(
    'select soc1, motor_speed, rest from reading where stream_id = $1 order by time limit 1',
    [streamId],
  );
  expect(rows[0]).toEqual({ soc1: 80, motor_speed: 900, rest: { Oil: 3, Water: 5 } });
  expect(((await totalsOf(streamId)) as Bucket).runningMs).toBe(60_000);
  expect((await latestOf(streamId)).signals).toMatchObject({ Soc1: [80, START], MotorSpeed: [900, START] });
});

test('INGEST-03 latest only moves forward in time, per signal', async () => {
  const streamId = await newStream();
  await storeReadings(database.pool, [reading(streamId, 10, { Soc1: 70 })]);
  await storeReadings(database.pool, [reading(streamId, 5, { Soc1: 99, MotorSpeed: 500 })]);
  // Late and new in one batch: the old value must not win because the batch is new.
  await storeReadings(database.pool, [
    reading(streamId, 7, { Soc1: 98 }),
    reading(streamId, 20, { Speed: 3 }),
  ]);
  expect(await latestOf(streamId)).toEqual({
    time: START + 20_000,
    signals: { Soc1: [70, START + 10_000], MotorSpeed: [500, START + 5_000], Speed: [3, START + 20_000] },
  });
});

test('INGEST-03 a reading of 400 signals is kept whole', async () => {
  const streamId = await newStream();
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`Sig"${n}\\é`, n / 3]));
  await storeReadings(database.pool, [reading(streamId, 0, many)]);
  const { rows } = await database.pool.query('select rest from reading where stream_id = $1', [streamId]);
  expect(rows[0]?.rest).toEqual(many);
});

test('LIVE-03 several charging flags are told apart, a single one is its column', async () => {
  const streamId = await newStream();
  await storeReadings(database.pool, [
    reading(streamId, 0, { IsCharging1: 0, IsCharging2: 1 }),
    reading(streamId, 1, { IsChargingAC: 1 }),
  ]);
  const { rows } = await database.pool.query(
    'select is_charging, rest from reading where stream_id = $1 order by time',
    [streamId],
  );
  expect(rows).toEqual([
    { is_charging: 1, rest: { IsCharging1: 0, IsCharging2: 1 } },
    { is_charging: 1, rest: null },
  ]);
});

test.each([1e308, -1e308, 1e6 + 1, 5e-324, -0])(
  'INGEST-03 a value that cannot be (%d) is kept, harms no figure and no neighbour',
  async (value) => {
    const streamId = await newStream();
    const names = [
      'Soc1',
      'MotorSpeed',
      'BatteryCurrent',
      'BatteryVoltage',
      'ChargingCurrent',
      'IsCharging1',
    ];
    const absurd = Object.fromEntries(
      [...names, 'LATITUDE', 'LONGITUDE', 'Oil'].map((name) => [name, value]),
    );
    const batch = [
      reading(streamId, 0, absurd),
      reading(streamId, 10, { MotorSpeed: 900 }),
      reading(streamId, 20, {}),
    ];
    expect(await storeReadings(database.pool, batch)).toEqual({ inserted: 3, merged: 0 });
    const { runningMs } = (await totalsOf(streamId)) as Bucket;
    expect(runningMs).toBe(10_000);
    expect((await latestOf(streamId)).signals.Oil?.[0]).toBe(Object.is(value, -0) ? 0 : value);
  },
);
