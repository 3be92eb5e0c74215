import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { countOpenWeeks } from '#server/telemetry/readings/close-weeks.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { countStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import { closeWeeksRepeatedly } from './closed.ts';
import { type TestDatabase, testDatabase } from './database.ts';

let database: TestDatabase;
let stop: () => Promise<void>;
beforeAll(async () => {
  database = await testDatabase({ asRows: true });
  await database.pool.query('insert into latest (stream_id) values (1)');
  stop = closeWeeksRepeatedly(database.connection);
});
afterAll(async () => {
  await stop();
  await database.drop();
});

test('while weeks are closed repeatedly, every reading is in a Parquet file soon after it is stored, also in the current week (45.D1)', async () => {
  const { pool } = database;
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  await openPartitions(pool, Date.now).ensure([now], undefined);
  for (const time of [now - 2_000, now - 1_000, now]) {
    await storeReadings(pool, [{ streamId: 1, time, signals: { Soc1: 80 } }]);
    await expect.poll(() => countOpenWeeks(pool, Number.POSITIVE_INFINITY), { interval: 20 }).toBe(0);
  }
  expect(await countStoredReadings(pool, 1)).toBe(3);
});
