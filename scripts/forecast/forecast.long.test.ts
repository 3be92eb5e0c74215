import { expect, test } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import type { Told } from '#shared/domain/forecast-record.ts';
import { demoReadings, noisyReadings } from './machines.ts';
import { replay } from './replay.ts';
import { summaryOf } from './summary.ts';

/** Minutes; of two busy cores. */
const LONG = { timeout: 15 * 60_000 };

test.each([
  ['30 days of the demo', () => demoMachines.map(demoReadings), 900],
  ['machines with noise and a taper', noisyReadings, 400],
])(
  '14.2n an hour before the end four of five ranges hold at least, with a median below 30 min: %s',
  LONG,
  async (_, machines, charges) => {
    const told: Told[] = [];
    for (const readings of machines()) told.push(...(await replay(readings)));
    const { start, hourBefore, width } = summaryOf(told);
    expect(told.length).toBeGreaterThan(charges);
    expect(hourBefore.of).toBeGreaterThan(0.9 * told.length);
    expect(hourBefore.held / hourBefore.of).toBeGreaterThanOrEqual(0.8);
    expect(start.held / start.of).toBeGreaterThanOrEqual(0.8);
    expect(width).toBeLessThan(30);
  },
);
