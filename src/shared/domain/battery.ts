/**
 * The batteries of a machine: their level, what is left in them, their power, and how long they last and take to
 * charge (LIVE-04, MDET-05, MDET-06).
 */
import { CHARGING_ABOVE_AMPS, type SignalValues } from './machine-status.ts';
import { clearestNames, packOf } from './packs.ts';

/** Only this part of the nominal capacity is used (MDET-05). */
const USABLE_PART = 0.8;
/** Of one percent. */
const USABLE_PER_PERCENT = USABLE_PART / 100;

/** %; a battery below this is low: everywhere the same, whatever else says so. */
export const LOW_BELOW_PERCENT = 20;

/** As the machine's record lists it. */
type Battery = { readonly capacity: number | null };

export type BatteryState = {
  /** Battery n is batteries[n-1] of the metadata. */
  readonly number: number;
  /** As measured: not clamped to 0-100 (nl.ts does that for the eye). undefined: not known, shown as '--'. */
  readonly percent: number | undefined;
  /** Nominal, kWh. undefined: not entered. */
  readonly capacityKwh: number | undefined;
};

/**
 * Every battery that is listed in the metadata or has a soc* field, by number (LIVE-04; docs/figures.md section 7). A
 * pack that is listed but silent is there, with percent undefined.
 */
export function batteriesOf(liveData: SignalValues, listed: readonly Battery[]): readonly BatteryState[] {
  // Of ten thousand machines at once: no more is made than is needed.
  const socs: string[] = [];
  for (const name in liveData)
    if (packOf(name) !== undefined && Number.isFinite(liveData[name])) socs.push(name);
  const batteries = listed.map((battery, at) => stateOf(at + 1, undefined, battery));
  for (const [number, name] of clearestNames(socs)) {
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

/** The plain mean of the known percentages (docs/design.md section 8); undefined when none is known. */
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

/** kWh that can still be used: 0.008 x percent x capacity, summed. undefined, no guess, when a part is unknown. */
export const remainingKwh = (batteries: readonly BatteryState[]): number | undefined =>
  sum(batteries, ({ percent, capacityKwh }) =>
    percent === undefined || capacityKwh === undefined
      ? undefined
      : USABLE_PER_PERCENT * percent * capacityKwh,
  );

/** kWh that can be used when full: 80 % of the capacities. undefined when one is unknown, or without batteries. */
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

/**
 * 'Resterende laadtijd' (MDET-06): hours until full = (usable total - remaining) / (ChargingCurrent x
 * ChargingVoltage / 1000), ChargingVoltage 700 V when missing. Full or fuller gives 0. undefined when it cannot be
 * computed: no charging current (1 A or less is none), no positive power, or a capacity or percentage that is not
 * known.
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
 * 'Resterende werktijd' (MDET-05): hours of work left = remaining kWh / average kW over the last 30 days. undefined
 * when either is unknown or the average power is zero or negative; never less than 0.
 */
export function workHoursLeft(
  leftKwh: number | undefined,
  averageKw: number | undefined,
): number | undefined {
  if (leftKwh === undefined || averageKw === undefined || !(averageKw > 0)) return undefined;
  const hours = leftKwh / averageKw;
  return Number.isFinite(hours) ? Math.max(0, hours) : undefined;
}
