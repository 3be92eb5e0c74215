/** The usual course of a machine's charge level on a weekday, and how long its charge lasts (docs/figures.md section 5). */
import { amsterdamDayRange, amsterdamInstant, daysAfter, wallClockOf } from './amsterdam-time.ts';
import { LOW_BELOW_PERCENT } from './battery.ts';
import type { ChargeLevel } from './charge-forecast.ts';
import { firstIndexFrom } from './readings-in.ts';

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Number of past weeks from which a usual day is computed. */
const WEEKS = 4;
/** Minimum number of working days among the same weekdays of these weeks. */
const MIN_WORKING_DAYS = 2;
/** A day with less running is no working day. */
const MIN_WORK_MS = 15 * 60_000;

/**
 * Margin above the limit, percentage points of charge. Days differ: without the margin, one in four days that became
 * low would not be forecast (`npm run forecast`).
 */
const CAUTION = 2.5;

/** The charge level in a bucket of five minutes; `percent`: mean of the packs, undefined: no pack reported. */
export type LevelBucket = {
  /** Start, ms. */
  readonly time: number;
  readonly percent: number | undefined;
  readonly runningMs: number;
};

/** Mean change of the charge level in each quarter of an hour of a day, percentage points. */
export type UsualLevelChanges = {
  /** Midnight in Amsterdam, ms. */
  readonly from: number;
  readonly steps: readonly number[];
};

/** Returns the four days 'YYYY-MM-DD' before `day` on the same weekday, newest first. */
export const previousSameWeekdays = (day: string): string[] =>
  Array.from({ length: WEEKS }, (_, week) => daysAfter(day, -7 * (week + 1)));

/**
 * Returns a function that returns a machine's usual course of a day; undefined: it worked on fewer than two of the
 * four same weekdays before the day. The dates are computed once, for the machines of a whole fleet.
 * @param day 'YYYY-MM-DD'
 * @returns a function that takes the buckets of at least those weekdays, in order of time
 */
export function usualLevelChangesOn(
  day: string,
): (buckets: readonly LevelBucket[]) => UsualLevelChanges | undefined {
  const range = amsterdamDayRange(day);
  if (!range) return () => undefined;
  const length = range.to - range.from;
  const quarters = Array.from({ length: length / QUARTER_MS }, (_, n) => range.from + n * QUARTER_MS);
  const weekdays = previousSameWeekdays(day).flatMap((past) => {
    const its = amsterdamDayRange(past);
    if (!its) return [];
    // If both days last 24 hours, equal local times are equally long after midnight.
    const isEven = length === DAY_MS && its.to - its.from === DAY_MS;
    const sameTimes = quarters.map((at) => (isEven ? its.from + at - range.from : sameClock(past, at)));
    return [{ its, sameTimes }];
  });
  return (buckets) => {
    const worked = weekdays.flatMap(({ its, sameTimes }) => {
      const own = buckets.slice(firstIndexFrom(buckets, its.from), firstIndexFrom(buckets, its.to));
      const runningMs = own.reduce((sum, bucket) => sum + bucket.runningMs, 0);
      return runningMs >= MIN_WORK_MS ? [{ sameTimes, levelAt: levelsOf(own) }] : [];
    });
    if (worked.length < MIN_WORKING_DAYS) return undefined;
    const steps = quarters.map((_, n) => {
      const changes = worked.map(({ sameTimes, levelAt }) => {
        const then = sameTimes[n] as number;
        const [before, after] = [levelAt(then), levelAt(then + QUARTER_MS)];
        return before === undefined || after === undefined ? 0 : after - before;
      });
      return changes.reduce((a, b) => a + b) / changes.length;
    });
    return { from: range.from, steps };
  };
}

const sameClock = (day: string, at: number): number =>
  amsterdamInstant(`${day} ${wallClockOf(at).slice(11)}`, 'first') ?? at;

/** Returns a function that returns the level just before an instant, else the first level of the day; undefined: the day has none. */
function levelsOf(buckets: readonly LevelBucket[]): (at: number) => number | undefined {
  const known = buckets.filter(({ percent }) => percent !== undefined);
  return (at) => known[Math.max(0, firstIndexFrom(known, at) - 1)]?.percent;
}

export type LevelForecast = {
  /** When the level falls below the limit plus CAUTION, ms; undefined: not before `to`. */
  readonly lowAt: number | undefined;
  /** The lowest forecast level, %. */
  readonly lowest: number;
  /** End of the forecast, ms. */
  readonly to: number;
};

/**
 * Forecasts the level from now on by the usual days, clamped to 0-100 %; undefined: none of the days covers the time right after now.
 * @param days in order of time
 * @param until ms
 */
export function forecastLevel(
  { at, percent }: ChargeLevel,
  days: readonly UsualLevelChanges[],
  until: number,
  limit = LOW_BELOW_PERCENT,
): LevelForecast | undefined {
  let time = at;
  let level = percent;
  let lowest = percent;
  let lowAt = percent < limit ? at : undefined;
  const low = limit + CAUTION;
  for (const { from, steps } of days) {
    for (
      let n = Math.max(0, Math.floor((time - from) / QUARTER_MS));
      n < steps.length && time < until;
      n += 1
    ) {
      const begin = from + n * QUARTER_MS;
      if (time < begin) return undefined;
      const end = Math.min(begin + QUARTER_MS, until);
      const next = Math.max(0, Math.min(100, level + ((end - time) / QUARTER_MS) * (steps[n] as number)));
      if (next < low && lowAt === undefined)
        lowAt = level <= low ? time : Math.round(time + ((level - low) / (level - next)) * (end - time));
      [time, level, lowest] = [end, next, Math.min(lowest, next)];
    }
  }
  return time > at ? { lowAt, lowest, to: time } : undefined;
}
