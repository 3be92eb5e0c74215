/** Charging, running or off: derived from the signals, never stored (LIVE-05). */
import { isChargingFlag } from './signal.ts';

export type MachineStatus = 'charging' | 'running' | 'off';

/** A charging flag counts from this value on. */
export const CHARGING_FLAG_FROM = 1;
/** ChargingCurrent must be above this: exactly 1 A is not charging. */
export const CHARGING_ABOVE_AMPS = 1;
/** MotorSpeed must be above this: exactly 150 rpm is not running. */
export const RUNNING_ABOVE_RPM = 150;

/** Signal name to value, as a reading or as live data; what is missing or NaN counts as not set. */
export type SignalValues = Readonly<Record<string, number | undefined>>;

/** A; BatteryCurrent must be below this: exactly -1 A is not charging. */
export const TAKES_BELOW_AMPS = -1;
/** km/h; a machine with such a Speed moves. */
export const MOVES_FROM_KMH = 1;

/** Whether a value of MotorSpeed (rpm) or Speed (km/h) says that the machine moves, forwards or backwards. */
export const isMotion = (rpm: number | undefined, speed: number | undefined): boolean =>
  Math.abs(rpm ?? 0) > RUNNING_ABOVE_RPM || Math.abs(speed ?? 0) >= MOVES_FROM_KMH;

/** Whether MotorSpeed is known, and neither it nor Speed says that the machine moves (docs/figures.md section 2). */
export const standsStill = ({ MotorSpeed, Speed }: SignalValues): boolean =>
  MotorSpeed !== undefined && !Number.isNaN(MotorSpeed) && !isMotion(MotorSpeed, Speed);

/** Whether current goes into the battery while the machine stands still: that is charging, not braking. */
export const takesCurrent = (signals: SignalValues): boolean =>
  (signals.BatteryCurrent ?? 0) < TAKES_BELOW_AMPS && standsStill(signals);

/**
 * Any IsCharging* flag of at least 1, and a charging current above 1 A. Where no charging current is known: the battery takes
 * more than 1 A while the machine stands still.
 */
export function isCharging(signals: SignalValues): boolean {
  const { ChargingCurrent } = signals;
  if (ChargingCurrent === undefined || Number.isNaN(ChargingCurrent)) return takesCurrent(signals);
  if (!(ChargingCurrent > CHARGING_ABOVE_AMPS)) return false;
  return Object.keys(signals).some(
    (name) => isChargingFlag(name) && (signals[name] ?? 0) >= CHARGING_FLAG_FROM,
  );
}

/** The motor turns, on the cable or not: what operating hours count (docs/design.md section 8). */
export const isRunning = (signals: SignalValues): boolean => (signals.MotorSpeed ?? 0) > RUNNING_ABOVE_RPM;

/** Charging wins over running: a machine on the cable may still spin its motor. */
export function machineStatus(signals: SignalValues): MachineStatus {
  if (isCharging(signals)) return 'charging';
  return isRunning(signals) ? 'running' : 'off';
}
