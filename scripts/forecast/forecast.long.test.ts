import { expect, test } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import type { ChargeForecasts } from '#shared/domain/forecast-record.ts';
import { demoReadings, noisyReadings, SIMULATED_DAYS, shiftReadings } from './machines.ts';
import { replayForecasts } from './replay.ts';
import { addShiftForecastCounts, evaluateShifts, NO_SHIFT_FORECASTS } from './shifts.ts';
import { summarizeForecasts } from './summary.ts';

// Each of these tests takes minutes on two busy cores.
const LONG = { timeout: 15 * 60_000 };

test.each([
  ['30 days of the demo', () => demoMachines.map((machine) => demoReadings(machine)), 900],
  ['machines with noise and a taper', noisyReadings, 400],
])(
  'forecasts an hour before a battery is full are right for 80 % of the charges, with a median time range below 30 min: %s (14.2n)',
  LONG,
  async (_, machines, charges) => {
    const forecasts: ChargeForecasts[] = [];
    for (const readings of machines()) forecasts.push(...(await replayForecasts(readings)));
    const { start, hourBefore, width } = summarizeForecasts(forecasts);
    expect(forecasts.length).toBeGreaterThan(charges);
    expect(hourBefore.of).toBeGreaterThan(0.9 * forecasts.length);
    expect(hourBefore.held / hourBefore.of).toBeGreaterThanOrEqual(0.8);
    expect(start.held / start.of).toBeGreaterThanOrEqual(0.8);
    expect(width).toBeLessThan(30);
  },
);

test(
  'over the demo and 300 machines 70 % of the forecast shortages are real, and 80 % of the real shortages were forecast',
  LONG,
  () => {
    let all = NO_SHIFT_FORECASTS;
    for (const machine of demoMachines)
      all = addShiftForecastCounts(
        all,
        evaluateShifts(demoReadings(machine, 2 * SIMULATED_DAYS), SIMULATED_DAYS),
      );
    for (const readings of shiftReadings())
      all = addShiftForecastCounts(all, evaluateShifts(readings, SIMULATED_DAYS));
    expect(all.low).toBeGreaterThan(500);
    expect(all.both / all.forecast).toBeGreaterThanOrEqual(0.7);
    expect(all.both / all.low).toBeGreaterThanOrEqual(0.8);
  },
);
