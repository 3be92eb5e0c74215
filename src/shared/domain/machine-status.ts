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

/** Any IsCharging* flag of at least 1, and a charging current above 1 A. */
export function isCharging(signals: SignalValues): boolean {
  if (!((signals.ChargingCurrent ?? 0) > CHARGING_ABOVE_AMPS)) return false;
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
