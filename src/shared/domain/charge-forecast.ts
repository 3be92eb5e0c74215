/**
 * Forecasts from a machine's own earlier charges when its present charge will be full (docs/figures.md section
 * 13; docs/decisions/0035).
 */
import { FULL_PERCENT } from './figures.ts';
import type { Range } from './intervals.ts';
import { quantile } from './weighted-quantile.ts';

/** The state of charge of a machine at an instant: mean of its packs, %. */
export type ChargeLevel = { readonly at: number; readonly percent: number };

/** When a charging session reached each percent. */
export type ChargingCurve = {
  /** The first whole percent that the session reached; undefined: none. */
  readonly firstPercent: number | undefined;
  /** When the session reached `firstPercent` and each next percent, ms since the start of the session. */
  readonly reachedMs: readonly number[];
};

/** A charging session that has ended. `from`: ms since 1970. */
export type PastChargingSession = {
  readonly from: number;
  /** The highest charging power, W. */
  readonly watts: number | undefined;
  readonly course: ChargingCurve;
};

/** A charging session in progress, as known at `at`. */
export type CurrentChargingSession = ChargeLevel & {
  readonly watts: number | undefined;
  readonly course: ChargingCurve;
};

/** With fewer charges there is no forecast; with more than the maximum, only the latest count. */
const MIN_CHARGES = 5;
const MAX_CHARGES = 30;
/** Only charges at a similar charger count: those whose highest power differs by at most this factor from that of the present charge. */
const SIMILAR_POWER_FACTOR = 1.25;
/** Quantiles of the time per percent, for the faster and the slower end of the range. */
const FAST = 0.2;
const SLOW = 0.8;
/** Maximum and minimum number of percentage points, up to the present level, over which the pace of a charge is measured. */
const PACE_PERCENTS = 10;
const MIN_PACE_PERCENTAGE_POINTS = 4;
/** Smallest margin on either side of a forecast time, in ms and as a share of the remaining time. */
const MIN_MARGIN_MS = 5 * 60_000;
const MIN_MARGIN_SHARE = 0.03;
/** Share of earlier charges that must have ended within their forecast range; the range is made wide enough for it. */
const HELD = 0.8;
/** Factor on the margin while there are too few earlier charges; with enough charges the factor is at least LEAST_WIDTH. */
const WIDTH_AT_FIRST = 1.6;
const LEAST_WIDTH = 0.5;
/** Ranges are rounded outward to steps of 5 minutes. */
const STEP_MS = 5 * 60_000;

/**
 * Returns when a charge reached each whole percent. Levels are interpolated linearly; a level that is lower than an
 * earlier one is ignored.
 * @param from start of the charge, ms
 * @param levels in order of time
 */
export function chargingCurveOf(from: number, levels: readonly ChargeLevel[]): ChargingCurve {
  const [first] = levels;
  if (!first) return { firstPercent: undefined, reachedMs: [] };
  const firstPercent = Math.max(0, Math.ceil(first.percent));
  const reachedMs: number[] = [];
  let before = first;
  for (const level of levels) {
    if (level.percent < before.percent) continue;
    for (let next = firstPercent + reachedMs.length; next <= Math.min(100, level.percent); next++) {
      const share =
        level.percent > before.percent
          ? Math.max(0, next - before.percent) / (level.percent - before.percent)
          : 1;
      reachedMs.push(Math.round(before.at + share * (level.at - before.at) - from));
    }
    before = level;
  }
  return { firstPercent: reachedMs.length > 0 ? firstPercent : undefined, reachedMs };
}

/** Returns when a charge reached a whole percent, ms since the start of the charge; undefined: it did not. */
const reached = ({ firstPercent = 101, reachedMs }: ChargingCurve, percent: number): number | undefined =>
  reachedMs[percent - firstPercent];

/** Returns when a charge was full, ms since 1970; undefined: it ended before. */
export function chargeFullAt({
  from,
  course,
}: Pick<PastChargingSession, 'from' | 'course'>): number | undefined {
  const { firstPercent = FULL_PERCENT } = course;
  const ms = reached(course, Math.max(FULL_PERCENT, firstPercent));
  return ms === undefined ? undefined : from + ms;
}

/**
 * Returns the range, ms since 1970, in which a charge will be full; undefined with too few earlier charges, or when it is full already.
 * @param past the machine's ended charges of the last 90 days, in order of time
 */
export function forecastFullCharge(
  past: readonly PastChargingSession[],
  present: CurrentChargingSession,
): Range | undefined {
  if (present.percent >= FULL_PERCENT) return undefined;
  const alike = past.filter((charge) => isAlike(charge, present)).slice(-MAX_CHARGES);
  const since = present.course.firstPercent ?? Math.floor(present.percent);
  const left = timeLeft(alike, present.course, present.percent, since);
  if (!left) return undefined;
  const width = widthOf(alike, Math.floor(present.percent), since);
  return {
    from: Math.floor((present.at + left.middle - width * left.less) / STEP_MS) * STEP_MS,
    to: Math.ceil((present.at + left.middle + width * left.more) / STEP_MS) * STEP_MS,
  };
}

const isAlike = ({ watts }: PastChargingSession, present: CurrentChargingSession): boolean =>
  watts !== undefined &&
  present.watts !== undefined &&
  Math.max(watts, present.watts) <= SIMILAR_POWER_FACTOR * Math.min(watts, present.watts);

/** Remaining time and its margins to either side, ms; the margins are not yet multiplied by the factor that `widthOf` returns. */
type Left = { readonly middle: number; readonly less: number; readonly more: number };

/**
 * Returns the remaining time and its margins. Adds up the median, fast and slow times that earlier charges took for each remaining
 * percent, and multiplies the sums by the pace of this charge.
 * @param since percent from which the pace is measured
 */
function timeLeft(
  past: readonly PastChargingSession[],
  course: ChargingCurve,
  percent: number,
  since: number,
): Left | undefined {
  const sums = { middle: 0, fast: 0, slow: 0 };
  for (let step = Math.floor(percent); step < FULL_PERCENT; step++) {
    const times = timesOf(past, step);
    if (times.length < MIN_CHARGES) return undefined;
    const part = Math.min(1, step + 1 - percent);
    sums.middle += part * (quantile(times, 0.5) ?? 0);
    sums.fast += part * (quantile(times, FAST) ?? 0);
    sums.slow += part * (quantile(times, SLOW) ?? 0);
  }
  const pace = paceOf(past, course, Math.floor(percent), since);
  const least = Math.max(MIN_MARGIN_MS, MIN_MARGIN_SHARE * pace * sums.middle);
  return {
    middle: pace * sums.middle,
    less: Math.max(least, pace * (sums.middle - sums.fast)),
    more: Math.max(least, pace * (sums.slow - sums.middle)),
  };
}

/** Returns the times, ms, that the charges took from `percent` to `percent + 1`; leaves out charges that did not cover this range. */
const timesOf = (past: readonly PastChargingSession[], percent: number): number[] =>
  past.flatMap(({ course }) => {
    const [begin, end] = [reached(course, percent), reached(course, percent + 1)];
    return begin === undefined || end === undefined ? [] : [end - begin];
  });

/** Returns the pace of a charge: the time that it took from `since` to `percent`, divided by the usual time; 1 when not known. */
function paceOf(
  past: readonly PastChargingSession[],
  course: ChargingCurve,
  percent: number,
  since: number,
): number {
  const first = Math.max(percent - PACE_PERCENTS, since, course.firstPercent ?? percent);
  const [begin, end] = [reached(course, first), reached(course, percent)];
  if (percent - first < MIN_PACE_PERCENTAGE_POINTS || begin === undefined || end === undefined) return 1;
  let usual = 0;
  for (let step = first; step < percent; step++) usual += quantile(timesOf(past, step), 0.5) ?? 0;
  return usual > 0 ? (end - begin) / usual : 1;
}

/**
 * Returns the factor for the margins with which the forecasts of earlier charges would have been right in the
 * share HELD. Each earlier charge is forecast from the charges before it, with its pace measured from the same
 * percent.
 */
function widthOf(past: readonly PastChargingSession[], percent: number, since: number): number {
  const misses = past.flatMap((charge, n) => {
    // A charge that began at a higher level is forecast from its first level.
    const level = Math.max(percent, charge.course.firstPercent ?? FULL_PERCENT);
    const [begin, full] = [reached(charge.course, level), reached(charge.course, FULL_PERCENT)];
    const left = timeLeft(past.slice(0, n), charge.course, level, since);
    if (level >= FULL_PERCENT || begin === undefined || full === undefined || !left) return [];
    const late = full - begin - left.middle;
    return [late < 0 ? -late / left.less : late / left.more];
  });
  if (misses.length < MIN_CHARGES) return WIDTH_AT_FIRST;
  // Corrects the quantile for the sample size, as if there were one more charge, worse than all.
  const share = (HELD * (misses.length + 1)) / misses.length;
  return share > 1
    ? Math.max(WIDTH_AT_FIRST, ...misses)
    : Math.max(LEAST_WIDTH, quantile(misses, share) ?? WIDTH_AT_FIRST);
}

/** Percentage points from one forecast to the next; fewer in a nearly full battery, which takes longer for each. */
const EVERY_POINTS = 5;
const NEARLY_FULL_PERCENT = 80;
const EVERY_POINTS_NEARLY_FULL = 2;

/**
 * Returns whether a session is to get a new forecast.
 * @param last state of charge at the session's last forecast, %; undefined: it has none
 */
export const isForecastDue = (percent: number, last: number | undefined): boolean =>
  percent < FULL_PERCENT &&
  (last === undefined ||
    percent >= last + (percent < NEARLY_FULL_PERCENT ? EVERY_POINTS : EVERY_POINTS_NEARLY_FULL));
