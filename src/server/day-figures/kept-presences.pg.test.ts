import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStream } from '#server/streams/streams.store.ts';
import { removeOldPositions } from '#server/telemetry/old-positions.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { computeDays } from './compute-days.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HERE = { LATITUDE: 52, LONGITUDE: 5 };
const CHARGING = { ChargingCurrent: 50, ChargingVoltage: 400, IsCharging: 1 };

test('presences on a project are kept after their positions are deleted, whatever changes afterwards (14.2b)', async () => {
  const { pool } = database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into organization (name, clean, code) values ('een', 'Een', '1') returning id`,
  );
  const organizationId = rows[0]?.id as number;
  const streamId = await createStream(pool, 'machine', { serial: 'M1', alias: 'x', organizationId });
  await pool.query(
    `insert into project (organization_id, name, first_day, areas) values ($1, 'Kade', '2020-01-01', $2)`,
    [organizationId, JSON.stringify([{ centre: { lat: 52, lon: 5 }, radiusMetres: 100 }])],
  );
  const midnight = (ms: number) => amsterdamDayRange(amsterdamDay(ms))?.from as number;
  const first = midnight(Date.now() - 40 * DAY);
  // Midnight 37 days later, also across a change of daylight saving time.
  const last = midnight(first + 37 * DAY + 2 * HOUR);
  const [old, recent] = [first + 8 * HOUR, last + 8 * HOUR];
  await openPartitions(pool, () => 0).ensure([old, recent], undefined);
  const report = (from: number, signals: Signals) =>
    storeReadings(
      pool,
      Array.from({ length: 60 }, (_, n) => ({ streamId, time: from + n * 30_000, signals })),
    );
  /** Returns the beginning (ms) and the unseen time of each presence. */
  const presences = async () => {
    while (await computeDays(pool, streamId));
    const found = await pool.query<{ from: number; unseen: number }>(
      `select date_part('epoch', from_time) * 1000 as "from", unseen_ms::integer as unseen from presence order by from_time`,
    );
    return found.rows.map(({ from, unseen }) => [from, unseen]);
  };
  await report(old, { ...HERE, ...CHARGING });
  await report(recent, HERE);
  const before = await presences();
  // The machine is on the project since the first reading: one presence for each day until the newest.
  expect(before.length).toBe(38);
  expect(before.at(0)?.[0]).toBe(old);

  await pool.query(`update organization set privacy = '{"positionDays": 31}' where id = $1`, [
    organizationId,
  ]);
  await removeOldPositions(pool);
  const { rows: places } = await pool.query('select latitude, longitude from charging_session');
  expect(places).toEqual([{ latitude: null, longitude: null }]);
  const changed = `insert into changed_history (stream_id, from_time, only_presence) values ($1, $2, $3)`;
  await pool.query(changed, [streamId, new Date(old), false]);
  expect(await presences()).toEqual(before);
  const { rows: days } = await pool.query<{ charging: number }>(
    `select charging_ms::integer as charging from day_figures where project_id <> 0 and charging_ms > 0`,
  );
  expect(days).toEqual([{ charging: 59 * 30_000 }]);

  // A late reading for a day whose positions were removed does not change where the machine was on that day.
  await report(old - HOUR, { LATITUDE: 53, LONGITUDE: 6, MotorSpeed: 1500 });
  expect(await presences()).toEqual(before);

  // The area moves: on days with positions the machine is no longer on a project.
  await pool.query('update project set areas = $1', [
    JSON.stringify([{ centre: { lat: 51, lon: 4 }, radiusMetres: 100 }]),
  ]);
  await pool.query(changed, [streamId, new Date(old), true]);
  const kept = await presences();
  expect(kept).toEqual(before.slice(0, kept.length));
  expect(kept.at(-1)?.[0]).toBe(last);
});
