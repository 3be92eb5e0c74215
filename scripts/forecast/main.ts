import { demoMachines } from '#shared/demo/fleet.ts';
import type { Held, Told } from '#shared/domain/forecast-record.ts';
import { demoReadings, noisyReadings } from './machines.ts';
import { replay } from './replay.ts';
import { summaryOf } from './summary.ts';

/**
 * `npm run forecast`: how the forecasts of when a machine is full hold, over 30 days of the demo's machines and over 90 days of
 * machines of which nothing is as regular (src/simulator/noisy-charging.ts). Takes a minute or two.
 */
function tell(name: string, told: readonly Told[]): void {
  const { charges, start, hourBefore, width } = summaryOf(told);
  const line = [
    `${name}: ${charges} charges to full`,
    `held as told at the start: ${share(start)}`,
    `an hour before the end: ${share(hourBefore)}, ${width} min wide (median)`,
  ].join('; ');
  process.stdout.write(`${line}\n`);
}
const share = ({ held, of }: Held): string => (of === 0 ? 'none' : `${((100 * held) / of).toFixed(1)} %`);

const demo: Told[] = [];
for (const machine of demoMachines) demo.push(...(await replay(demoReadings(machine))));
tell('The demo', demo);
const noisy: Told[] = [];
for (const readings of noisyReadings()) noisy.push(...(await replay(readings)));
tell('Machines with noise and a taper', noisy);
