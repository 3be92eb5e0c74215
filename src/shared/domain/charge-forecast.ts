/** When a machine that charges will be full, from how its own charges went (docs/figures.md section 13; docs/decisions/0035). */
import { FULL_PERCENT } from './figures.ts';
import type { Range } from './intervals.ts';
import { quantile } from './weighted-quantile.ts';

/** The state of charge of a machine at an instant: mean of its packs, %. */
export type Level = { readonly at: number; readonly percent: number };

/** How a charging session went up. */
export type ChargeCourse = {
  /** The first whole percent that it reached; undefined: none. */
  readonly firstPercent: number | undefined;
  /** When it reached that one and each next, ms since its beginning. */
  readonly reachedMs: readonly number[];
};

/** A charging session that is over, ms and W. */
export type PastCharge = {
  readonly from: number;
  /** The highest power that went in. */
  readonly watts: number | undefined;
  readonly course: ChargeCourse;
};

/** One that goes on: what is known at `at`. */
export type PresentCharge = Level & {
  readonly watts: number | undefined;
  readonly course: ChargeCourse;
};

/** Fewer charges say nothing about the next; of more the latest ones. */
const LEAST_CHARGES = 5;
const MOST_CHARGES = 30;
/** Charges at another charger go otherwise: those count whose highest power is within this factor of the present one's. */
const ALIKE = 1.25;
/** Shares of the charges that took less time for a percent. */
const FAST = 0.2;
const SLOW = 0.8;
/** Percents that were passed just now, by which a charge is known to go faster or slower than others; fewer do not tell. */
const PACE_PERCENTS = 10;
const LEAST_PACE_PERCENTS = 4;
/** A range is never surer than that: ms, and of the time that is left. */
const LEAST_MARGIN_MS = 5 * 60_000;
const LEAST_MARGIN = 0.03;
/** What share of earlier ranges must have held, had they been as wide as this one; a little more than is promised (80 %). */
const HELD = 0.8;
/** Times the margin, while too few earlier charges tell. */
const WIDTH_AT_FIRST = 1.6;
const LEAST_WIDTH = 0.5;
/** A range is told in steps of 5 minutes, outward. */
const STEP_MS = 5 * 60_000;

/**
 * The course of a charge, from levels in order: between two of them it rises evenly, and it never goes down.
 * @param from beginning of the charge, ms
 */
export function courseOf(from: number, levels: readonly Level[]): ChargeCourse {
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

/** When a charge had reached a whole percent, ms since its beginning. */
const reached = ({ firstPercent = 101, reachedMs }: ChargeCourse, percent: number): number | undefined =>
  reachedMs[percent - firstPercent];

/** When a charge was full, ms since 1970; undefined: it was broken off before. */
export function fullAt({ from, course }: Pick<PastCharge, 'from' | 'course'>): number | undefined {
  const { firstPercent = FULL_PERCENT } = course;
  const ms = reached(course, Math.max(FULL_PERCENT, firstPercent));
  return ms === undefined ? undefined : from + ms;
}

/**
 * When it will be full, ms since 1970; undefined where too few charges tell.
 * @param past the machine's own, in order of time, over at that moment; those of the last 90 days
 */
export function forecastFull(past: readonly PastCharge[], present: PresentCharge): Range | undefined {
  if (present.percent >= FULL_PERCENT) return undefined;
  const alike = past.filter((charge) => isAlike(charge, present)).slice(-MOST_CHARGES);
  const since = present.course.firstPercent ?? Math.floor(present.percent);
  const left = timeLeft(alike, present.course, present.percent, since);
  if (!left) return undefined;
  const width = widthOf(alike, Math.floor(present.percent), since);
  return {
    from: Math.floor((present.at + left.middle - width * left.less) / STEP_MS) * STEP_MS,
    to: Math.ceil((present.at + left.middle + width * left.more) / STEP_MS) * STEP_MS,
  };
}

const isAlike = ({ watts }: PastCharge, present: PresentCharge): boolean =>
  watts !== undefined &&
  present.watts !== undefined &&
  Math.max(watts, present.watts) <= ALIKE * Math.min(watts, present.watts);

/** ms; margins to either side, not yet as wide as they have to be. */
type Left = { readonly middle: number; readonly less: number; readonly more: number };

/**
 * The median time for each percent that is left, added up, and so the times of the faster and the slower charges; as much longer or
 * shorter as the percents before took.
 * @param since the percent from which on these are looked at
 */
function timeLeft(
  past: readonly PastCharge[],
  course: ChargeCourse,
  percent: number,
  since: number,
): Left | undefined {
  const sums = { middle: 0, fast: 0, slow: 0 };
  for (let step = Math.floor(percent); step < FULL_PERCENT; step++) {
    const times = timesOf(past, step);
    if (times.length < LEAST_CHARGES) return undefined;
    const part = Math.min(1, step + 1 - percent);
    sums.middle += part * (quantile(times, 0.5) ?? 0);
    sums.fast += part * (quantile(times, FAST) ?? 0);
    sums.slow += part * (quantile(times, SLOW) ?? 0);
  }
  const pace = paceOf(past, course, Math.floor(percent), since);
  const least = Math.max(LEAST_MARGIN_MS, LEAST_MARGIN * pace * sums.middle);
  return {
    middle: pace * sums.middle,
    less: Math.max(least, pace * (sums.middle - sums.fast)),
    more: Math.max(least, pace * (sums.slow - sums.middle)),
  };
}

/** What each charge that passed a percent took for it, ms. */
const timesOf = (past: readonly PastCharge[], percent: number): number[] =>
  past.flatMap(({ course }) => {
    const [begun, done] = [reached(course, percent), reached(course, percent + 1)];
    return begun === undefined || done === undefined ? [] : [done - begun];
  });

/** How many times the usual a charge took for the percents before this one. */
function paceOf(past: readonly PastCharge[], course: ChargeCourse, percent: number, since: number): number {
  const first = Math.max(percent - PACE_PERCENTS, since, course.firstPercent ?? percent);
  const [begun, done] = [reached(course, first), reached(course, percent)];
  if (percent - first < LEAST_PACE_PERCENTS || begun === undefined || done === undefined) return 1;
  let usual = 0;
  for (let step = first; step < percent; step++) usual += quantile(timesOf(past, step), 0.5) ?? 0;
  return usual > 0 ? (done - begun) / usual : 1;
}

/**
 * How many margins wide a range has to be: so wide that at earlier charges, each told from those before it, the share HELD would
 * have held, knowing as much of its pace.
 */
function widthOf(past: readonly PastCharge[], percent: number, since: number): number {
  const misses = past.flatMap((charge, n) => {
    // Or from where it began, if that was higher.
    const level = Math.max(percent, charge.course.firstPercent ?? FULL_PERCENT);
    const [begun, full] = [reached(charge.course, level), reached(charge.course, FULL_PERCENT)];
    const left = timeLeft(past.slice(0, n), charge.course, level, since);
    if (level >= FULL_PERCENT || begun === undefined || full === undefined || !left) return [];
    const late = full - begun - left.middle;
    return [late < 0 ? -late / left.less : late / left.more];
  });
  if (misses.length < LEAST_CHARGES) return WIDTH_AT_FIRST;
  // As if there were one more, worse than all: what comes next is of the same kind as these, not one of them.
  const share = (HELD * (misses.length + 1)) / misses.length;
  return share > 1
    ? Math.max(WIDTH_AT_FIRST, ...misses)
    : Math.max(LEAST_WIDTH, quantile(misses, share) ?? WIDTH_AT_FIRST);
}

/** Points of the state of charge from one forecast to the next, and of a nearly full battery, which takes longer for each. */
const EVERY_POINTS = 5;
const NEARLY_FULL = 80;
const EVERY_POINTS_THEN = 2;

/** @param last state of charge at the session's last forecast, %; undefined: it has none */
export const isForecastDue = (percent: number, last: number | undefined): boolean =>
  percent < FULL_PERCENT &&
  (last === undefined || percent >= last + (percent < NEARLY_FULL ? EVERY_POINTS : EVERY_POINTS_THEN));
