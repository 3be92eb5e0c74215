import type { Reading } from '#shared/domain/signal.ts';
import { withoutUnusedValues } from './counting.ts';

/**
 * The two rules behind all figures (docs/figures.md section 2). Each figure has one leading signal, whose value holds for an interval up
 * to the next value of that signal; every other signal is read once, at the start of that interval.
 *
 * This folder computes the figures from the rules alone, over plain arrays of stored readings in any order, as a check of the portal's own
 * sums. It imports only the type of a reading and the list of known signals from the portal's code.
 */

/** Longest time, ms, for which a value counts: 5:00.000 counts, 5:00.001 does not. */
export const FIVE_MINUTES_IN_MS = 300_000;

/** V, assumed for a current without a voltage nearby. */
export const ASSUMED_VOLTAGE = 700;

/** An interval [from, to), ms since 1970. */
export type Range = { readonly from: number; readonly to: number };

export const UNLIMITED_RANGE: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A value of one signal; time in ms since 1970. */
export type SignalPoint = { readonly time: number; readonly value: number };

/** A value of a signal and the interval [from, to), ms since 1970, for which it holds: until the signal's next value. */
export type Interval = Range & { readonly value: number };

/** The stored values of one signal. */
export class SignalTrack {
  readonly points: readonly SignalPoint[];

  constructor(points: readonly SignalPoint[]) {
    this.points = points.toSorted((a, b) => a.time - b.time);
  }

  /** Returns each value that the next value follows within 5 min, with the interval between the two; the last value has no interval. */
  intervals(): Interval[] {
    const intervals: Interval[] = [];
    for (const [n, { time, value }] of this.points.entries()) {
      const next = this.points[n + 1];
      if (next !== undefined && next.time - time <= FIVE_MINUTES_IN_MS) {
        intervals.push({ from: time, to: next.time, value });
      }
    }
    return intervals;
  }

  /** Returns the last value at or before t, at most 5 min old; undefined: unknown. */
  before(t: number): number | undefined {
    const last = this.points[this.#countUpTo(t) - 1];
    return last !== undefined && t - last.time <= FIVE_MINUTES_IN_MS ? last.value : undefined;
  }

  /** Returns the first value after t, at most 5 min later; undefined: unknown. */
  after(t: number): number | undefined {
    const first = this.points[this.#countUpTo(t)];
    return first !== undefined && first.time - t <= FIVE_MINUTES_IN_MS ? first.value : undefined;
  }

  /** Returns whether there is a value within 5 min of t: before, at or after it. */
  isNear(t: number): boolean {
    return this.before(t) !== undefined || this.after(t) !== undefined;
  }

  /** Returns the number of values at or before t. */
  #countUpTo(t: number): number {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const point = this.points[middle];
      if (point !== undefined && point.time <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Returns whether a name (`message.signal`) is that of a kept signal, which feeds no figure, whatever its message is called
 * (docs/figures.md section 1.6).
 */
export const isKeptSignalName = (name: string): boolean => name.includes('.');

export const isChargingFlagName = (name: string): boolean =>
  name.startsWith('IsCharging') && !isKeptSignalName(name);

/** Stored readings in order of time, and a track of each signal in them. */
export class ReadingStream {
  readonly readings: readonly Reading[];
  /** The times of all readings; each value is 1. */
  readonly heard: SignalTrack;
  readonly names: readonly string[];
  readonly flags: readonly SignalTrack[];
  readonly #tracks: ReadonlyMap<string, SignalTrack>;

  /** Time of the machine's first MotorSpeed, also under a former owner, ms. */
  readonly firstMotor: number;

  constructor(readings: readonly Reading[], firstMotor = firstMotorSpeedTime(readings)) {
    this.firstMotor = firstMotor;
    this.readings = readings.toSorted((a, b) => a.time - b.time);
    this.heard = new SignalTrack(this.readings.map(({ time }) => ({ time, value: 1 })));
    if (new Set(this.readings.map(({ time }) => time)).size < this.readings.length) {
      throw new Error('Two stored readings have one time: merge them first.');
    }
    const points = new Map<string, SignalPoint[]>();
    for (const { time, signals } of this.readings) {
      for (const [name, value] of Object.entries(signals)) {
        const list = points.get(name) ?? [];
        list.push({ time, value });
        points.set(name, list);
      }
    }
    this.#tracks = new Map([...points].map(([name, list]) => [name, new SignalTrack(list)]));
    this.names = [...this.#tracks.keys()];
    this.flags = this.names.filter(isChargingFlagName).map((name) => this.track(name));
  }

  /** Returns the track of a signal, without values if no reading has the signal. */
  track(name: string): SignalTrack {
    return this.#tracks.get(name) ?? new SignalTrack([]);
  }
}

export const firstMotorSpeedTime = (readings: readonly Reading[]): number =>
  readings.reduce(
    (first, { time, signals }) => (signals.MotorSpeed === undefined ? first : Math.min(first, time)),
    Number.POSITIVE_INFINITY,
  );

/** Input of the functions about one instant; a stream avoids sorting the readings again for each call. */
export type Readings = readonly Reading[] | ReadingStream;
export const toReadingStream = (readings: Readings): ReadingStream =>
  readings instanceof ReadingStream ? readings : new ReadingStream(readings);

/** Returns the ranges in order, with touching or overlapping ones joined. */
function joined(ownRanges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { from, to } of ownRanges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else if (from < to) result.push({ from, to });
  }
  return result;
}

/** One range of a caller's ownership and the readings in it; readings outside it do not exist for the caller. */
export type OwnedReadingStream = { readonly ownRange: Range; readonly stream: ReadingStream };

export const ownedStreams = (
  readings: readonly Reading[],
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): readonly OwnedReadingStream[] => {
  const counting = withoutUnusedValues(readings);
  return joined(ownRanges).map((ownRange) => ({
    ownRange,
    stream: new ReadingStream(
      counting.filter(({ time }) => isInRange(ownRange, time)),
      firstMotorSpeedTime(readings),
    ),
  }));
};

export const isInRange = ({ from, to }: Range, time: number): boolean => from <= time && time < to;

export function overlapOf(a: Range, b: Range): Range | undefined {
  const from = Math.max(a.from, b.from);
  const to = Math.min(a.to, b.to);
  return from < to ? { from, to } : undefined;
}

/** Returns the start of the 5-minute bucket in which t lies. */
export const bucketOf = (t: number): number => Math.floor(t / FIVE_MINUTES_IN_MS) * FIVE_MINUTES_IN_MS;

/** Returns the part of an interval inside the range, cut at multiples of 5 min since 1970. */
export function bucketSlicesOf(interval: Range, range: Range): Range[] {
  const inside = overlapOf(interval, range);
  if (inside === undefined) return [];
  const pieces: Range[] = [];
  for (let { from } = inside; from < inside.to; ) {
    const to = Math.min(bucketOf(from) + FIVE_MINUTES_IN_MS, inside.to);
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}

export const rangeLengthMs = ({ from, to }: Range): number => to - from;

/** Returns the time of the intervals inside the range, ms. */
export const timeInsideRangeMs = (intervals: readonly Range[], range: Range): number =>
  intervals
    .flatMap((interval) => bucketSlicesOf(interval, range))
    .reduce((sum, piece) => sum + rangeLengthMs(piece), 0);

const VOLTAGE_OF = { BatteryCurrent: 'BatteryVoltage', ChargingCurrent: 'ChargingVoltage' } as const;
export type ElectricCurrentSignal = keyof typeof VOLTAGE_OF;

/** Returns the voltage of a current at t: the last value before or at t, else the first after it, both within 5 min; else 700. */
export function voltageOfCurrent(readings: Readings, current: ElectricCurrentSignal, t: number): number {
  const voltage = toReadingStream(readings).track(VOLTAGE_OF[current]);
  return voltage.before(t) ?? voltage.after(t) ?? ASSUMED_VOLTAGE;
}

/** Returns whether MotorSpeed or Speed shows that the machine moves. */
const isMotion = (rpm: number, speed: number): boolean => Math.abs(rpm) > 150 || Math.abs(speed) >= 1;

/** Returns whether at t MotorSpeed is known, and neither it nor Speed shows that the machine moves. */
export function isNotMovingAt(stream: ReadingStream, t: number): boolean {
  const rpm = stream.track('MotorSpeed').before(t);
  return rpm !== undefined && !isMotion(rpm, stream.track('Speed').before(t) ?? 0);
}

/** Returns the times at which a value shows that the machine moves, in order. */
const motionsOf = (stream: ReadingStream): number[] =>
  stream.readings
    .filter(({ signals }) => isMotion(signals.MotorSpeed ?? 0, signals.Speed ?? 0))
    .map(({ time }) => time);
const motions = new WeakMap<ReadingStream, readonly number[]>();
function motionTimes(stream: ReadingStream): readonly number[] {
  const known = motions.get(stream) ?? motionsOf(stream);
  motions.set(stream, known);
  return known;
}

/** Returns whether the machine stands still at t, and did not move in the minute before. */
export const isStandingStillAt = (stream: ReadingStream, t: number): boolean =>
  isNotMovingAt(stream, t) && !motionTimes(stream).some((time) => t - 60_000 <= time && time <= t);

/** Returns the first time in (from, to] at which the machine moves; undefined: none. */
export const firstMotionIn = (stream: ReadingStream, from: number, to: number): number | undefined =>
  motionTimes(stream).find((time) => from < time && time <= to);

/** Returns whether at t current flows into the battery while the machine stands still. */
export const isTakingCurrentAt = (stream: ReadingStream, t: number): boolean =>
  (stream.track('BatteryCurrent').before(t) ?? 0) < -1 && isNotMovingAt(stream, t);

/** Returns whether the machine charges by the values at t, as live data, mails and alerts define charging. */
export const isChargingAt = (stream: ReadingStream, t: number): boolean =>
  cableStateAt(stream, t) === 'charging' ||
  (stream.track('ChargingCurrent').before(t) === undefined && isTakingCurrentAt(stream, t));

export type CableState = 'charging' | 'perhaps' | 'no';

const largest = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** Returns the largest flag at t; undefined: none is known. */
export const chargingFlagAt = (stream: ReadingStream, t: number): number | undefined =>
  largest(stream.flags.map((track) => track.before(t)));

/** Returns whether the machine is on the charging cable at t, by the table of docs/figures.md section 2. */
export function cableStateAt(readings: Readings, t: number): CableState {
  const stream = toReadingStream(readings);
  const flag = chargingFlagAt(stream, t);
  if (flag === undefined) {
    const coming = largest(stream.flags.map((track) => track.after(t)));
    return coming !== undefined && coming >= 1 ? 'perhaps' : 'no';
  }
  if (flag < 1) return 'no';
  const current = stream.track('ChargingCurrent').before(t);
  if (current === undefined) return 'perhaps';
  return current > 1 ? 'charging' : 'no';
}
