import { demoLmbLoggers, demoMachines } from '#shared/demo/fleet.ts';
import { shiftsIn, USUAL_WEEK } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay, amsterdamInstant, weekday } from './amsterdam-time.ts';
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
    const signalsAt = machineModel(machine, deployment);
    const lastPack = machine.model.socSignals.at(-1);
    loggers.set(machine.loggerSerial, {
      signalsAt:
        deployment.trouble === 'loose wire' && lastPack ? withLooseWire(signalsAt, lastPack) : signalsAt,
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

/** Minutes after midnight, on Wednesdays. */
const LOOSE = { WEEKDAY: 2, FROM: 10 * 60 + 5, TO: 10 * 60 + 45 };

function withLooseWire(signalsAt: SignalsAt, name: string): SignalsAt {
  return (timeMs) => {
    const day = amsterdamDay(timeMs);
    const isLoose =
      weekday(day) === LOOSE.WEEKDAY &&
      amsterdamInstant(day, LOOSE.FROM) <= timeMs &&
      timeMs < amsterdamInstant(day, LOOSE.TO);
    if (!isLoose) return signalsAt(timeMs);
    const { [name]: _, ...heard } = signalsAt(timeMs);
    return heard;
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LONGEST_REST_MS = 14 * 24 * HOUR_MS;

/**
 * When the silent logger was heard last: at 16:40 of a working day, the whole of the next one it missed, and it is more than 24 hours
 * ago. Milliseconds.
 */
export function silentSince(nowMs: number): number {
  const shifts = shiftsIn(USUAL_WEEK, { from: nowMs - LONGEST_REST_MS, to: nowMs - 10 * HOUR_MS });
  return (shifts.at(-2)?.to ?? nowMs - LONGEST_REST_MS) - 20 * MINUTE_MS;
}
