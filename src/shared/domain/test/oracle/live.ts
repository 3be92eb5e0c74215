import type { Reading } from '#shared/domain/signal.ts';
import { socByPack } from './soc.ts';
import { ASSUMED_VOLTAGE, FIVE_MINUTES_IN_MS, isChargingFlagName } from './track.ts';

/** Computes the live state and staleness (docs/figures.md section 9), and the live figures (docs/figures.md section 5). */

const TEN_MINUTES = 600_000;

/** An accepted delivery; ms since 1970. */
export type ArrivedReading = { readonly reading: Reading; readonly received: number };

export type OracleLiveState = {
  /**
   * Highest s of all deliveries, ms since 1970; s is the earlier of a delivery's own time and its reception (docs/figures.md section 9).
   */
  readonly newest: number;
  /** Seconds since 1970. */
  readonly GMT_UNIX: number;
  readonly signals: Readonly<Record<string, number>>;
  /**
   * Degrees; `s`: the earlier of the own time of its delivery and its reception, ms since 1970. The position stays when
   * the other signals are too old.
   */
  readonly position: { readonly lat: number; readonly lon: number; readonly s: number } | undefined;
};

type Held<T> = { readonly value: T; readonly s: number; readonly time: number };

/**
 * Returns one of two values: the one with the highest s, the earlier of its own time and its reception. At equal s,
 * `there` stays (merged with `came`) if both have the same own time; else `came`, which was received later, counts.
 */
function held<T>(
  there: Held<T> | undefined,
  came: Held<T>,
  merge: (there: T, came: T) => T = (first) => first,
): Held<T> {
  if (there === undefined || came.s > there.s) return came;
  if (came.s < there.s) return there;
  return came.time === there.time ? { ...there, value: merge(there.value, came.value) } : came;
}

/** Returns the live state after deliveries in order of arrival; undefined without a delivery. */
export function liveStateOf(arrivals: readonly ArrivedReading[]): OracleLiveState | undefined {
  const signals = new Map<string, Held<number>>();
  let position: Held<{ lat: number; lon: number }> | undefined;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { reading, received } of arrivals) {
    const { time } = reading;
    const s = Math.min(time, received);
    newest = Math.max(newest, s);
    const { LATITUDE: lat, LONGITUDE: lon, ...others } = reading.signals;
    for (const [name, value] of Object.entries(others)) {
      const came = { value, s, time };
      signals.set(name, held(signals.get(name), came, isChargingFlagName(name) ? Math.max : undefined));
    }
    if (lat !== undefined && lon !== undefined) position = held(position, { value: { lat, lon }, s, time });
  }
  if (newest === Number.NEGATIVE_INFINITY) return undefined;
  const fresh = [...signals].filter(([, { s }]) => newest - s <= FIVE_MINUTES_IN_MS);
  return {
    newest,
    GMT_UNIX: Math.floor(newest / 1000),
    signals: Object.fromEntries(fresh.map(([name, { value }]) => [name, value])),
    position: position === undefined ? undefined : { ...position.value, s: position.s },
  };
}

export const isStale = ({ newest }: Pick<OracleLiveState, 'newest'>, now: number): boolean =>
  now - newest > TEN_MINUTES;

/** A listed pack: its number, and its capacity in kWh where that is known. */
export type Pack = { readonly pack: number; readonly capacity: number | undefined };

/** Returns the energy, kWh, that the listed packs can still deliver; null when a level or capacity is unknown. */
export function remainingEnergy(
  { signals }: Pick<OracleLiveState, 'signals'>,
  packs: readonly Pack[],
): number | null {
  const values = socByPack(signals);
  let sum = 0;
  for (const { pack, capacity } of packs) {
    const soc = values.get(pack);
    if (soc === undefined || capacity === undefined) return null;
    sum += 0.008 * soc * capacity;
  }
  return packs.length === 0 ? null : sum;
}

/** Returns the remaining hours of work at the mean power while running (kW) of the last 30 days; null: unknown. */
export const remainingWorkTime = (remaining: number | null, power: number | null): number | null =>
  remaining === null || power === null || power <= 0 ? null : remaining / power;

/** Returns the hours until full; null: the machine does not charge, or a value is unknown. */
export function remainingChargeTime(
  live: Pick<OracleLiveState, 'signals'>,
  packs: readonly Pack[],
): number | null {
  const remaining = remainingEnergy(live, packs);
  const { ChargingCurrent: current, ChargingVoltage: voltage = ASSUMED_VOLTAGE } = live.signals;
  if (remaining === null || current === undefined || current <= 1) return null;
  const capacity = packs.reduce((sum, pack) => sum + (pack.capacity ?? 0), 0);
  const power = (current * voltage) / 1000;
  // 0 V is a valid value, with which no time can be computed.
  return power > 0 ? Math.max(0, 0.8 * capacity - remaining) / power : null;
}
