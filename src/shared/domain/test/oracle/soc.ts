import type { Reading } from '#shared/domain/signal.ts';
import {
  bucketOf,
  FIVE_MINUTES_IN_MS,
  isInRange,
  isKeptSignalName,
  type OwnedReadingStream,
  ownedStreams,
  type Range,
  type ReadingStream,
  type Readings,
  type SignalPoint,
  SignalTrack,
  toReadingStream,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes the state of charge, %, as docs/figures.md section 7 defines. */

const MAX_PACKS = 8;

/** Returns the pack of a signal's name, 1 to 8; undefined: it belongs to no pack. */
export function packNumberOf(name: string): number | undefined {
  if (!/^soc/i.test(name) || isKeptSignalName(name)) return undefined;
  const pack = Number(/\d+/.exec(name)?.[0] ?? 1);
  return pack >= 1 && pack <= MAX_PACKS ? pack : undefined;
}

function byCodePoints(a: string, b: string): number {
  const [pointsOfA, pointsOfB] = [a, b].map((name) => [...name].map((char) => char.codePointAt(0) ?? 0));
  for (const [n, point] of (pointsOfA ?? []).entries()) {
    const other = pointsOfB?.[n];
    if (other === undefined) return 1;
    if (point !== other) return point - other;
  }
  return a.length - b.length;
}

/**
 * Sorts the names of one pack, the preferred name first: names that are exactly soc<n>, then all other names, both in alphabetical order.
 */
export function rankPackNames(names: readonly string[]): string[] {
  const isExact = (name: string): boolean => name.toLowerCase() === `soc${packNumberOf(name)}`;
  return names.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)) || byCodePoints(a, b));
}

/** Groups names by pack, in order of the packs, with the preferred name of each pack first. */
function namesOfPacks(names: readonly string[]): [pack: number, names: string[]][] {
  const packs = new Map<number, string[]>();
  for (const name of names) {
    const pack = packNumberOf(name);
    if (pack !== undefined) packs.set(pack, [...(packs.get(pack) ?? []), name]);
  }
  return [...packs]
    .map(([pack, list]): [number, string[]] => [pack, rankPackNames(list)])
    .sort(([a], [b]) => a - b);
}

/** Returns the value of each pack's preferred name, from the signals of one instant or live data. */
export function socByPack(signals: Readonly<Record<string, number>>): Map<number, number> {
  const values = new Map<number, number>();
  for (const [pack, [best]] of namesOfPacks(Object.keys(signals))) {
    const value = best === undefined ? undefined : signals[best];
    if (value !== undefined) values.set(pack, value);
  }
  return values;
}

/** Returns the values of each pack that count, in order of time. */
export function socPointsOf(stream: ReadingStream): Map<number, SignalPoint[]> {
  const result = new Map<number, SignalPoint[]>();
  for (const [pack, names] of namesOfPacks(stream.names)) {
    const points = names.flatMap((name, rank) => {
      const better = names.slice(0, rank).map((other) => stream.track(other));
      return stream
        .track(name)
        .points.filter(({ time }) => better.every((b) => b.before(time) === undefined));
    });
    result.set(pack, [...new SignalTrack(points).points]);
  }
  return result;
}

/** A charge level of one battery pack that the figures use; time in ms since 1970, value in %. */
export type SocPoint = SignalPoint & { readonly pack: number };

/** Returns the charge levels in a range that the figures use, in order of time and pack. */
export const socPoints = (
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): SocPoint[] =>
  ownedStreams(readings, ownRanges)
    .flatMap(({ stream }) =>
      [...socPointsOf(stream)].flatMap(([pack, points]) => points.map((point) => ({ pack, ...point }))),
    )
    .filter(({ time }) => isInRange(range, time))
    .sort((a, b) => a.time - b.time || a.pack - b.pack);

export type SocMean = {
  /** Unweighted mean of the packs that have a value, %; undefined: none has one. */
  readonly mean: number | undefined;
  /** Whether every listed pack has a value. */
  readonly isOfAll: boolean;
};

export function meanOfPacks(values: ReadonlyMap<number, number>, listed: readonly number[] = []): SocMean {
  const sum = [...values.values()].reduce((a, b) => a + b, 0);
  return {
    mean: values.size === 0 ? undefined : sum / values.size,
    isOfAll: values.size > 0 && listed.every((pack) => values.has(pack)),
  };
}

/** Returns the value of each pack at t: of its preferred name among those with a value at most 5 min old. */
export function socByPackAt(stream: ReadingStream, t: number): Map<number, number> {
  const signals: Record<string, number> = {};
  for (const name of stream.names) {
    const value = packNumberOf(name) === undefined ? undefined : stream.track(name).before(t);
    if (value !== undefined) signals[name] = value;
  }
  return socByPack(signals);
}

/** Returns the mean at an instant. @param listed the packs in the machine's record */
export const meanSocAt = (readings: Readings, t: number, listed: readonly number[] = []): SocMean =>
  meanOfPacks(socByPackAt(toReadingStream(readings), t), listed);

/** Returns the value for a screen: clamped to 0 .. 100. */
export const clampSoc = (value: number): number => Math.min(100, Math.max(0, value));

export type SocSummary = {
  readonly pack: number;
  readonly begin: number;
  readonly end: number;
  readonly lowest: number;
  readonly highest: number;
};

/** Returns the first, last, lowest and highest value of each pack in a range. */
export function socSummary(
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): SocSummary[] {
  const points = socPoints(readings, range, ownRanges);
  const packs = [...new Set(points.map(({ pack }) => pack))].sort((a, b) => a - b);
  return packs.map((pack) => {
    const values = points.filter((point) => point.pack === pack).map(({ value }) => value);
    const { lowest, highest } = extremesOf(values);
    return { pack, begin: values[0] ?? Number.NaN, end: values.at(-1) ?? Number.NaN, lowest, highest };
  });
}

export const extremesOf = (values: readonly number[]): { lowest: number; highest: number } => ({
  lowest: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
  highest: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
});

/** Lowest and highest of a bucket's values, and their sum in thousandths: a sum of integers does not depend on the order. */
export type BucketSums = {
  readonly min: number;
  readonly max: number;
  readonly sumMilli: number;
  readonly count: number;
};

/** Returns the sums of one bucket's values. */
export function bucketSumsOf(values: readonly number[]): BucketSums {
  const { lowest, highest } = extremesOf(values);
  const sumMilli = values.reduce((sum, value) => sum + Math.floor(1000 * value + 0.5), 0);
  return { min: lowest, max: highest, sumMilli, count: values.length };
}

/** Returns the mean of a bucket's values, %. */
export const meanSocOfBucket = ({ sumMilli, count }: BucketSums): number => sumMilli / count / 1000;

/** Returns the sums of the values per bucket; buckets begin at multiples of `width` ms since 1970. */
export function sumValuesByBucket(
  points: readonly SignalPoint[],
  width: number = FIVE_MINUTES_IN_MS,
): Map<number, BucketSums> {
  const buckets = new Map<number, number[]>();
  for (const { time, value } of points) {
    const start = Math.floor(time / width) * width;
    const values = buckets.get(start) ?? [];
    values.push(value);
    buckets.set(start, values);
  }
  return new Map([...buckets].map(([start, values]) => [start, bucketSumsOf(values)]));
}

/** Returns per 5-minute bucket which battery packs have a charge level in it. */
export function packsByBucket({ stream }: OwnedReadingStream): Map<number, Set<number>> {
  const packs = new Map<number, Set<number>>();
  for (const [pack, points] of socPointsOf(stream)) {
    for (const { time } of points) {
      const bucket = bucketOf(time);
      packs.set(bucket, (packs.get(bucket) ?? new Set()).add(pack));
    }
  }
  return packs;
}
