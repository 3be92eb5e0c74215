import type { DemoMachine } from '#shared/demo/fleet.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { noisyChargingReadings } from '#simulator/noisy-charging.ts';
import { noisyShiftReadings } from '#simulator/noisy-shifts.ts';

const DAY_MS = 86_400_000;
export const SIMULATED_DAYS = 30;
/** Interval of the readings in the demo's history. */
const STEP_MS = 60_000;
/** Fixed end of the readings, so that the command prints the same at any time. */
const UNTIL = Date.parse('2026-03-20T00:00:00Z');

/** Returns the readings of the last days of a machine of the demo. */
export function demoReadings(machine: DemoMachine, days = SIMULATED_DAYS): Reading[] {
  const signalsAt = demoLoggers().get(machine.loggerSerial)?.signalsAt ?? (() => ({}));
  return Array.from({ length: (days * DAY_MS) / STEP_MS }, (_, n) => {
    const time = UNTIL - days * DAY_MS + n * STEP_MS;
    return { time, signals: signalsAt(time) };
  });
}

const NOISY = ['een', 'twee', 'drie', 'vier', 'vijf', 'zes'];

/** Returns readings of machines with irregular charging. */
export const noisyReadings = (): Reading[][] => NOISY.map((name) => noisyChargingReadings(name, 90));

const SITE_MACHINES = 300;
/** Yields, per machine, 60 days of readings with a varying routine. */
export function* shiftReadings(): Generator<Reading[]> {
  for (let n = 1; n <= SITE_MACHINES; n += 1)
    yield noisyShiftReadings(`machine ${n}`, 2 * SIMULATED_DAYS, UNTIL);
}
