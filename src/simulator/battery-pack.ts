/** The electricity of a battery: what current and voltage belong to a power, and how it is charged. */

export type Pack = {
  readonly capacityKwh: number;
  /** Volts at half charge, without load. */
  readonly nominalVolts: number;
};

/** Sag at a current that would empty the pack in an hour, as a part of its voltage: typical of LFP packs. */
const SAG_AT_ONE_HOUR_RATE = 0.05;
/** The charger holds its current up to here (%), then tapers: constant current, then constant voltage. */
const TAPER_FROM = 90;
/** The taper ends here, as a part of full power; below it the charge would never be complete. */
const TAPER_FLOOR = 0.1;

/** Open-circuit voltage at a charge of `soc` %: steep at the bottom, flat in the middle. */
export function openVolts(pack: Pack, soc: number): number {
  const flat = 0.97 + (0.06 * soc) / 100;
  return pack.nominalVolts * (flat - 0.12 * Math.exp(-soc / 6) + 0.03 * Math.exp((soc - 100) / 4));
}

/**
 * Amperes and volts at the terminals for a power in kW, positive while discharging: the sagging voltage
 * solves P = I (V0 - I R).
 */
export function underLoad(
  pack: Pack,
  soc: number,
  powerKw: number,
): { readonly amps: number; readonly volts: number } {
  const open = openVolts(pack, soc);
  const oneHourAmps = (pack.capacityKwh * 1000) / pack.nominalVolts;
  const ohms = (SAG_AT_ONE_HOUR_RATE * pack.nominalVolts) / oneHourAmps;
  const root = Math.sqrt(Math.max(0, open * open - 4 * ohms * powerKw * 1000));
  const amps = (open - root) / (2 * ohms);
  return { amps, volts: open - amps * ohms };
}

/** kW that a charger of `fullKw` puts in at a charge of `soc` %; nothing into a full battery. */
export function chargingKw(fullKw: number, soc: number): number {
  if (soc >= 100) return 0;
  const taper = (100 - soc) / (100 - TAPER_FROM);
  return fullKw * Math.min(1, Math.max(TAPER_FLOOR, taper));
}

/**
 * The charge of each battery of a machine, %: together (weighted by capacity) exactly `soc`, apart by up to
 * 2 % of what is missing, and all full at the same moment. `lean` (-1 to 1) says which side gives more.
 */
export function packCharges(capacitiesKwh: readonly number[], soc: number, lean: number): number[] {
  const missing = 100 - soc;
  const first = capacitiesKwh[0] ?? 0;
  const last = capacitiesKwh.at(-1) ?? 0;
  const shift = capacitiesKwh.length < 2 ? 0 : 0.02 * missing * lean;
  return capacitiesKwh.map((_, i) => {
    if (i === 0) return soc + shift;
    return i === capacitiesKwh.length - 1 ? soc - (shift * first) / last : soc;
  });
}
