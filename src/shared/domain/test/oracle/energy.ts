import type { Reading } from '#shared/domain/signal.ts';
import { isRunning, MS_PER_HOUR, ownedTimeIn, runningIntervals, runningIntervalsOnCable } from './hours.ts';
import { packNumberOf } from './soc.ts';
import {
  bucketOf,
  bucketSlicesOf,
  type CableState,
  cableStateAt,
  FIVE_MINUTES_IN_MS,
  isStandingStillAt,
  type OwnedReadingStream,
  overlapOf,
  ownedStreams,
  type Range,
  type ReadingStream,
  rangeLengthMs,
  UNLIMITED_RANGE,
  voltageOfCurrent,
} from './track.ts';

/** Computes energy and mean power, as docs/figures.md sections 4 and 5 define. */

export const MJ_PER_KWH = 3.6e9;

/** The direction of an interval's energy. */
type Flow = 'out' | 'fedBack' | 'charged' | 'neither';

export type PowerInterval = Range & {
  readonly watts: number;
  readonly flow: Flow;
  /** Whether the interval counts for the mean power while running; true only in BatteryCurrent intervals. */
  readonly works: boolean;
};

const FLOW_OF_NEGATIVE: Readonly<Record<CableState, Flow>> = {
  charging: 'charged',
  perhaps: 'neither',
  no: 'fedBack',
};

function flowOf(watts: number, state: CableState, isStill: boolean): Flow {
  if (watts > 0) return 'out';
  if (watts < 0 && isStill) return 'charged';
  return watts < 0 ? FLOW_OF_NEGATIVE[state] : 'neither';
}

const thousandths = (percent: number): number => Math.floor(1000 * percent + 0.5);

/**
 * Returns the rise of a charge level at t, in thousandths of a percentage point; undefined: its value at t or its first value is not known.
 */
function riseOf(stream: ReadingStream, name: string, t: number): number | undefined {
  const track = stream.track(name);
  const now = track.before(t);
  const piece = bucketOf(t);
  const currents = stream
    .track('BatteryCurrent')
    .points.filter(({ time }) => piece - FIVE_MINUTES_IN_MS <= time && time <= t);
  const taken = currents.findLastIndex(({ value }) => value <= 0);
  const since = taken < 0 ? Number.NEGATIVE_INFINITY : (currents[taken + 1]?.time ?? t);
  const firstIn = (from: number, to: number) =>
    track.points.find(({ time }) => from <= time && time < to && time >= since)?.value;
  const first = firstIn(piece - FIVE_MINUTES_IN_MS, piece) ?? firstIn(piece, t + 1);
  return now === undefined || first === undefined ? undefined : thousandths(now) - thousandths(first);
}

/** Returns whether more than 1 kW flows out of the battery while the machine stands still and its charge level rises. */
function contradicts(stream: ReadingStream, t: number, amps: number): boolean {
  if (amps * voltageOfCurrent(stream, 'BatteryCurrent', t) <= 1000 || !isStandingStillAt(stream, t))
    return false;
  const rises = stream.names
    .filter((name) => packNumberOf(name) !== undefined)
    .map((name) => riseOf(stream, name, t))
    .filter((rise) => rise !== undefined);
  return rises.reduce((sum, rise) => sum + rise, 0) > 300 * rises.length;
}

/** Returns the BatteryCurrent intervals that do not contradict the charge level: in these the energy is known. */
export const batteryIntervals = (stream: ReadingStream): PowerInterval[] =>
  stream
    .track('BatteryCurrent')
    .intervals()
    .filter(({ from, value }) => !contradicts(stream, from, value))
    .map(({ from, to, value }) => {
      const watts = value * voltageOfCurrent(stream, 'BatteryCurrent', from);
      const state = cableStateAt(stream, from);
      const works = state === 'no' && isRunning(stream.track('MotorSpeed').before(from));
      return { from, to, watts, flow: flowOf(watts, state, isStandingStillAt(stream, from)), works };
    });

/** Returns the intervals in which the charger reports charging and no BatteryCurrent is known. */
export const chargerOnlyIntervals = (stream: ReadingStream): PowerInterval[] =>
  stream
    .track('ChargingCurrent')
    .intervals()
    .filter(
      ({ from }) => cableStateAt(stream, from) === 'charging' && !stream.track('BatteryCurrent').isNear(from),
    )
    .map(({ from, to, value }) => ({
      from,
      to,
      watts: value * voltageOfCurrent(stream, 'ChargingCurrent', from),
      flow: 'charged',
      works: false,
    }));

/** Returns the charging intervals with their power, W: above 0 by BatteryCurrent; where that is unknown, 0 or more by the charger. */
export const chargedIntervals = (stream: ReadingStream): (Range & { readonly watts: number })[] => [
  ...batteryIntervals(stream)
    .filter(({ flow }) => flow === 'charged')
    .map(({ from, to, watts }) => ({ from, to, watts: -watts })),
  ...chargerOnlyIntervals(stream),
];

/** Returns the highest power, W, of the intervals that overlap the range; undefined: no interval does. */
export function largestWatts(
  intervals: readonly (Range & { readonly watts: number })[],
  range: Range,
): number | undefined {
  const inside = intervals.filter((interval) => overlapOf(interval, range) !== undefined);
  return inside.length === 0 ? undefined : Math.max(...inside.map(({ watts }) => watts));
}

/** Returns the energy of a slice of an interval in whole millijoules: W x ms is mJ. */
export const millijoules = (watts: number, piece: Range): number =>
  Math.floor(Math.abs(watts) * rangeLengthMs(piece) + 0.5);

export const sumEnergyIn = (intervals: readonly PowerInterval[], flow: Flow, range: Range): number =>
  intervals
    .filter((interval) => interval.flow === flow)
    .flatMap((interval) => bucketSlicesOf(interval, range).map((piece) => millijoules(interval.watts, piece)))
    .reduce((sum, mJ) => sum + mJ, 0);

/** Integers: mJ and ms. */
export type Energies = {
  readonly outMj: number;
  readonly fedBackMj: number;
  readonly chargedMj: number;
  /** Time in which BatteryCurrent is known. */
  readonly knownMs: number;
  readonly heardMs: number;
};

export const receivedIntervals = (stream: ReadingStream): Range[] => stream.heard.intervals();

const add = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

export function computeEnergies(
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): Energies {
  const owned = ownedStreams(readings, ownRanges);
  const battery = owned.flatMap(({ stream }) => batteryIntervals(stream));
  const charger = owned.flatMap(({ stream }) => chargerOnlyIntervals(stream));
  return {
    outMj: sumEnergyIn(battery, 'out', range),
    fedBackMj: sumEnergyIn(battery, 'fedBack', range),
    chargedMj: sumEnergyIn(battery, 'charged', range) + sumEnergyIn(charger, 'charged', range),
    knownMs: add(battery.flatMap((interval) => bucketSlicesOf(interval, range)).map(rangeLengthMs)),
    heardMs: ownedTimeIn(owned, range, receivedIntervals),
  };
}

export type DisplayedEnergies = {
  /** kWh; null: unknown, which is not 0. */
  readonly out: number | null;
  readonly fedBack: number | null;
  readonly charged: number | null;
  /** Share of the time with readings in which the energy is known; null: no readings. Shown beside a figure when below 0.95. */
  readonly knownShare: number | null;
};

/** Returns the energies for a screen, not yet rounded. */
export function toDisplayedEnergies({
  outMj,
  fedBackMj,
  chargedMj,
  knownMs,
  heardMs,
}: Energies): DisplayedEnergies {
  const isKnown = knownMs > 0;
  return {
    out: isKnown ? outMj / MJ_PER_KWH : null,
    fedBack: isKnown ? fedBackMj / MJ_PER_KWH : null,
    charged: isKnown || chargedMj > 0 ? chargedMj / MJ_PER_KWH : null,
    knownShare: heardMs > 0 ? knownMs / heardMs : null,
  };
}

export const computeDisplayedEnergies = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): DisplayedEnergies => toDisplayedEnergies(computeEnergies(readings, range, ownRanges));

/** Integers: mJ and ms. */
export type WorkSums = {
  readonly runOutMj: number;
  readonly runInMj: number;
  readonly runKnownMs: number;
  readonly runningMs: number;
  /** Time running while the charging cable charges the batteries. */
  readonly cableMs: number;
};

function sumsOf(owned: readonly OwnedReadingStream[], range: Range): WorkSums {
  const working = owned.flatMap(({ stream }) => batteryIntervals(stream)).filter(({ works }) => works);
  return {
    runOutMj: sumEnergyIn(working, 'out', range),
    runInMj: sumEnergyIn(working, 'fedBack', range),
    runKnownMs: add(working.flatMap((interval) => bucketSlicesOf(interval, range)).map(rangeLengthMs)),
    runningMs: ownedTimeIn(owned, range, runningIntervals),
    cableMs: ownedTimeIn(owned, range, runningIntervalsOnCable),
  };
}

export const computeWorkSums = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): WorkSums => sumsOf(ownedStreams(readings, ownRanges), range);

/** Returns the mean power while running, kW; null: it is known at no time. mJ / ms is W. */
export const workPowerOf = ({ runOutMj, runInMj, runKnownMs }: WorkSums): number | null =>
  runKnownMs === 0 ? null : (runOutMj - runInMj) / runKnownMs / 1000;

/** Returns in which share of the running time without a charging cable the power is known; null: there is no such time. */
export function powerShareOf({ runKnownMs, runningMs, cableMs }: WorkSums): number | null {
  const share = runKnownMs / (runningMs - cableMs);
  // The share is 0 / 0 if the machine ran on the charging cable only.
  return runningMs === 0 || Number.isNaN(share) ? null : Math.min(1, share);
}

export const computeWorkPower = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): number | null => workPowerOf(computeWorkSums(readings, range, ownRanges));

export const computePowerShare = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): number | null => powerShareOf(computeWorkSums(readings, range, ownRanges));

export type DayPower = {
  /** YYYY-MM-DD in Amsterdam. */
  readonly day: string;
  readonly hours: number;
  /** kW. */
  readonly power: number | null;
};

const AMSTERDAM = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
export const amsterdamDayOf = (time: number): string => AMSTERDAM.format(time);

/** Returns the part of the range with readings, cut at midnight in Amsterdam, where a bucket of 5 min always begins. */
function daysOf(range: Range, owned: readonly OwnedReadingStream[]): Range[] {
  const readings = owned.flatMap(({ stream }) => stream.readings);
  const times = readings.map(({ time }) => time);
  // No interval begins before the first reading or ends after the last one.
  const first = Math.max(
    range.from,
    times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
  );
  const last = Math.min(
    range.to,
    times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  );
  const days: Range[] = [];
  for (let from = first; from < last; ) {
    let to = Math.floor(from / MS_PER_HOUR) * MS_PER_HOUR + MS_PER_HOUR;
    while (amsterdamDayOf(to) === amsterdamDayOf(from)) to += MS_PER_HOUR;
    days.push({ from, to: Math.min(to, last) });
    from = to;
  }
  return days;
}

/** Returns the running time and the mean power while running per day in Amsterdam, for days that have either. */
export function powerOfDays(
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): DayPower[] {
  const owned = ownedStreams(readings, ownRanges);
  return daysOf(range, owned)
    .map((day) => {
      const sums = sumsOf(owned, day);
      return { day: amsterdamDayOf(day.from), hours: sums.runningMs / MS_PER_HOUR, power: workPowerOf(sums) };
    })
    .filter(({ hours, power }) => hours > 0 || power !== null);
}

/** Returns the energy fed back per day in Amsterdam, kWh, for days with any. */
export const energyFedBackByDay = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): { date: string; kWh: number }[] =>
  daysOf(range, ownedStreams(readings, ownRanges))
    .map((day) => ({
      date: amsterdamDayOf(day.from),
      kWh: computeEnergies(readings, day, ownRanges).fedBackMj / MJ_PER_KWH,
    }))
    .filter(({ kWh }) => kWh > 0);
