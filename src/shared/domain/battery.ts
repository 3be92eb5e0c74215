/**
 * The batteries of a machine: level, remaining energy, power, and the times until empty and until full (LIVE-04, MDET-05, MDET-06).
 */
import { CHARGING_ABOVE_AMPS, type SignalValues } from './machine-status.ts';
import { packNumberOf, preferredNameByPack } from './packs.ts';

/** Usable part of the nominal capacity (MDET-05). */
const USABLE_PART = 0.8;
const USABLE_PER_PERCENT = USABLE_PART / 100;

/** A battery below this level is low, on every screen and in every alert. */
export const LOW_BELOW_PERCENT = 20;

/** A battery in the machine's record. */
type Battery = { readonly capacity: number | null };

export type BatteryState = {
  /** Battery n is batteries[n-1] of the metadata. */
  readonly number: number;
  /** The measured level, not clamped to 0-100 (nl.ts clamps it for the screen). undefined: not known, shown as '--'. */
  readonly percent: number | undefined;
  /** Nominal capacity, kWh; undefined: not entered. */
  readonly capacityKwh: number | undefined;
};

/**
 * Returns every battery that the record lists or that has a soc* field, by number (LIVE-04; docs/figures.md section 7). A listed pack that
 * reports nothing has percent undefined.
 */
export function batteriesOf(liveData: SignalValues, listed: readonly Battery[]): readonly BatteryState[] {
  // Allocates little, because it runs for ten thousand machines at once.
  const socs: string[] = [];
  for (const name in liveData)
    if (packNumberOf(name) !== undefined && Number.isFinite(liveData[name])) socs.push(name);
  const batteries = listed.map((battery, at) => stateOf(at + 1, undefined, battery));
  for (const [number, name] of preferredNameByPack(socs)) {
    const at = number <= listed.length ? number - 1 : batteries.length;
    batteries[at] = stateOf(number, liveData[name], listed[number - 1]);
  }
  return batteries.length > listed.length ? batteries.sort((a, b) => a.number - b.number) : batteries;
}

const stateOf = (
  number: number,
  percent: number | undefined,
  battery: Battery | undefined,
): BatteryState => ({
  number,
  percent,
  capacityKwh: capacityOf(battery),
});

function capacityOf(battery: Battery | undefined): number | undefined {
  const capacity = battery?.capacity ?? 0;
  return Number.isFinite(capacity) && capacity > 0 ? capacity : undefined;
}

/** Returns the unweighted mean of the known levels, % (docs/design.md section 8); undefined when none is known. */
export function averagePercent(batteries: readonly BatteryState[]): number | undefined {
  let sum = 0;
  let count = 0;
  for (const { percent } of batteries) {
    if (percent === undefined) continue;
    sum += percent;
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

/** Returns the usable remaining energy, kWh: the sum of 0.008 x percent x capacity; undefined when any level or capacity is unknown. */
export const remainingKwh = (batteries: readonly BatteryState[]): number | undefined =>
  sum(batteries, ({ percent, capacityKwh }) =>
    percent === undefined || capacityKwh === undefined
      ? undefined
      : USABLE_PER_PERCENT * percent * capacityKwh,
  );

/** Returns the usable energy of full batteries, kWh: 80 % of the capacities; undefined when one is unknown, or without batteries. */
export const usableKwh = (batteries: readonly BatteryState[]): number | undefined =>
  sum(batteries, ({ capacityKwh }) => (capacityKwh === undefined ? undefined : USABLE_PART * capacityKwh));

function sum(
  batteries: readonly BatteryState[],
  kwhOf: (battery: BatteryState) => number | undefined,
): number | undefined {
  if (batteries.length === 0) return undefined;
  let total = 0;
  for (const battery of batteries) {
    const kwh = kwhOf(battery);
    if (kwh === undefined) return undefined;
    total += kwh;
  }
  return total;
}

/** Assumed voltage, V, when a machine reports none (MDET-06). */
export const DEFAULT_VOLTS = 700;

/** Returns the power, W, with DEFAULT_VOLTS for a missing voltage; undefined without a current, or when the product is not finite. */
export function powerWatts(amps: number | undefined, volts: number | undefined): number | undefined {
  if (amps === undefined) return undefined;
  const watts = amps * (volts ?? DEFAULT_VOLTS);
  return Number.isFinite(watts) ? watts : undefined;
}

/** Returns the power, kW. From BatteryCurrent and BatteryVoltage it is positive while discharging, negative while charging. */
export function powerKw(amps: number | undefined, volts: number | undefined): number | undefined {
  const watts = powerWatts(amps, volts);
  return watts === undefined ? undefined : watts / 1000;
}

/**
 * Returns 'Resterende laadtijd' (MDET-06), hours: (usable - remaining energy) / (ChargingCurrent x ChargingVoltage / 1000), with
 * DEFAULT_VOLTS for a missing voltage, and at least 0. undefined when a capacity or level is unknown, or without a charging current above
 * CHARGING_ABOVE_AMPS or a positive power.
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

/**
 * Returns 'Resterende werktijd' (MDET-05), hours: remaining kWh / average kW over the last 30 days, at least 0. undefined when either is
 * unknown or the average power is not positive.
 */
export function workHoursLeft(
  leftKwh: number | undefined,
  averageKw: number | undefined,
): number | undefined {
  if (leftKwh === undefined || averageKw === undefined || !(averageKw > 0)) return undefined;
  const hours = leftKwh / averageKw;
  return Number.isFinite(hours) ? Math.max(0, hours) : undefined;
}
