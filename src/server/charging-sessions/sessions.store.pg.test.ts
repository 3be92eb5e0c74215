import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeDays } from '#server/day-figures/compute-days.ts';
import { createStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const BEGIN = Date.UTC(2026, 5, 1, 8, 1);
const SECOND = 1000;
const MINUTE = 60 * SECOND;

test('two charges that are each too short for a session become one session when the second one arrives (14.2u)', async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organization (name, clean, code) values ('een', 'Een', '1') returning id`,
  );
  const streamId = await createStream(database.pool, 'machine', {
    serial: 'M1',
    alias: 'x',
    organizationId: rows[0]?.id as number,
  });
  await openPartitions(database.pool, () => 0).ensure([BEGIN], undefined);
  const reports = async (from: number, to: number, amps: number) => {
    const times = Array.from(
      { length: (to - from) / (10 * SECOND) },
      (_, n) => BEGIN + from + n * 10 * SECOND,
    );
    await storeReadings(
      database.pool,
      times.map((time) => ({
        streamId,
        time,
        receivedAt: time,
        signals: { ChargingCurrent: amps, ChargingVoltage: 400, IsCharging1: amps > 1 ? 1 : 0 },
      })),
    );
    await computeDays(database.pool, streamId);
  };
  await reports(0, 3 * MINUTE, 5);
  await reports(3 * MINUTE, 11.5 * MINUTE, 0);
  await reports(11.5 * MINUTE, 12 * MINUTE, 0);
  await reports(12 * MINUTE, 15 * MINUTE, 5);
  await reports(15 * MINUTE, 26 * MINUTE, 0);
  const { rows: sessions } = await database.pool.query(
    `select from_time, to_time, charging_ms::integer from charging_session where stream_id = $1`,
    [streamId],
  );
  expect(sessions).toEqual([
    { fromTime: new Date(BEGIN), toTime: new Date(BEGIN + 15 * MINUTE), chargingMs: 6 * MINUTE },
  ]);
});
