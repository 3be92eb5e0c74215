import { expect, test } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import type { ChargeForecasts } from '#shared/domain/forecast-record.ts';
import { DAYS, demoReadings, noisyReadings, shiftReadings } from './machines.ts';
import { replay } from './replay.ts';
import { added, foretoldShifts, NO_SHIFTS } from './shifts.ts';
import { summaryOf } from './summary.ts';

/** Minutes; of two busy cores. */
const LONG = { timeout: 15 * 60_000 };

test.each([
  ['30 days of the demo', () => demoMachines.map((machine) => demoReadings(machine)), 900],
  ['machines with noise and a taper', noisyReadings, 400],
])(
  'an hour before the end four of five ranges hold at least, with a median below 30 min: %s (14.2n)',
  LONG,
  async (_, machines, charges) => {
    const told: ChargeForecasts[] = [];
    for (const readings of machines()) told.push(...(await replay(readings)));
    const { start, hourBefore, width } = summaryOf(told);
    expect(told.length).toBeGreaterThan(charges);
    expect(hourBefore.of).toBeGreaterThan(0.9 * told.length);
    expect(hourBefore.held / hourBefore.of).toBeGreaterThanOrEqual(0.8);
    expect(start.held / start.of).toBeGreaterThanOrEqual(0.8);
    expect(width).toBeLessThan(30);
  },
);

test(
  'of the shifts told not to last 70 % fall below the limit, and 80 % of those that do were told, over the demo and 300 machines',
  LONG,
  () => {
    let all = NO_SHIFTS;
    for (const machine of demoMachines)
      all = added(all, foretoldShifts(demoReadings(machine, 2 * DAYS), DAYS));
    for (const readings of shiftReadings()) all = added(all, foretoldShifts(readings, DAYS));
    expect(all.low).toBeGreaterThan(500);
    expect(all.both / all.told).toBeGreaterThanOrEqual(0.7);
    expect(all.both / all.low).toBeGreaterThanOrEqual(0.8);
  },
);
