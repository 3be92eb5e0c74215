import { expect, test, vi } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import { isChargingFlag, type Signals } from '#shared/domain/signal.ts';
import { amsterdamDay, amsterdamInstant } from './amsterdam-time.ts';
import { demoLoggers } from './demo-loggers.ts';
import { deploymentOf } from './work-schedules.ts';

vi.setConfig({ testTimeout: 30_000 }); // two busy cores

const MINUTE = 60_000;
const loggers = demoLoggers();
const fleet = demoMachines.map((machine) => ({ machine, at: loggers.get(machine.loggerSerial)!.signalsAt }));

/** Returns the status by the rules of LIVE-05. */
function status(signals: Signals): 'charging' | 'running' | 'off' {
  const plugged = Object.entries(signals).some(([name, value]) => isChargingFlag(name) && value >= 1);
  if (plugged && signals.ChargingCurrent! > 1) return 'charging';
  return signals.MotorSpeed! > 150 ? 'running' : 'off';
}

function mixAt(timeMs: number) {
  const mix = { charging: 0, running: 0, off: 0 };
  for (const { at } of fleet) mix[status(at(timeMs))]++;
  return mix;
}

test('at every time of two weeks some machines of the demo run, some charge and some are off', () => {
  let moments = 0;
  let lively = 0;
  const monday = amsterdamInstant(amsterdamDay(Date.parse('2025-11-17T12:00:00Z')), 0);
  for (let t = monday; t < monday + 14 * 1440 * MINUTE; t += 10 * MINUTE) {
    const { charging, running, off } = mixAt(t);
    if (charging < 1 || running < 1 || off < 1)
      expect.fail(`${charging}/${running}/${off} at ${new Date(t)}`);
    moments++;
    if (charging >= 2 && running >= 2 && off >= 2) lively++;
  }
  expect(lively / moments).toBeGreaterThan(0.95);
});

test.each([
  ['Tuesday morning: most work', '2025-11-18T09:00:00Z', 'running', 12],
  ['Tuesday noon: many charge', '2025-11-18T11:25:00Z', 'charging', 10],
  ['Tuesday evening: most charge', '2025-11-18T18:30:00Z', 'charging', 12],
  ['Tuesday night: many are off', '2025-11-19T03:00:00Z', 'off', 10],
  ['Sunday night: nearly all are off', '2025-11-23T02:00:00Z', 'off', 15],
] as const)('the demo fleet has the status of its hour: %s', (_, when, name, atLeast) => {
  expect(mixAt(Date.parse(when))[name]).toBeGreaterThanOrEqual(atLeast);
});

test('every machine’s battery is full before the crew’s next day begins, all year, also when summer time starts and ends', () => {
  const first = amsterdamDay(Date.parse('2025-01-01T12:00:00Z'));
  for (const { machine, at } of fleet) {
    const { rhythm } = deploymentOf(machine.serialNumber);
    if (rhythm === 'continuous') continue;
    const hour = { day: 5, evening: 12, night: 18 }[rhythm];
    for (let day = first; day < first + 365; day++) {
      const soc = at(amsterdamInstant(day, hour * 60) - 1)[machine.model.socSignals[0]!];
      if (soc !== 100) expect.fail(`${machine.alias} is at ${soc} % on day ${day - first}`);
    }
  }
});

test('a continuous crew starts each six-hour cycle with a full battery', () => {
  const start = Date.parse('2025-03-01T00:00:00Z');
  const cycleMs = 6 * 60 * MINUTE;
  for (const { machine, at } of fleet) {
    const { rhythm, cycleOffset } = deploymentOf(machine.serialNumber);
    if (rhythm !== 'continuous') continue;
    const first = (Math.floor(start / cycleMs) + cycleOffset) * cycleMs;
    for (let i = 1; i <= 120 * 4; i++) {
      const soc = at(Math.round(first + i * cycleMs) - 2)[machine.model.socSignals[0]!];
      if (soc !== 100) expect.fail(`${machine.alias} is at ${soc} % in cycle ${i}`);
    }
  }
});
