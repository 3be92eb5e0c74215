import type { Reading } from '#shared/domain/signal.ts';
import { socMean } from './soc.ts';
import {
  ALWAYS,
  cable,
  motionIn,
  type Owned,
  overlapOf,
  ownedStreams,
  type Range,
  type Stream,
  type Stretch,
  stands,
  timeIn,
} from './track.ts';

/** Running hours: docs/figures.md section 3, and the stretches of time that other figures share. */

export const MS_PER_HOUR = 3_600_000;

/** Rpm above which a motor runs. */
const RUNNING_ABOVE = 150;
export const isRunning = (motorSpeed: number | undefined): boolean =>
  motorSpeed !== undefined && motorSpeed > RUNNING_ABOVE;

export const runningStretches = (stream: Stream): Stretch[] =>
  stream
    .track('MotorSpeed')
    .stretches()
    .filter(({ value }) => isRunning(value));

/** Of those, the ones at whose beginning the cable is charging. */
export const runningOnCable = (stream: Stream): Stretch[] =>
  runningStretches(stream).filter(({ from }) => cable(stream, from) === 'charging');

/**
 * A current of the charger while the cable is charging; and of the battery, where no current of a charger is known, up to the
 * first one that comes or to the first motion.
 */
export const chargingStretches = (stream: Stream): Stretch[] => {
  const charger = stream
    .track('ChargingCurrent')
    .stretches()
    .filter(({ from }) => cable(stream, from) === 'charging');
  const battery = stream
    .track('BatteryCurrent')
    .stretches()
    .filter(
      ({ from, value }) =>
        value < -1 && stands(stream, from) && stream.track('ChargingCurrent').before(from) === undefined,
    )
    .map((stretch) => {
      const coming = stream.track('ChargingCurrent').points.find(({ time }) => time > stretch.from)?.time;
      const motion = motionIn(stream, stretch.from, stretch.to);
      return { ...stretch, to: Math.min(stretch.to, coming ?? stretch.to, motion ?? stretch.to) };
    });
  return [...charger, ...battery].sort((a, b) => a.from - b.from);
};

/** Ms in the range, over the caller's intervals. */
export const ownedTimeIn = (
  owned: readonly Owned[],
  range: Range,
  stretchesOf: (stream: Stream) => readonly Range[],
): number => owned.reduce((sum, { stream }) => sum + timeIn(stretchesOf(stream), range), 0);

/** %: from here on packs are full. */
export const FULL_FROM = 99;

/** Of the charging ones, those at whose beginning the mean of the packs is full. */
export const fullStretches = (stream: Stream): Stretch[] =>
  chargingStretches(stream).filter(({ from }) => (socMean(stream, from).mean ?? 0) >= FULL_FROM);

export type Hours = {
  /** Ms. */
  readonly runningMs: number;
  /** h; null where the range has no MotorSpeed. */
  readonly hours: number | null;
};

/** Running hours of a range: MotorSpeed stretches above 150, charging or not. */
export function hours(
  readings: readonly Reading[],
  range: Range = ALWAYS,
  intervals: readonly Range[] = [ALWAYS],
): Hours {
  const owned = ownedStreams(readings, intervals);
  const runningMs = ownedTimeIn(owned, range, runningStretches);
  // Also a value before the range that holds in it, and a value in the range that holds no time.
  const hasMotorSpeed = owned.some(({ stream }) => {
    const motorSpeed = stream.track('MotorSpeed');
    return (
      motorSpeed.points.some(({ time }) => range.from <= time && time < range.to) ||
      motorSpeed.stretches().some((stretch) => overlapOf(stretch, range) !== undefined)
    );
  });
  return { runningMs, hours: hasMotorSpeed ? runningMs / MS_PER_HOUR : null };
}

/** The machine's hour meter, h: all that it ran, and the part that it ran in the caller's intervals. */
export const hourMeter = (
  readings: readonly Reading[],
  initialHours: number,
  intervals: readonly Range[] = [ALWAYS],
): { readonly total: number; readonly owned: number } => ({
  total: initialHours + hours(readings).runningMs / MS_PER_HOUR,
  owned: hours(readings, ALWAYS, intervals).runningMs / MS_PER_HOUR,
});
