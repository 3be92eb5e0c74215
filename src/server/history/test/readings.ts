import fc from 'fast-check';
import type { Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { closeAllWeeks } from '#server/test/closed.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';

/**
 * Stores readings in batches of `size`; a batch of a thousand or more would be stored as a file. With TEST_CLOSED all readings are in files
 * afterwards.
 */
export async function storeTestReadings(
  pool: Pool,
  streamId: number,
  readings: readonly Reading[],
  size = 900,
): Promise<void> {
  await openPartitions(pool, Date.now).ensure(
    readings.map(({ time }) => time),
    undefined,
  );
  for (let from = 0; from < readings.length; from += size) {
    const batch = readings.slice(from, from + size).map((reading) => ({ streamId, ...reading }));
    await storeReadings(pool, batch);
  }
  await closeAllWeeks(pool);
}

const signals = fc.record(
  {
    MotorSpeed: fc.constantFrom(0, 150, 151, 900),
    ChargingCurrent: fc.constantFrom(0, 1, 1.5, 80),
    ChargingVoltage: fc.constantFrom(650.5, 700),
    BatteryCurrent: fc.double({ min: -200, max: 200, noNaN: true }),
    BatteryVoltage: fc.double({ min: 500, max: 800, noNaN: true }),
    IsCharging1: fc.constantFrom(0, 0.5, 1),
    IsCharging2: fc.constantFrom(0, 1),
    Soc1: fc.double({ min: 0, max: 100, noNaN: true }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Signals>;

/** Generates sorted readings from `start` on, with gaps just below, at and above 5 minutes, and much longer ones. */
export const arbitraryReadings = (start: number, longMs = 4_000_000): fc.Arbitrary<Reading[]> =>
  fc
    .array(fc.tuple(fc.constantFrom(1, 999, 10_000, 60_000, 240_000, 300_000, 300_001, longMs), signals), {
      minLength: 1,
      maxLength: 30,
    })
    .map((steps) => {
      let time = start;
      return steps.map(([step, values]) => {
        time += step;
        return { time, signals: values };
      });
    });
