/** Electrical model of a battery: current and voltage at a power, and the charging curve. */

export type Pack = {
  readonly capacityKwh: number;
  /** Open-circuit voltage at half charge. */
  readonly nominalVolts: number;
};

/** Voltage sag at a current that empties the pack in an hour, as a share of the voltage: typical of LFP packs. */
const SAG_AT_ONE_HOUR_RATE = 0.05;
/** Charge in % up to which the charger keeps its current constant; above it the voltage is constant and the current decreases. */
const TAPER_FROM = 90;
/** Minimum power while the current decreases, as a share of full power, so that the charge completes. */
const TAPER_FLOOR = 0.1;

/** Returns the open-circuit voltage at a charge of `soc` %: steep at the bottom, flat in the middle. */
export function openCircuitVolts(pack: Pack, soc: number): number {
  const flat = 0.97 + (0.06 * soc) / 100;
  return pack.nominalVolts * (flat - 0.12 * Math.exp(-soc / 6) + 0.03 * Math.exp((soc - 100) / 4));
}

/**
 * Returns current and voltage at the terminals for a power in kW, positive while discharging. The voltage under load solves P = I
 * (V0 - I R).
 */
export function terminalCurrentAndVoltage(
  pack: Pack,
  soc: number,
  powerKw: number,
): { readonly amps: number; readonly volts: number } {
  const open = openCircuitVolts(pack, soc);
  const oneHourAmps = (pack.capacityKwh * 1000) / pack.nominalVolts;
  const ohms = (SAG_AT_ONE_HOUR_RATE * pack.nominalVolts) / oneHourAmps;
  const root = Math.sqrt(Math.max(0, open * open - 4 * ohms * powerKw * 1000));
  const amps = (open - root) / (2 * ohms);
  return { amps, volts: open - amps * ohms };
}

/** Returns the power in kW of a charger of `fullKw` at a charge of `soc` %; 0 for a full battery. */
export function chargingKw(fullKw: number, soc: number): number {
  if (soc >= 100) return 0;
  const taper = (100 - soc) / (100 - TAPER_FROM);
  return fullKw * Math.min(1, Math.max(TAPER_FLOOR, taper));
}

/**
 * Returns the charge of each battery of a machine in %. The mean of the batteries (weighted by capacity) is exactly `soc`, and all
 * are full at the same moment. The first battery has `soc` + 0.02 x `lean` x (100 - `soc`); the last one has as much energy less.
 */
export function packLevelsPercent(capacitiesKwh: readonly number[], soc: number, lean: number): number[] {
  const missing = 100 - soc;
  const first = capacitiesKwh[0] ?? 0;
  const last = capacitiesKwh.at(-1) ?? 0;
  const shift = capacitiesKwh.length < 2 ? 0 : 0.02 * missing * lean;
  return capacitiesKwh.map((_, i) => {
    if (i === 0) return soc + shift;
    return i === capacitiesKwh.length - 1 ? soc - (shift * first) / last : soc;
  });
}
