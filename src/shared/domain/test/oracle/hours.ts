import type { Reading } from '#shared/domain/signal.ts';
import { meanSocAt } from './soc.ts';
import {
  cableStateAt,
  firstMotionIn,
  type Interval,
  isStandingStillAt,
  type OwnedReadingStream,
  overlapOf,
  ownedStreams,
  type Range,
  type ReadingStream,
  timeInsideRangeMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes running hours, as docs/figures.md section 3 defines, and intervals that other figures share. */

export const MS_PER_HOUR = 3_600_000;

/** Rpm above which a motor runs. */
const RUNNING_ABOVE = 150;
export const isRunning = (motorSpeed: number | undefined): boolean =>
  motorSpeed !== undefined && motorSpeed > RUNNING_ABOVE;

export const runningIntervals = (stream: ReadingStream): Interval[] =>
  stream
    .track('MotorSpeed')
    .intervals()
    .filter(({ value }) => isRunning(value));

/** Returns the running intervals at whose start the charging cable charges the batteries. */
export const runningIntervalsOnCable = (stream: ReadingStream): Interval[] =>
  runningIntervals(stream).filter(({ from }) => cableStateAt(stream, from) === 'charging');

/**
 * Returns the ChargingCurrent intervals at whose start the charging cable charges the batteries. Where no
 * ChargingCurrent is known, returns the BatteryCurrent intervals that charge, up to the next ChargingCurrent or
 * motion.
 */
export const chargingIntervals = (stream: ReadingStream): Interval[] => {
  const charger = stream
    .track('ChargingCurrent')
    .intervals()
    .filter(({ from }) => cableStateAt(stream, from) === 'charging');
  const battery = stream
    .track('BatteryCurrent')
    .intervals()
    .filter(
      ({ from, value }) =>
        value < -1 &&
        isStandingStillAt(stream, from) &&
        stream.track('ChargingCurrent').before(from) === undefined,
    )
    .map((interval) => {
      const coming = stream.track('ChargingCurrent').points.find(({ time }) => time > interval.from)?.time;
      const motion = firstMotionIn(stream, interval.from, interval.to);
      return { ...interval, to: Math.min(interval.to, coming ?? interval.to, motion ?? interval.to) };
    });
  return [...charger, ...battery].sort((a, b) => a.from - b.from);
};

/** Returns the total time, ms, of the intervals inside the range, over all times in which the caller owned the machine. */
export const ownedTimeIn = (
  owned: readonly OwnedReadingStream[],
  range: Range,
  intervalsOf: (stream: ReadingStream) => readonly Range[],
): number => owned.reduce((sum, { stream }) => sum + timeInsideRangeMs(intervalsOf(stream), range), 0);

/** Mean level of the packs, %, from which the battery is full. */
export const FULL_FROM_PERCENT = 99;

/** Returns the charging intervals at whose start the mean of the packs is full. */
export const fullIntervals = (stream: ReadingStream): Interval[] =>
  chargingIntervals(stream).filter(({ from }) => (meanSocAt(stream, from).mean ?? 0) >= FULL_FROM_PERCENT);

export type Hours = {
  /** Ms. */
  readonly runningMs: number;
  /** h; null: the range has no MotorSpeed. */
  readonly hours: number | null;
};

/** Returns the running hours in a range: MotorSpeed intervals above 150 rpm, charging or not. */
export function runningHours(
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): Hours {
  const owned = ownedStreams(readings, ownRanges);
  const runningMs = ownedTimeIn(owned, range, runningIntervals);
  // A value before the range that still holds in it counts, and so does a value in the range without an interval.
  const hasMotorSpeed = owned.some(({ stream }) => {
    const motorSpeed = stream.track('MotorSpeed');
    return (
      motorSpeed.points.some(({ time }) => range.from <= time && time < range.to) ||
      motorSpeed.intervals().some((interval) => overlapOf(interval, range) !== undefined)
    );
  });
  return { runningMs, hours: hasMotorSpeed ? runningMs / MS_PER_HOUR : null };
}

/** Returns the machine's hour meter, h: the total, and the hours run while the caller owned the machine. */
export const hourMeter = (
  readings: readonly Reading[],
  initialHours: number,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): { readonly total: number; readonly owned: number } => ({
  total: initialHours + runningHours(readings).runningMs / MS_PER_HOUR,
  owned: runningHours(readings, UNLIMITED_RANGE, ownRanges).runningMs / MS_PER_HOUR,
});
