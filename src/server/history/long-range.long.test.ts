import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { recomputeNextStream } from '#server/telemetry/recompute.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { dayChart } from './day-chart.ts';
import { operatingHours } from './operating-hours.ts';
import { storeTestReadings } from './test/readings.ts';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 4, 4);
const OWN = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('insert into latest (stream_id) values (1), (2)');
});
afterAll(() => database.drop());

const lengthOf = (bands: readonly { from: number; to: number }[]): number =>
  bands.reduce((sum, { from, to }) => sum + to - from, 0);

test('a day that toggles every 10 s has 12 running hours, and bands of the same length (MDET-12, 12.A1)', async () => {
  const toggling = Array.from({ length: 8_641 }, (_, n) => ({
    time: FROM + n * 10_000,
    signals: { MotorSpeed: n % 2 === 0 ? 900 : 0 },
  }));
  await storeTestReadings(database.pool, 1, toggling);
  const { seconds, bands } = await dayChart(
    database.pool,
    { streamId: 1, own: OWN },
    { from: FROM, to: FROM + DAY },
    600,
  );
  expect(seconds).toEqual({ running: 43_200, charging: 0, off: 43_200, unknown: 0 });
  expect(lengthOf(bands)).toBeCloseTo(43_200, 6);
});

test('a recomputed week of readings every 3 s has 16:48 running hours, and its single low charge level as the lowest value (MDET-12, 12.A1, INGEST-02)', async () => {
  const to = FROM + 7 * DAY;
  await openPartitions(database.pool, () => to).ensure([FROM, to - 1], undefined);
  // Stores readings without their roll-up, which the recomputation below adds.
  await database.pool.query(
    `insert into reading (stream_id, time, motor_speed, soc1)
     select 2, $1::timestamptz + n * interval '3 s', case when n % 100 < 10 then 900 else 0 end, case when n = 70001 then 15 else 80 end
     from generate_series(0, 201599) as n`,
    [new Date(FROM)],
  );
  await inEachShard(
    database.pool,
    `update telemetry.latest set time = $1, heard_at = $1, total_count = 201600, recompute_from = '-infinity' where stream_id = 2`,
    [new Date(to - 3_000)],
  );
  while (await recomputeNextStream(database.pool));
  const history = { streamId: 2, own: OWN };
  const { seconds, bands, packs } = await dayChart(database.pool, history, { from: FROM, to }, 600);
  expect(seconds.running).toBe((16 * 60 + 48) * 60);
  expect(lengthOf(bands)).toBeCloseTo(seconds.running, 6);
  expect(packs).toMatchObject([{ name: 'Soc1', first: 80, last: 80 }]);
  expect(Math.min(...(packs[0]?.min ?? []).map((value) => value ?? 100))).toBe(15);
  expect((await operatingHours(database.pool, history, to)).hours).toBe(16.8);
}, 120_000);
