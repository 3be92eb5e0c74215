import type { Reading } from '#shared/domain/signal.ts';
import {
  amsterdamDayOf,
  batteryIntervals,
  chargerOnlyIntervals,
  type Energies,
  receivedIntervals,
  sumEnergyIn,
} from './energy.ts';
import { chargingIntervals, MS_PER_HOUR, runningIntervals, runningIntervalsOnCable } from './hours.ts';
import { addedDistancesMm } from './path.ts';
import { extremesOf, socPointsOf } from './soc.ts';
import {
  isInRange,
  overlapOf,
  ownedStreams,
  type Range,
  rangeLengthMs,
  timeInsideRangeMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes the figures of a machine's days, as docs/figures.md section 13 defines. */

const MINUTE = 60_000;
const TEN_MINUTES = 600_000;
const SEVEN_DAYS = 7 * 24 * MS_PER_HOUR;

/** Integers: ms, mJ and mm. */
export type DayFigures = {
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly energies: Energies;
  readonly distanceMm: number;
  /** The part of distanceMm that was not driven. */
  readonly carriedMm: number;
  /** % of all packs; undefined without a value. */
  readonly soc: { readonly lowest: number; readonly highest: number } | undefined;
  /** From first to last activity, ms since 1970; undefined without activity. */
  readonly activity: Range | undefined;
  /** From first to last running; from first to last charging. */
  readonly work: Range | undefined;
  readonly charging: Range | undefined;
  /** Time of the counted ranges from first to last activity, and the part of this time with readings. */
  readonly windowMs: number;
  readonly heardInWindowMs: number;
  /** Time with readings between first and last running in which the machine neither ran nor charged. */
  readonly idleMs: number;
  /** heardInWindowMs / windowMs; null without activity. */
  readonly coverage: number | null;
};

const add = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Returns the range from the start of the first to the end of the last of the ranges; undefined: there are none. */
const spanOf = (ranges: readonly Range[]): Range | undefined =>
  ranges.length === 0
    ? undefined
    : {
        from: extremesOf(ranges.map(({ from }) => from)).lowest,
        to: extremesOf(ranges.map(({ to }) => to)).highest,
      };

/** Returns the parts of `ranges` that lie inside `others`. */
const partsOf = (ranges: readonly Range[], others: readonly Range[]): Range[] =>
  ranges.flatMap((range) => others.flatMap((other) => overlapOf(range, other) ?? []));

/** Returns the figures per day. `days`: the ranges of each day that count: the whole day, or the parts on a project. */
export function dayFigures(
  readings: readonly Reading[],
  days: readonly (readonly Range[])[],
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): DayFigures[] {
  const owned = ownedStreams(readings, ownRanges);
  const streams = owned.map(({ stream }) => stream);
  const running = streams.flatMap(runningIntervals);
  const onCable = streams.flatMap(runningIntervalsOnCable);
  const charging = streams.flatMap(chargingIntervals);
  const heard = streams.flatMap(receivedIntervals);
  const battery = streams.flatMap(batteryIntervals);
  const charger = streams.flatMap(chargerOnlyIntervals);
  const pairs = streams.flatMap(addedDistancesMm);
  const socs = streams.flatMap((stream) => [...socPointsOf(stream).values()].flat());

  return days.map((day) => {
    const ranges = partsOf(
      day,
      owned.map(({ ownRange }) => ownRange),
    );
    const inRanges = (countIn: (range: Range) => number): number => add(ranges.map(countIn));
    const isInRanges = ({ time }: { readonly time: number }): boolean =>
      ranges.some((range) => isInRange(range, time));
    const activity = spanOf(partsOf([...running, ...charging], ranges));
    const window = activity === undefined ? [] : partsOf(ranges, [activity]);
    const windowMs = add(window.map(rangeLengthMs));
    const heardInWindowMs = add(window.map((range) => timeInsideRangeMs(heard, range)));
    const betweenRunning = spanOf(partsOf(running, ranges));
    const work = betweenRunning === undefined ? [] : partsOf(ranges, [betweenRunning]);
    const inWork = (intervals: readonly Range[]): number =>
      add(work.map((range) => timeInsideRangeMs(intervals, range)));
    const values = socs.filter(isInRanges).map(({ value }) => value);
    return {
      runningMs: inRanges((range) => timeInsideRangeMs(running, range)),
      chargingMs: inRanges((range) => timeInsideRangeMs(charging, range)),
      energies: {
        outMj: inRanges((range) => sumEnergyIn(battery, 'out', range)),
        fedBackMj: inRanges((range) => sumEnergyIn(battery, 'fedBack', range)),
        chargedMj: inRanges(
          (range) => sumEnergyIn(battery, 'charged', range) + sumEnergyIn(charger, 'charged', range),
        ),
        knownMs: inRanges((range) => timeInsideRangeMs(battery, range)),
        heardMs: inRanges((range) => timeInsideRangeMs(heard, range)),
      },
      distanceMm: add(pairs.filter(isInRanges).map(({ mm }) => mm)),
      carriedMm: add(pairs.filter(isInRanges).map(({ carriedMm }) => carriedMm)),
      soc: values.length === 0 ? undefined : extremesOf(values),
      activity,
      work: betweenRunning,
      charging: spanOf(partsOf(charging, ranges)),
      windowMs,
      heardInWindowMs,
      idleMs: Math.max(0, inWork(heard) - inWork(running) - inWork(charging) + inWork(onCable)),
      coverage: activity === undefined ? null : heardInWindowMs / windowMs,
    };
  });
}

/** A day in Amsterdam, YYYY-MM-DD, with its range of 23, 24 or 25 hours. */
export type Day = Range & { readonly day: string };

/** Returns the day in which a time lies; a day begins and ends at a whole hour. */
export function dayAround(time: number): Day {
  const day = amsterdamDayOf(time);
  let from = Math.floor(time / MS_PER_HOUR) * MS_PER_HOUR;
  let to = from + MS_PER_HOUR;
  while (amsterdamDayOf(from - 1) === day) from -= MS_PER_HOUR;
  while (amsterdamDayOf(to) === day) to += MS_PER_HOUR;
  return { day, from, to };
}

/** Returns all days that overlap a range, each as a whole. */
export function daysOverlapping({ from, to }: Range): Day[] {
  const days: Day[] = [];
  for (let at = from; at < to; at = days.at(-1)?.to ?? to) days.push(dayAround(at));
  return days;
}

/** Returns the number of days (on a project) with at least `minutes` of running. */
export const daysOfUse = (days: readonly DayFigures[], minutes: number): number =>
  days.filter(({ runningMs }) => runningMs >= minutes * MINUTE).length;

/**
 * Returns whether the figures of a day may still change: `now` (ms since 1970) is less than 7 days after the end of the day, and the
 * newest reading is less than 10 min after it.
 */
export const isProvisional = (readings: readonly Reading[], { to }: Range, now: number): boolean =>
  now - to < SEVEN_DAYS && readings.every(({ time }) => time - to < TEN_MINUTES);
