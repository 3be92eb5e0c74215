/** Electrical power from current and voltage (docs/design.md section 8). */

/** V, where a machine reports no voltage (MDET-06). */
export const DEFAULT_VOLTS = 700;

/** W = A x V, V 700 when missing. undefined without a current, or when either is no finite number. */
export function powerWatts(amps: number | undefined, volts: number | undefined): number | undefined {
  if (amps === undefined) return undefined;
  const watts = amps * (volts ?? DEFAULT_VOLTS);
  return Number.isFinite(watts) ? watts : undefined;
}

/** kW; with BatteryCurrent and BatteryVoltage: positive while discharging, negative while energy comes in. */
export function powerKw(amps: number | undefined, volts: number | undefined): number | undefined {
  const watts = powerWatts(amps, volts);
  return watts === undefined ? undefined : watts / 1000;
}
