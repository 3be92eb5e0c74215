import type { Reading } from '#shared/domain/signal.ts';
import { withCountingValues } from './counting.ts';

/**
 * The two rules that make all figures (docs/figures.md section 2): a leading value makes a stretch up to the next value
 * of its own signal, and every other signal is read once, at the instant of the leading value.
 *
 * This folder counts the figures from the rules alone, over plain arrays of stored readings in any order, to check the
 * portal's own sums against. It imports nothing of the portal but the type of a reading.
 */

/** Ms; inclusive: 5:00.000 counts, 5:00.001 does not. */
export const FIVE_MINUTES = 300_000;

/** V, of a current without a voltage nearby. */
export const ASSUMED_VOLTAGE = 700;

/** [from, to), ms since 1970. */
export type Range = { readonly from: number; readonly to: number };

export const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A value of one signal; time in ms since 1970. */
export type Point = { readonly time: number; readonly value: number };

/** The time [from, to) over which a leading value holds, ms since 1970. */
export type Stretch = Range & { readonly value: number };

/** The stored values of one signal. */
export class Track {
  readonly points: readonly Point[];

  constructor(points: readonly Point[]) {
    this.points = points.toSorted((a, b) => a.time - b.time);
  }

  /** Every value with the time to the next one, where that is at most 5 min; the last value has none. */
  stretches(): Stretch[] {
    const stretches: Stretch[] = [];
    for (const [n, { time, value }] of this.points.entries()) {
      const next = this.points[n + 1];
      if (next !== undefined && next.time - time <= FIVE_MINUTES) {
        stretches.push({ from: time, to: next.time, value });
      }
    }
    return stretches;
  }

  /** The last value at or before t, at most 5 min old; else unknown. */
  before(t: number): number | undefined {
    const last = this.points[this.#countUpTo(t) - 1];
    return last !== undefined && t - last.time <= FIVE_MINUTES ? last.value : undefined;
  }

  /** The first value after t, at most 5 min later. */
  after(t: number): number | undefined {
    const first = this.points[this.#countUpTo(t)];
    return first !== undefined && first.time - t <= FIVE_MINUTES ? first.value : undefined;
  }

  /** Whether there is a value within 5 min of t: before, at or after it. */
  isNear(t: number): boolean {
    return this.before(t) !== undefined || this.after(t) !== undefined;
  }

  /** How many values lie at or before t. */
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
 * A name `message.signal` is of a kept signal and feeds no figure, whatever its message is called (docs/figures.md
 * section 1.6).
 */
export const isKept = (name: string): boolean => name.includes('.');

export const isFlag = (name: string): boolean => name.startsWith('IsCharging') && !isKept(name);

/** Stored readings in order of time, and a track of each signal in them. */
export class Stream {
  readonly readings: readonly Reading[];
  /** When anything was heard; each value is 1. */
  readonly heard: Track;
  readonly names: readonly string[];
  readonly flags: readonly Track[];
  readonly #tracks: ReadonlyMap<string, Track>;

  /** Time of the machine's first MotorSpeed, also under a former owner, ms. */
  readonly firstMotor: number;

  constructor(readings: readonly Reading[], firstMotor = firstMotorOf(readings)) {
    this.firstMotor = firstMotor;
    this.readings = readings.toSorted((a, b) => a.time - b.time);
    this.heard = new Track(this.readings.map(({ time }) => ({ time, value: 1 })));
    if (new Set(this.readings.map(({ time }) => time)).size < this.readings.length) {
      throw new Error('Two stored readings have one time: merge them first.');
    }
    const points = new Map<string, Point[]>();
    for (const { time, signals } of this.readings) {
      for (const [name, value] of Object.entries(signals)) {
        const list = points.get(name) ?? [];
        list.push({ time, value });
        points.set(name, list);
      }
    }
    this.#tracks = new Map([...points].map(([name, list]) => [name, new Track(list)]));
    this.names = [...this.#tracks.keys()];
    this.flags = this.names.filter(isFlag).map((name) => this.track(name));
  }

  /** Without values where no reading has the signal. */
  track(name: string): Track {
    return this.#tracks.get(name) ?? new Track([]);
  }
}

export const firstMotorOf = (readings: readonly Reading[]): number =>
  readings.reduce(
    (first, { time, signals }) => (signals.MotorSpeed === undefined ? first : Math.min(first, time)),
    Number.POSITIVE_INFINITY,
  );

/** What a question about one instant is asked of; a stream answers many of them without sorting again. */
export type Readings = readonly Reading[] | Stream;
export const streamOf = (readings: Readings): Stream =>
  readings instanceof Stream ? readings : new Stream(readings);

/** The intervals in order, those that touch or overlap joined. */
function joined(intervals: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else if (from < to) result.push({ from, to });
  }
  return result;
}

/** What a caller may see: one of its intervals, and the readings in it. Outside it no reading exists. */
export type Owned = { readonly interval: Range; readonly stream: Stream };

export const ownedStreams = (
  readings: readonly Reading[],
  intervals: readonly Range[] = [ALWAYS],
): readonly Owned[] => {
  const counting = withCountingValues(readings);
  return joined(intervals).map((interval) => ({
    interval,
    stream: new Stream(
      counting.filter(({ time }) => isIn(interval, time)),
      firstMotorOf(readings),
    ),
  }));
};

export const isIn = ({ from, to }: Range, time: number): boolean => from <= time && time < to;

export function overlapOf(a: Range, b: Range): Range | undefined {
  const from = Math.max(a.from, b.from);
  const to = Math.min(a.to, b.to);
  return from < to ? { from, to } : undefined;
}

/** The start of the 5-minute bucket that t lies in. */
export const bucketOf = (t: number): number => Math.floor(t / FIVE_MINUTES) * FIVE_MINUTES;

/** The part of a stretch inside the range, cut at multiples of 5 min since 1970. */
export function piecesOf(stretch: Range, range: Range): Range[] {
  const inside = overlapOf(stretch, range);
  if (inside === undefined) return [];
  const pieces: Range[] = [];
  for (let { from } = inside; from < inside.to; ) {
    const to = Math.min(bucketOf(from) + FIVE_MINUTES, inside.to);
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}

export const length = ({ from, to }: Range): number => to - from;

/** Ms of the stretches inside the range. */
export const timeIn = (stretches: readonly Range[], range: Range): number =>
  stretches.flatMap((stretch) => piecesOf(stretch, range)).reduce((sum, piece) => sum + length(piece), 0);

const VOLTAGE_OF = { BatteryCurrent: 'BatteryVoltage', ChargingCurrent: 'ChargingVoltage' } as const;
export type Current = keyof typeof VOLTAGE_OF;

/** V of a current at t: the last value before or at t, else the first after it, both within 5 min; else 700. */
export function tension(readings: Readings, current: Current, t: number): number {
  const voltage = streamOf(readings).track(VOLTAGE_OF[current]);
  return voltage.before(t) ?? voltage.after(t) ?? ASSUMED_VOLTAGE;
}

/** Whether one of the values says that it moves. */
const isMotion = (rpm: number, speed: number): boolean => Math.abs(rpm) > 150 || Math.abs(speed) >= 1;

/** By the values at t: MotorSpeed is known, and neither it nor Speed says that the machine moves. */
export function standsBy(stream: Stream, t: number): boolean {
  const rpm = stream.track('MotorSpeed').before(t);
  return rpm !== undefined && !isMotion(rpm, stream.track('Speed').before(t) ?? 0);
}

/** When a value said that it moves, in order of time. */
const motionsOf = (stream: Stream): number[] =>
  stream.readings
    .filter(({ signals }) => isMotion(signals.MotorSpeed ?? 0, signals.Speed ?? 0))
    .map(({ time }) => time);
const motions = new WeakMap<Stream, readonly number[]>();
function motionTimes(stream: Stream): readonly number[] {
  const known = motions.get(stream) ?? motionsOf(stream);
  motions.set(stream, known);
  return known;
}

/** Whether the machine stands still at t, and did not move in the minute before. */
export const stands = (stream: Stream, t: number): boolean =>
  standsBy(stream, t) && !motionTimes(stream).some((time) => t - 60_000 <= time && time <= t);

/** The first moment in (from, to] at which it moves; undefined: none. */
export const motionIn = (stream: Stream, from: number, to: number): number | undefined =>
  motionTimes(stream).find((time) => from < time && time <= to);

/** By the values at t: current goes into the battery while the machine stands still. */
export const takes = (stream: Stream, t: number): boolean =>
  (stream.track('BatteryCurrent').before(t) ?? 0) < -1 && standsBy(stream, t);

/** Whether the machine charges by the values at t: the live state, mails and alerts. */
export const charges = (stream: Stream, t: number): boolean =>
  cable(stream, t) === 'charging' ||
  (stream.track('ChargingCurrent').before(t) === undefined && takes(stream, t));

export type Cable = 'charging' | 'perhaps' | 'no';

const largest = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** The largest flag at t; undefined where none is known. */
export const flagAt = (stream: Stream, t: number): number | undefined =>
  largest(stream.flags.map((track) => track.before(t)));

/** Whether the machine hangs on the cable at t: the table of docs/figures.md section 2. */
export function cable(readings: Readings, t: number): Cable {
  const stream = streamOf(readings);
  const flag = flagAt(stream, t);
  if (flag === undefined) {
    const coming = largest(stream.flags.map((track) => track.after(t)));
    return coming !== undefined && coming >= 1 ? 'perhaps' : 'no';
  }
  if (flag < 1) return 'no';
  const current = stream.track('ChargingCurrent').before(t);
  if (current === undefined) return 'perhaps';
  return current > 1 ? 'charging' : 'no';
}
