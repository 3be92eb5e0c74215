import { amsterdamDay, wallClockOf } from './amsterdam-time.ts';

/** Cost of charging: an organization's dated tariffs and the energy of each clock hour (docs/figures.md section 13). */

/**
 * A tariff that applies from a day on until a newer one begins; days are 'YYYY-MM-DD' in Amsterdam, prices euro
 * per kWh without VAT.
 */
export type ChargingTariff = {
  readonly firstDay: string;
  /** null: no end. After the last day no tariff applies, not even an older one. */
  readonly lastDay: string | null;
  /** The day price; the price of all hours if `nightPrice` is null. */
  readonly dayPrice: number;
  readonly nightPrice: number | null;
  /** Hours of the clock, 0..23: the night runs from `nightFrom` to `nightTo`, which may be the next day. */
  readonly nightFrom: number;
  readonly nightTo: number;
  /** Whether the night price applies all Saturday and Sunday. */
  readonly nightWeekend: boolean;
};

/** Euro of the energy that has a tariff, not rounded, and mJ of the energy that has none. */
export type ChargingCost = { readonly euros: number; readonly unpricedMj: number };

export const NO_COST: ChargingCost = { euros: 0, unpricedMj: 0 };

export const HOUR_MS = 3_600_000;
const MJ_PER_KWH = 3_600_000_000;

/** Returns the tariff that applies on a day: the newest that has begun, unless it has ended. */
export function tariffOn(tariffs: readonly ChargingTariff[], day: string): ChargingTariff | undefined {
  let newest: ChargingTariff | undefined;
  for (const tariff of tariffs)
    if (tariff.firstDay <= day && !(newest && newest.firstDay >= tariff.firstDay)) newest = tariff;
  return newest && (newest.lastDay === null || day <= newest.lastDay) ? newest : undefined;
}

/** Returns whether the night price applies in an hour of the clock. @param weekday 0: Sunday */
function isNight(tariff: ChargingTariff, weekday: number, hour: number): boolean {
  const { nightFrom, nightTo, nightWeekend } = tariff;
  if (nightWeekend && (weekday === 0 || weekday === 6)) return true;
  return nightFrom < nightTo ? nightFrom <= hour && hour < nightTo : nightFrom <= hour || hour < nightTo;
}

/** Returns euro per kWh in an hour of the clock of a day; undefined: no tariff applies. */
export function priceInHour(
  tariffs: readonly ChargingTariff[],
  day: string,
  hour: number,
): number | undefined {
  const tariff = tariffOn(tariffs, day);
  if (!tariff || tariff.nightPrice === null) return tariff?.dayPrice;
  const weekday = new Date(`${day}T00:00Z`).getUTCDay();
  return isNight(tariff, weekday, hour) ? tariff.nightPrice : tariff.dayPrice;
}

/** Returns the price, euro per kWh, of the clock hour that begins at `hourStart` (ms); undefined: no tariff applies. */
export type HourlyPriceLookup = (hourStart: number) => number | undefined;

/** Returns the pricing by tariffs; it caches the prices that it computed. */
export function createHourlyPriceLookup(tariffs: readonly ChargingTariff[]): HourlyPriceLookup {
  const known = new Map<number, number | undefined>();
  return (hourStart) => {
    if (known.has(hourStart)) return known.get(hourStart);
    const price = priceInHour(tariffs, amsterdamDay(hourStart), Number(wallClockOf(hourStart).slice(11, 13)));
    known.set(hourStart, price);
    return price;
  };
}

/** Energy charged, mJ: in total, and in each clock hour from `firstHour` (ms) on; `hours` null: only the total is known. */
export type ChargedHours = {
  readonly chargedMj: number;
  readonly firstHour: number;
  readonly hours: readonly number[] | null;
};

/** A part of an hour's energy with a price of its own, mJ and euro per kWh: it was charged on a terrein that has a tariff. */
export type PricedPart = { readonly mj: number; readonly price: number };

const NO_PARTS = (): readonly PricedPart[] => [];

/**
 * Returns what energy costs; energy that is not counted by hour has no price.
 * @param partsOf the energy charged on terreinen with a tariff in an hour (ms); energy above the hour's total is ignored
 */
export function costOf(
  price: HourlyPriceLookup | undefined,
  { chargedMj, firstHour, hours }: ChargedHours,
  partsOf: (hourStart: number) => readonly PricedPart[] = NO_PARTS,
): ChargingCost {
  let euros = 0;
  let unpricedMj = chargedMj;
  const pay = (mj: number, perKwh: number): void => {
    euros += (mj / MJ_PER_KWH) * perKwh;
    unpricedMj -= mj;
  };
  for (const [n, mj] of hours?.entries() ?? []) {
    if (mj <= 0) continue;
    const hourStart = firstHour + n * HOUR_MS;
    let left = mj;
    for (const part of partsOf(hourStart)) {
      const there = Math.min(left, part.mj);
      pay(there, part.price);
      left -= there;
    }
    const ofRest = left > 0 ? price?.(hourStart) : undefined;
    if (ofRest !== undefined) pay(left, ofRest);
  }
  return { euros, unpricedMj };
}

export const addCosts = (costs: readonly ChargingCost[]): ChargingCost =>
  costs.reduce(
    (sum, { euros, unpricedMj }) => ({ euros: sum.euros + euros, unpricedMj: sum.unpricedMj + unpricedMj }),
    NO_COST,
  );

export const startOfHour = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/**
 * Returns the energy of each clock hour, mJ; undefined: there is no energy.
 * @param parts in order; each lies in one clock hour. `from` in ms
 * @param begin the hour (ms) with which to begin; by default the first with energy
 */
export function energyByHour(
  parts: Iterable<{ readonly from: number; readonly mj: number }>,
  begin?: number,
): { readonly firstHour: number; readonly hours: number[] } | undefined {
  let firstHour = begin;
  const hours: number[] = [];
  for (const { from, mj } of parts) {
    if (mj === 0) continue;
    firstHour ??= startOfHour(from);
    const n = (startOfHour(from) - firstHour) / HOUR_MS;
    while (hours.length <= n) hours.push(0);
    hours[n] = (hours[n] ?? 0) + mj;
  }
  return firstHour === undefined || hours.length === 0 ? undefined : { firstHour, hours };
}

export const PRICE_DECIMALS = 5;
/** Highest price that a tariff may have, euro per kWh. */
export const MAX_PRICE_EUROS_PER_KWH = 10;
