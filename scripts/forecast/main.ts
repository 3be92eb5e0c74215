import { demoMachines } from '#shared/demo/fleet.ts';
import type { Accuracy, ChargeForecasts } from '#shared/domain/forecast-record.ts';
import { DAYS, demoReadings, noisyReadings, shiftReadings } from './machines.ts';
import { replay } from './replay.ts';
import { added, foretoldShifts, NO_SHIFTS, type ShiftsForetold } from './shifts.ts';
import { summaryOf } from './summary.ts';

/**
 * `npm run forecast`: how the forecasts of when a machine is full hold, over 30 days of the demo's machines and over 90 days of
 * machines of which nothing is as regular (src/simulator/noisy-charging.ts); and of how many shifts the rule 'Haalt het einde van de
 * dienst niet' said at their begin that the machine would not last. Takes some minutes.
 */
function tell(name: string, told: readonly ChargeForecasts[]): void {
  const { charges, start, hourBefore, width } = summaryOf(told);
  const line = [
    `${name}: ${charges} charges to full`,
    `held as told at the start: ${share(start)}`,
    `an hour before the end: ${share(hourBefore)}, ${width} min wide (median)`,
  ].join('; ');
  process.stdout.write(`${line}\n`);
}
const share = ({ held, of }: Accuracy): string => (of === 0 ? 'none' : `${((100 * held) / of).toFixed(1)} %`);

const demo: ChargeForecasts[] = [];
for (const machine of demoMachines) demo.push(...(await replay(demoReadings(machine))));
tell('The demo', demo);
const noisy: ChargeForecasts[] = [];
for (const readings of noisyReadings()) noisy.push(...(await replay(readings)));
tell('Machines with noise and a taper', noisy);

function tellShifts(name: string, { shifts, told, low, both }: ShiftsForetold): void {
  const rates = `${share({ held: both, of: told })} of those that were told fell below, ${share({ held: both, of: low })} of those that fell below were told`;
  process.stdout.write(`${name}: ${shifts} shifts, ${told} told, ${low} fell below the limit; ${rates}\n`);
}
let demoShifts = NO_SHIFTS;
for (const machine of demoMachines)
  demoShifts = added(demoShifts, foretoldShifts(demoReadings(machine, 2 * DAYS), DAYS));
tellShifts('The demo', demoShifts);
let siteShifts = NO_SHIFTS;
for (const readings of shiftReadings()) siteShifts = added(siteShifts, foretoldShifts(readings, DAYS));
tellShifts('300 machines of building sites', siteShifts);
tellShifts('Together', added(demoShifts, siteShifts));
