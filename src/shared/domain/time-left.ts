/** Texts beside 'Resterende werktijd' and 'Resterende laadtijd': until when, or why the time is not known (MDET-05, MDET-06). */
import type { BatteryState } from './battery.ts';
import { isCharging, type SignalValues } from './machine-status.ts';
import { timeOrDateText, weekdayText } from './nl.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Estimated clock times are rounded to this step, so that they do not change with every reading. */
const STEP_MS = 5 * MINUTE_MS;

type Known = {
  readonly batteries: readonly BatteryState[];
  readonly liveData: SignalValues;
  readonly isStale: boolean;
};

/** Returns which data of the batteries is missing: 'accu 3 zwijgt'; undefined: nothing is missing. */
export function missingPackData(batteries: readonly BatteryState[]): string | undefined {
  if (batteries.length === 0) return "meldt geen accu's";
  const numbersOf = (isMissing: (battery: BatteryState) => boolean): number[] =>
    batteries.filter(isMissing).map(({ number }) => number);
  const bare = numbersOf(({ capacityKwh }) => capacityKwh === undefined);
  if (bare.length === batteries.length) return 'capaciteit niet ingevuld';
  if (bare.length > 0) return `capaciteit van ${packsText(bare)} niet ingevuld`;
  const silent = numbersOf(({ percent }) => percent === undefined);
  if (silent.length > 0) return `${packsText(silent)} ${silent.length === 1 ? 'zwijgt' : 'zwijgen'}`;
  return undefined;
}

/** Returns 'accu 1, 2 en 3'. */
const packsText = (numbers: readonly number[]): string =>
  `accu ${numbers.length === 1 ? numbers[0] : `${numbers.slice(0, -1).join(', ')} en ${numbers.at(-1)}`}`;

const tooOld = ({ liveData: { GMT_UNIX = 0 } }: Known): string =>
  GMT_UNIX > 0 ? 'gegevens te oud' : 'nog geen gegevens';

/** Mean power of the last 30 days, kW; `known`: share of the running time in which it is known, null: the machine did not run. */
type WorkPower = { readonly AvgPower: number | null; readonly known: number | null };

/** Returns why 'Resterende werktijd' is '--:--'. @param power undefined: not loaded yet */
export function whyWorkTimeUnknown(known: Known, power: WorkPower | undefined): string {
  if (known.isStale) return tooOld(known);
  const missing = missingPackData(known.batteries);
  if (missing) return missing;
  if (!power) return 'vermogen nog niet geladen';
  if (power.AvgPower === null)
    return power.known === null ? 'draaide 30 dagen niet' : 'accustroom niet gemeten';
  return 'gebruikte geen vermogen';
}

/** Returns why 'Resterende laadtijd' of a charging machine is '--:--'. */
export const whyChargeTimeUnknown = (known: Known): string =>
  known.isStale ? tooOld(known) : (missingPackData(known.batteries) ?? 'geen laadvermogen gemeten');

/**
 * Returns 'tot ca. 13:30', rounded down to five minutes so that it is never later than `until`, or 'hele dag' when `until` is null.
 * @param until ISO time; null: the charge lasts the whole day
 * @param now ms
 */
export const chargeLastsUntilText = (until: string | null, now: number): string =>
  until === null
    ? 'hele dag'
    : `tot ca. ${timeOrDateText(Math.floor(Date.parse(until) / STEP_MS) * STEP_MS, now)}`;

/**
 * Returns why it is not known until when the charge lasts: for example, the machine worked on too few of the
 * recent days with the same weekday.
 * @param now ms
 */
export function whyChargeUntilUnknown({ liveData, isStale, batteries }: Known, now: number): string {
  if (isStale) return tooOld({ liveData, isStale, batteries });
  if (isCharging(liveData)) return 'laadt';
  if (batteries.every(({ percent }) => percent === undefined)) return "meldt geen accu's";
  return `${weekdayText(now)} niet bekend`;
}

/**
 * Returns the forecast, which is the range (ISO times) in which a charge is expected to be full; undefined once the
 * whole range has passed, because the present power is then a better estimate.
 * @param at ms
 */
export const forecastStillAhead = <F extends FullForecast>(
  forecast: F | null | undefined,
  at: number,
): F | undefined => (forecast && at < Date.parse(forecast.to) ? forecast : undefined);

/** Returns the hours from `at` (ms) to the middle of the rest of the range in which a charge is expected to be full. */
export const hoursToForecastMiddle = (forecast: FullForecast, at: number): number =>
  Math.max(0, (Math.max(Date.parse(forecast.from), at) + Date.parse(forecast.to)) / 2 - at) / HOUR_MS;

type FullForecast = { readonly from: string; readonly to: string };

/** Returns the range (ISO times) in which a charge is expected to be full as a text: 'vol ca. 13:00 tot 14:00'. @param now ms */
export const fullBetweenText = ({ from, to }: FullForecast, now: number): string =>
  `vol ca. ${timeOrDateText(Date.parse(from), now)} tot ${timeOrDateText(Date.parse(to), now)}`;
