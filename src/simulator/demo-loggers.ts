import { demoLmbLoggers, demoMachines } from '#shared/demo/fleet.ts';
import { amsterdamDay, amsterdamInstant } from './amsterdam-time.ts';
import { type LmbHabits, lmbModel } from './lmb-model.ts';
import { machineModel, type SignalsAt } from './machine-model.ts';
import { deploymentOf } from './work-schedules.ts';

/** One ReXgen of the demo: what it measures, and whether it has gone silent. */
export type DemoLogger = { readonly signalsAt: SignalsAt; readonly silent: boolean };

const LMB_HABITS: readonly LmbHabits[] = [
  { home: 'amersfoort', turn: 0 },
  { home: 'zwolle', turn: 0.5 },
];

/** All loggers of the demo, by the serial of the logger. */
export function demoLoggers(): ReadonlyMap<string, DemoLogger> {
  const loggers = new Map<string, DemoLogger>();
  for (const machine of demoMachines) {
    const deployment = deploymentOf(machine.serialNumber);
    loggers.set(machine.loggerSerial, {
      signalsAt: machineModel(machine, deployment),
      silent: deployment.silent,
    });
  }
  demoLmbLoggers.forEach(({ loggerid }, i) => {
    const habits = LMB_HABITS[i];
    if (!habits) throw new Error(`no habits for LMB logger ${loggerid}`);
    loggers.set(loggerid, { signalsAt: lmbModel(loggerid, habits), silent: false });
  });
  return loggers;
}

/** When the silent logger was heard last: yesterday 16:40 in Amsterdam. Milliseconds. */
export function silentSince(nowMs: number): number {
  return amsterdamInstant(amsterdamDay(nowMs) - 1, 16 * 60 + 40);
}
