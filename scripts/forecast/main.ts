import { demoMachines } from '#shared/demo/fleet.ts';
import type { ChargeForecasts, ForecastAccuracy } from '#shared/domain/forecast-record.ts';
import { demoReadings, noisyReadings, SIMULATED_DAYS, shiftReadings } from './machines.ts';
import { replayForecasts } from './replay.ts';
import {
  addShiftForecastCounts,
  evaluateShifts,
  NO_SHIFT_FORECASTS,
  type ShiftForecastCounts,
} from './shifts.ts';
import { summarizeForecasts } from './summary.ts';

/**
 * Runs `npm run forecast`, which prints the accuracy of the forecasts of full charge, over 30 days of the demo's machines and 90
 * days of machines with irregular charging (src/simulator/noisy-charging.ts), and of the rule 'Haalt het einde van de dienst niet'
 * at the start of shifts. Takes some minutes.
 */
function printForecasts(name: string, forecasts: readonly ChargeForecasts[]): void {
  const { charges, start, hourBefore, width } = summarizeForecasts(forecasts);
  const line = [
    `${name}: ${charges} charges to full`,
    `right at the start: ${share(start)}`,
    `an hour before the end: ${share(hourBefore)}, ${width} min wide (median)`,
  ].join('; ');
  process.stdout.write(`${line}\n`);
}
const share = ({ held, of }: ForecastAccuracy): string =>
  of === 0 ? 'none' : `${((100 * held) / of).toFixed(1)} %`;

const demo: ChargeForecasts[] = [];
for (const machine of demoMachines) demo.push(...(await replayForecasts(demoReadings(machine))));
printForecasts('The demo', demo);
const noisy: ChargeForecasts[] = [];
for (const readings of noisyReadings()) noisy.push(...(await replayForecasts(readings)));
printForecasts('Machines with noise and a taper', noisy);

function printShifts(name: string, { shifts, forecast, low, both }: ShiftForecastCounts): void {
  const rates = `${share({ held: both, of: forecast })} of these did, ${share({ held: both, of: low })} of those that fell below were forecast`;
  process.stdout.write(
    `${name}: ${shifts} shifts, ${forecast} forecast to run short, ${low} fell below the limit; ${rates}\n`,
  );
}
let demoShifts = NO_SHIFT_FORECASTS;
for (const machine of demoMachines)
  demoShifts = addShiftForecastCounts(
    demoShifts,
    evaluateShifts(demoReadings(machine, 2 * SIMULATED_DAYS), SIMULATED_DAYS),
  );
printShifts('The demo', demoShifts);
let siteShifts = NO_SHIFT_FORECASTS;
for (const readings of shiftReadings())
  siteShifts = addShiftForecastCounts(siteShifts, evaluateShifts(readings, SIMULATED_DAYS));
printShifts('300 machines of building sites', siteShifts);
printShifts('Together', addShiftForecastCounts(demoShifts, siteShifts));
