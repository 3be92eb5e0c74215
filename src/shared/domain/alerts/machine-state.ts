/** The state of a machine for the kinds that a timer evaluates. Times in ms. */
import { averagePercent, batteriesOf } from '../battery.ts';
import type { FaultEpisode } from '../fault-codes.ts';
import type { Range } from '../intervals.ts';
import { isCharging, type SignalValues } from '../machine-status.ts';
import type { MaintenanceDue } from '../maintenance.ts';
import type { UsualLevelChanges } from '../usual-day.ts';
import type { WorkWeek } from './work-week.ts';

export type MachineState = {
  /**
   * When the portal last received something from the machine, or when its present owner acquired the machine;
   * undefined: never.
   */
  readonly lastSeenAt: number | undefined;
  readonly week: WorkWeek;
  /** undefined: the charge is unknown or too old. */
  readonly charge: MachineCharge | undefined;
  /** In the order in which the plans are due. */
  readonly plans: readonly (MaintenanceDue & { readonly planName: string })[];
  /** Fault codes that are active, or were active in the last day. */
  readonly faults: readonly FaultEpisode[];
};

export type MachineCharge = {
  /** Mean charge level of the packs, %. */
  readonly percent: number;
  /** Time of the newest value, in ms. */
  readonly at: number;
  readonly isCharging: boolean;
  /** How the level usually changes on today's weekday and on the weekday on which the shift ends; empty: too little history. */
  readonly usual: readonly UsualLevelChanges[];
  /** When the battery is expected to be full; undefined: no forecast. */
  readonly full: Range | undefined;
  /** Longest time that charging to full takes, by earlier charges; undefined: unknown. */
  readonly takesMs: number | undefined;
};

/**
 * Returns a machine's charge by its live data; undefined: no pack has a charge level.
 * @param at time of the newest value, in ms
 */
export function machineChargeOf(values: SignalValues, at: number): MachineCharge | undefined {
  const mean = averagePercent(batteriesOf(values, []));
  if (mean === undefined) return undefined;
  return {
    percent: mean,
    at,
    isCharging: isCharging(values),
    usual: [],
    full: undefined,
    takesMs: undefined,
  };
}

/** A value of the charge that is older than this is shown with its time. */
export const OLD_CHARGE_MS = 10 * 60_000;

/** Readings that arrive later than this are history: a fault code in them opens no alert, and they do not end a logger's silence. */
export const MAX_READING_DELAY_MS = 48 * 3_600_000;
