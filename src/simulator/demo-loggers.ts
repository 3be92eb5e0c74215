import { type DemoMachine, demoLmbLoggers, demoMachines } from '#shared/demo/fleet.ts';
import { DEFAULT_WORK_WEEK, shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay, amsterdamInstant, weekday } from './amsterdam-time.ts';
import { type LmbHabits, lmbModel } from './lmb-model.ts';
import { machineModel, type SignalsAt } from './machine-model.ts';
import { deploymentOf } from './work-schedules.ts';

/** One ReXgen of the demo. */
export type DemoLogger = {
  readonly signalsAt: SignalsAt;
  /** Whether the logger has stopped sending. */
  readonly silent: boolean;
  /** The machine whose CAN bus is recorded; undefined for an LMB logger, which has no CAN bus. */
  readonly machine: DemoMachine | undefined;
};

const LMB_HABITS: readonly LmbHabits[] = [
  { home: 'amersfoort', cycleOffset: 0 },
  { home: 'zwolle', cycleOffset: 0.5 },
];

/** Returns all loggers of the demo, by their serial number. */
export function demoLoggers(): ReadonlyMap<string, DemoLogger> {
  const loggers = new Map<string, DemoLogger>();
  for (const machine of demoMachines) {
    const deployment = deploymentOf(machine.serialNumber);
    const signalsAt = machineModel(machine, deployment);
    const isLoose = deployment.trouble === 'loose wire';
    loggers.set(machine.loggerSerial, {
      signalsAt: isLoose ? withLooseWire(signalsAt, lastPackOf(machine)) : signalsAt,
      silent: deployment.silent,
      machine,
    });
  }
  demoLmbLoggers.forEach(({ loggerid }, i) => {
    const habits = LMB_HABITS[i];
    if (!habits) throw new Error(`no habits for LMB logger ${loggerid}`);
    loggers.set(loggerid, { signalsAt: lmbModel(loggerid, habits), silent: false, machine: undefined });
  });
  return loggers;
}

/** When a loose wire interrupts the signals of a battery: every Wednesday, from and to which time (minutes after midnight). */
const LOOSE = { WEEKDAY: 2, FROM: 10 * 60 + 5, TO: 10 * 60 + 45 };

/** Returns the names of the signals that the machine's last battery pack sends. */
const lastPackOf = ({ model: { socSignals } }: DemoMachine): readonly string[] => [
  socSignals.at(-1) as string,
  `BatteryTemperature${socSignals.length}`,
];

function withLooseWire(signalsAt: SignalsAt, names: readonly string[]): SignalsAt {
  return (timeMs) => {
    const day = amsterdamDay(timeMs);
    const isLoose =
      weekday(day) === LOOSE.WEEKDAY &&
      amsterdamInstant(day, LOOSE.FROM) <= timeMs &&
      timeMs < amsterdamInstant(day, LOOSE.TO);
    const signals = signalsAt(timeMs);
    if (!isLoose) return signals;
    return Object.fromEntries(Object.entries(signals).filter(([name]) => !names.includes(name)));
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_REST_MS = 14 * 24 * HOUR_MS;

/**
 * Returns when the silent logger uploaded last, in ms since 1970: at 16:40 of a working day, more than 24 hours ago, so that it has
 * sent nothing during the whole next working day.
 */
export function silentSince(nowMs: number): number {
  const shifts = shiftsIn(DEFAULT_WORK_WEEK, { from: nowMs - MAX_REST_MS, to: nowMs - 10 * HOUR_MS });
  return (shifts.at(-2)?.to ?? nowMs - MAX_REST_MS) - 20 * MINUTE_MS;
}
