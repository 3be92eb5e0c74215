/** The status of a machine: derived from its signals, never stored (LIVE-05). */
import { isChargingFlag } from './signal.ts';

export type MachineStatus = 'charging' | 'running' | 'off';

/** Lowest value of a charging flag that is set. */
export const MIN_CHARGING_FLAG = 1;
/** ChargingCurrent must be above this: exactly 1 A is not charging. */
export const CHARGING_ABOVE_AMPS = 1;
/** MotorSpeed must be above this: exactly 150 rpm is not running. */
export const RUNNING_ABOVE_RPM = 150;

/** Values by signal name, from a reading or from live data; a missing or NaN value counts as not set. */
export type SignalValues = Readonly<Record<string, number | undefined>>;

/** BatteryCurrent must be below this: exactly -1 A is not charging. */
export const TAKES_CURRENT_BELOW_AMPS = -1;
/** Lowest Speed at which a machine counts as moving. */
export const MOVING_FROM_KMH = 1;

/** Returns whether MotorSpeed (rpm) or Speed (km/h) shows that the machine moves, forwards or backwards. */
export const isMoving = (rpm: number | undefined, speed: number | undefined): boolean =>
  Math.abs(rpm ?? 0) > RUNNING_ABOVE_RPM || Math.abs(speed ?? 0) >= MOVING_FROM_KMH;

/**
 * Returns whether MotorSpeed is known, and neither it nor Speed shows that the machine moves (docs/figures.md
 * section 2).
 */
export const isStandingStill = ({ MotorSpeed, Speed }: SignalValues): boolean =>
  MotorSpeed !== undefined && !Number.isNaN(MotorSpeed) && !isMoving(MotorSpeed, Speed);

/** Returns whether current flows into the battery while the machine stands still, which is charging and not braking. */
export const isTakingCurrent = (signals: SignalValues): boolean =>
  (signals.BatteryCurrent ?? 0) < TAKES_CURRENT_BELOW_AMPS && isStandingStill(signals);

/**
 * Returns whether any IsCharging* flag is at least 1 and ChargingCurrent is above 1 A. If ChargingCurrent is not known, returns whether
 * the battery takes more than 1 A while the machine stands still.
 */
export function isCharging(signals: SignalValues): boolean {
  const { ChargingCurrent } = signals;
  if (ChargingCurrent === undefined || Number.isNaN(ChargingCurrent)) return isTakingCurrent(signals);
  if (!(ChargingCurrent > CHARGING_ABOVE_AMPS)) return false;
  return Object.keys(signals).some(
    (name) => isChargingFlag(name) && (signals[name] ?? 0) >= MIN_CHARGING_FLAG,
  );
}

/** Returns whether the motor turns, with or without a charging cable; operating hours count this time (docs/design.md section 8). */
export const isRunning = (signals: SignalValues): boolean => (signals.MotorSpeed ?? 0) > RUNNING_ABOVE_RPM;

/** Returns the status. Charging takes precedence over running, because a machine on a charging cable may run its motor. */
export function machineStatus(signals: SignalValues): MachineStatus {
  if (isCharging(signals)) return 'charging';
  return isRunning(signals) ? 'running' : 'off';
}
