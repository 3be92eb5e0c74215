/** The batteries of a machine: their level and what is left in them (LIVE-04, MDET-05). */
import type { Battery } from './live.ts';
import type { SignalValues } from './machine-status.ts';
import { isSocSignal } from './signal.ts';

/** Only this part of the nominal capacity is used (MDET-05). */
export const USABLE_PART = 0.8;
/** USABLE_PART per percent (MDET-05). */
const USABLE_PER_PERCENT = 0.008;

export type BatteryState = {
  /** Battery n is batteries[n-1] of the metadata. */
  readonly number: number;
  /** As measured: not clamped to 0-100 (nl.ts does that for the eye). undefined: not known, shown as '--'. */
  readonly percent: number | undefined;
  /** Nominal, kWh. undefined: not entered. */
  readonly capacityKwh: number | undefined;
};

const digitsOf = (name: string): string | undefined => /\d+/.exec(name)?.[0];

/** `Soc2` before `SocDisp`, then by name: which field wins must not depend on the order of keys. */
function clearestFirst(a: string, b: string): number {
  const unclear = Number(digitsOf(a) === undefined) - Number(digitsOf(b) === undefined);
  return unclear || (a < b ? -1 : 1);
}

/**
 * Every battery that is listed in the metadata or has a soc* field, by number (LIVE-04). The number is the
 * first run of digits in the field's name; a name without digits is battery 1 (docs/design.md section 4). Of two
 * fields for one battery the one with digits wins, then the first by name. A pack that is listed but silent
 * is there, with percent undefined.
 */
export function batteriesOf(liveData: SignalValues, listed: readonly Battery[]): BatteryState[] {
  const percents = new Map<number, number | undefined>(listed.map((_, index) => [index + 1, undefined]));
  for (const name of Object.keys(liveData).filter(isSocSignal).sort(clearestFirst)) {
    const number = Number(digitsOf(name) ?? 1);
    const value = liveData[name];
    percents.set(number, percents.get(number) ?? (Number.isFinite(value) ? value : undefined));
  }
  return [...percents]
    .sort(([a], [b]) => a - b)
    .map(([number, percent]) => ({ number, percent, capacityKwh: capacityOf(listed[number - 1]) }));
}

function capacityOf(battery: Battery | undefined): number | undefined {
  const capacity = battery?.capacity ?? 0;
  return Number.isFinite(capacity) && capacity > 0 ? capacity : undefined;
}

/** The plain mean of the known percentages (docs/design.md section 8); undefined when none is known. */
export function averagePercent(batteries: readonly BatteryState[]): number | undefined {
  const known = batteries.flatMap(({ percent }) => percent ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, percent) => sum + percent, 0) / known.length;
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
