import type { Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { closeWeeks } from '#server/telemetry/readings/close-weeks.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';

/** Monday of a closed week; `storeFuzzReadings` stores readings from this day on. */
export const CLOSED_WEEK_MONDAY = '2026-06-08';

/** Stores readings of the closed week, and of the last 24 hours with work, charging and a moving position, all at `latitude`. */
export async function storeFuzzReadings(pool: Pool, streamId: number, latitude: number): Promise<void> {
  const from = Date.now() - 86_400_000;
  const readings = Array.from({ length: 1_000 }, (_, n) => ({
    streamId,
    time: from + n * 80_000,
    signals: {
      LATITUDE: latitude,
      LONGITUDE: 5 + n / 10_000,
      MotorSpeed: n % 50 < 30 ? 900 : 0,
      ChargingCurrent: n % 50 < 40 ? 0 : 60,
      IsCharging1: n % 50 < 40 ? 0 : 1,
      BatteryCurrent: n % 50 < 30 ? 80 : -40,
      Soc1: 90 - (n % 60),
      Speed: n % 40,
      Machinestatus: n % 4,
      Spoor: n % 3,
      Spoorstand: n % 2,
    },
  }));
  await openPartitions(pool, Date.now).ensure(
    readings.map(({ time }) => time),
    undefined,
  );
  await storeReadings(pool, readings);
  const monday = Date.parse(`${CLOSED_WEEK_MONDAY}T00:00Z`);
  await storeReadings(
    pool,
    readings.map((reading, n) => ({ ...reading, time: monday + n * 60_000 })),
  );
  for await (const _ of closeWeeks(pool, monday + 7 * 86_400_000));
}
