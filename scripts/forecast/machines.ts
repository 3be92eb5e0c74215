import type { DemoMachine } from '#shared/demo/fleet.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { noisyCharging } from '#simulator/noisy-charging.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** As the demo's history has it. */
const STEP_MS = 60_000;
/** The command tells the same whenever it is run. */
const UNTIL = Date.parse('2026-03-20T00:00:00Z');

/** 30 days of a machine of the demo. */
export function demoReadings(machine: DemoMachine): Reading[] {
  const signalsAt = demoLoggers().get(machine.loggerSerial)?.signalsAt ?? (() => ({}));
  return Array.from({ length: (DAYS * DAY_MS) / STEP_MS }, (_, n) => {
    const time = UNTIL - DAYS * DAY_MS + n * STEP_MS;
    return { time, signals: signalsAt(time) };
  });
}

const NOISY = ['een', 'twee', 'drie', 'vier', 'vijf', 'zes'];

/** Machines of which nothing is as regular. */
export const noisyReadings = (): Reading[][] => NOISY.map((name) => noisyCharging(name, 90));
