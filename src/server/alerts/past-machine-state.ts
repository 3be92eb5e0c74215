import type { Database } from '#server/platform/database.ts';
import type { AlertFigures } from '#shared/domain/alerts/kinds/kind.ts';
import {
  type MachineCharge,
  type MachineState,
  machineChargeOf,
} from '#shared/domain/alerts/machine-state.ts';
import type { WorkWeek } from '#shared/domain/alerts/work-week.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type LatestValue, liveDataOf } from '#shared/domain/live-data.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import type { TimerRule } from './machine-states.store.ts';

/** The state of a machine at a past moment, and the alerts that a rule would have raised. */

/** An alert that a rule would have raised. Times in ms. */
export type PreviewedAlert = {
  readonly since: number;
  /** When the alert would have opened. */
  readonly at: number;
  readonly until?: number | undefined;
  /** Values that the text of the alert contains. */
  readonly figures: AlertFigures;
};

export type TimerRulePreview = {
  readonly rule: TimerRule;
  readonly week: WorkWeek;
  readonly range: Range;
};

/** Returns the alerts that a rule would have raised, by stream. */
export type FindPastAlerts = (
  db: Database,
  preview: TimerRulePreview,
  machines: readonly OwnedMachine[],
) => Promise<Map<number, PreviewedAlert[]>>;

export const pastMachineState = (week: WorkWeek, known: Partial<MachineState>): MachineState => ({
  lastSeenAt: undefined,
  charge: undefined,
  plans: [],
  faults: [],
  ...known,
  week,
});

/** Returns the machine's charge as the live data would show it after these readings; undefined: there are no readings. */
export function machineChargeAfter(readings: readonly Reading[]): MachineCharge | undefined {
  const at = readings.at(-1)?.time;
  const latest = new Map<string, LatestValue>();
  for (const { time, signals } of readings)
    for (const [name, value] of Object.entries(signals)) latest.set(name, { value, time });
  return at === undefined ? undefined : machineChargeOf(liveDataOf(latest, at), at);
}
