/** 'Resterende laadtijd' (MDET-06). nl.ts shows it as HH:MM or '--:--'. */
import { type BatteryState, remainingKwh, usableKwh } from './battery.ts';
import { CHARGING_ABOVE_AMPS, type SignalValues } from './machine-status.ts';
import { powerKw } from './power.ts';

/**
 * Hours until full = (usable total - remaining) / (ChargingCurrent x ChargingVoltage / 1000), ChargingVoltage
 * 700 V when missing. Full or fuller gives 0. undefined when it cannot be computed: no charging current (1 A
 * or less is none, LIVE-05), no positive power, or a capacity or percentage that is not known.
 */
export function hoursUntilFull(
  batteries: readonly BatteryState[],
  liveData: SignalValues,
): number | undefined {
  const usable = usableKwh(batteries);
  const remaining = remainingKwh(batteries);
  const amps = liveData.ChargingCurrent;
  const kw = powerKw(amps, liveData.ChargingVoltage);
  if (usable === undefined || remaining === undefined || amps === undefined || kw === undefined)
    return undefined;
  if (amps <= CHARGING_ABOVE_AMPS || kw <= 0) return undefined;
  return Math.max(0, usable - remaining) / kw;
}
