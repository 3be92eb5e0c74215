import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { MAX_LATEST_SIGNALS } from './newest-signals.ts';
import { openPartitions } from './partitions.ts';
import { storeReadings } from './readings.store.ts';
import { storedRows } from './test/stored-rows.ts';

/** Tests of the newest value of each signal per stream (table latest). */
let database: TestDatabase;
const START = Date.UTC(2026, 2, 25);

beforeAll(async () => {
  database = await testDatabase();
  await openPartitions(database.pool, () => START).ensure([START], undefined);
});
afterAll(() => database.drop());

let nextStream = 0;
async function newStream(): Promise<number> {
  nextStream += 1;
  await database.pool.query('insert into latest (stream_id) values ($1)', [nextStream]);
  return nextStream;
}

async function store(streamId: number, ...readings: readonly Reading[]): Promise<void> {
  await storeReadings(
    database.pool,
    readings.map((reading) => ({ streamId, ...reading })),
  );
}

type Row = { signals: Record<string, [number, number]>; namesLeftOut: string; updatedAt: Date };
async function rowOf(streamId: number): Promise<Row> {
  const { rows } = await database.pool.query<Row>('select * from latest where stream_id = $1', [streamId]);
  return rows[0] as Row;
}

/** Returns reading `n` of a logger that sends 400 new signal names each time, in addition to its usual ones. */
const everNew = (n: number): Reading => ({
  time: START + n * 1000,
  signals: {
    ...(n === 0 && { LATITUDE: 52.1, LONGITUDE: 5.3 }),
    Soc1: n,
    Oil: n,
    ...Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`New ${n} ${i}`, i])),
  },
});

test("the table latest keeps the portal's signals and a limited number of the newest other signals, while readings keep all signals (INGEST-03)", async () => {
  const streamId = await newStream();
  for (let n = 0; n < 12; n++) await store(streamId, everNew(n));
  const { signals, namesLeftOut } = await rowOf(streamId);
  expect(Object.keys(signals)).toHaveLength(MAX_LATEST_SIGNALS);
  expect(signals).toMatchObject({
    LATITUDE: [52.1, START],
    Soc1: [11, START + 11_000],
    Oil: [11, START + 11_000],
  });
  expect(Object.keys(signals).filter((name) => name.startsWith('New 11 '))).toHaveLength(400);
  expect(Object.keys(signals).some((name) => name.startsWith('New 6 '))).toBe(false);
  expect(Number(namesLeftOut)).toBe(12 * 400 + 4 - MAX_LATEST_SIGNALS);
  const rows = await storedRows(database.pool, streamId, ['rest']);
  expect(rows.flatMap(({ rest }) => Object.keys(rest ?? {}))).toHaveLength(12 * 401);
});

test('the signals in the table latest depend on the readings, not on their order or batches (INGEST-03)', async () => {
  const [inOrder, backwards, atOnce] = [await newStream(), await newStream(), await newStream()];
  const readings = Array.from({ length: 8 }, (_, n) => everNew(n));
  for (const reading of readings) await store(inOrder, reading);
  for (const reading of readings.toReversed()) await store(backwards, reading);
  await store(atOnce, ...readings);
  const { signals } = await rowOf(inOrder);
  expect(Object.keys(signals)).toHaveLength(MAX_LATEST_SIGNALS);
  expect((await rowOf(backwards)).signals).toEqual(signals);
  expect((await rowOf(atOnce)).signals).toEqual(signals);
});

test('storing the same readings again does not change a row of the table latest, even at its maximum number of names (INGEST-03)', async () => {
  const streamId = await newStream();
  for (let n = 0; n < 6; n++) await store(streamId, everNew(n));
  const before = await rowOf(streamId);
  for (let n = 0; n < 6; n++) await store(streamId, everNew(n));
  await store(streamId, everNew(5), everNew(2));
  expect(await rowOf(streamId)).toEqual(before);
});

/** Readings whose values depend only on name and time, so that two readings of one instant never contradict each other. */
const names = fc.uniqueArray(fc.constantFrom('Soc1', 'Oil', 'Ölstand', '油', '🚜', 'a"b\\c', 'Speed'));
const deliveries: fc.Arbitrary<Reading[]> = fc.array(
  fc.record({ time: fc.integer({ min: 0, max: 20 }).map((n) => START + n * 1000), names }).map((d) => ({
    time: d.time,
    signals: Object.fromEntries(d.names.map((name) => [name, (d.time - START) / 1000 + name.length])),
  })),
  { minLength: 1, maxLength: 20 },
);

test('the table latest contains the newest value of each name for any names, order and batches (INGEST-03)', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, fc.integer({ min: 1, max: 5 }), async (list, size) => {
      const streamId = await newStream();
      for (let from = 0; from < list.length; from += size) {
        await store(streamId, ...list.slice(from, from + size));
      }
      const expected: Record<string, [number, number]> = {};
      for (const { time, signals } of [...list].sort((a, b) => a.time - b.time)) {
        for (const [name, value] of Object.entries(signals)) expected[name] = [value, time];
      }
      expect((await rowOf(streamId)).signals).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('signals that are added to the newest reading apply to the interval until the next reading (INGEST-03)', async () => {
  const streamId = await newStream();
  await store(streamId, { time: START, signals: { Soc1: 50 } });
  await store(streamId, {
    time: START,
    signals: { MotorSpeed: 900, BatteryCurrent: 10, BatteryVoltage: 600 },
  });
  await store(streamId, { time: START + 60_000, signals: { MotorSpeed: 0, BatteryCurrent: 0 } });
  const { rows } = await database.pool.query(
    `select total_running_ms::integer as ms, (select sum(out_mj)::integer from rollup where stream_id = $1) as mj
     from latest where stream_id = $1`,
    [streamId],
  );
  expect(rows[0]).toEqual({ ms: 60_000, mj: 360_000_000 });
});
