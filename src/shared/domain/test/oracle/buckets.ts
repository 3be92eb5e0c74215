import type { Reading } from '#shared/domain/signal.ts';
import { unusedPositionReasons, withoutUnusedValues } from './counting.ts';
import {
  batteryIntervals,
  chargedIntervals,
  chargerOnlyIntervals,
  largestWatts,
  millijoules,
  type PowerInterval,
  receivedIntervals,
} from './energy.ts';
import { chargingIntervals, fullIntervals, runningIntervals, runningIntervalsOnCable } from './hours.ts';
import { addedDistancesMm, type Place, positionsOf } from './path.ts';
import { type BucketSums, bucketSumsOf, extremesOf, socPointsOf } from './soc.ts';
import {
  bucketOf,
  bucketSlicesOf,
  FIVE_MINUTES_IN_MS,
  firstMotorSpeedTime,
  isChargingFlagName,
  type Range,
  ReadingStream,
  rangeLengthMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes the roll-up's 5-minute buckets of the whole stream, as docs/figures.md section 11 defines. */

/** Sums of a bucket, as integers: ms, mJ and mm. */
export type Sums = {
  runningMs: number;
  chargingMs: number;
  /** The part of chargingMs at a mean charge level of 99 % or more. */
  fullMs: number;
  /** Time in which the motor runs while the charging cable charges the batteries. */
  cableMs: number;
  heardMs: number;
  knownMs: number;
  runKnownMs: number;
  outMj: number;
  /** Energy fed back into the batteries. */
  inMj: number;
  chargedMj: number;
  runOutMj: number;
  runInMj: number;
  distanceMm: number;
  /** The part of distanceMm that was not driven. */
  carriedMm: number;
  /** Number of positions that do not count, by reason. */
  unusedNoFix: number;
  unusedNullIsland: number;
  unusedJumps: number;
};

export type Box = {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
};

export type Bucket = Sums & {
  /** Levels (%) of packs 1 to 8 in order; undefined where a pack has no value. */
  readonly packs: readonly (BucketSums | undefined)[];
  /** Lowest and highest speed, km/h. */
  readonly speed: { readonly min: number; readonly max: number } | undefined;
  /** The highest power, W, of the charging intervals that overlap the bucket; undefined: there are none. */
  readonly chargeWatts: number | undefined;
  /** The bounding box of all positions, degrees. */
  readonly box: Box | undefined;
  /** Extremes of ChargingCurrent (A), and of all charging flags; undefined: no reading has one. */
  readonly chargingCurrent: { readonly min: number; readonly max: number } | undefined;
  readonly chargingFlag: { readonly min: number; readonly max: number } | undefined;
  /** Number of readings. */
  readonly count: number;
};

const PACKS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

const nothing = (): Sums => ({
  runningMs: 0,
  chargingMs: 0,
  fullMs: 0,
  cableMs: 0,
  heardMs: 0,
  knownMs: 0,
  runKnownMs: 0,
  outMj: 0,
  inMj: 0,
  chargedMj: 0,
  runOutMj: 0,
  runInMj: 0,
  distanceMm: 0,
  carriedMm: 0,
  unusedNoFix: 0,
  unusedNullIsland: 0,
  unusedJumps: 0,
});

/** Groups values by the bucket in which they lie. */
function byBucket<T extends { readonly time: number }>(points: readonly T[]): Map<number, T[]> {
  const buckets = new Map<number, T[]>();
  for (const point of points) {
    const start = bucketOf(point.time);
    const list = buckets.get(start) ?? [];
    list.push(point);
    buckets.set(start, list);
  }
  return buckets;
}

/** Returns the buckets by start (ms since 1970), in order, without empty buckets. */
export function computeBuckets(
  readings: readonly Reading[],
  firstMotor = firstMotorSpeedTime(readings),
): Map<number, Bucket> {
  const stream = new ReadingStream(withoutUnusedValues(readings), firstMotor);
  const sums = new Map<number, Sums>();
  const at = (time: number): Sums => {
    const start = bucketOf(time);
    const there = sums.get(start) ?? nothing();
    sums.set(start, there);
    return there;
  };
  const addTime = (key: keyof Sums, intervals: readonly Range[]): void => {
    for (const piece of intervals.flatMap((interval) => bucketSlicesOf(interval, UNLIMITED_RANGE))) {
      at(piece.from)[key] += rangeLengthMs(piece);
    }
  };
  const addEnergy = (key: keyof Sums, intervals: readonly PowerInterval[]): void => {
    for (const interval of intervals) {
      for (const piece of bucketSlicesOf(interval, UNLIMITED_RANGE))
        at(piece.from)[key] += millijoules(interval.watts, piece);
    }
  };
  const battery = batteryIntervals(stream);
  const flowing = (flow: PowerInterval['flow'], list: readonly PowerInterval[] = battery): PowerInterval[] =>
    list.filter((interval) => interval.flow === flow);
  const working = battery.filter(({ works }) => works);

  addTime('runningMs', runningIntervals(stream));
  addTime('chargingMs', chargingIntervals(stream));
  addTime('fullMs', fullIntervals(stream));
  addTime('cableMs', runningIntervalsOnCable(stream));
  addTime('heardMs', receivedIntervals(stream));
  addTime('knownMs', battery);
  addTime('runKnownMs', working);
  addEnergy('outMj', flowing('out'));
  addEnergy('inMj', flowing('fedBack'));
  addEnergy('chargedMj', [...flowing('charged'), ...chargerOnlyIntervals(stream)]);
  addEnergy('runOutMj', flowing('out', working));
  addEnergy('runInMj', flowing('fedBack', working));
  for (const { time, mm, carriedMm } of addedDistancesMm(stream)) {
    at(time).distanceMm += mm;
    at(time).carriedMm += carriedMm;
  }
  for (const [time, reason] of unusedPositionReasons(readings)) at(time)[reason] += 1;
  for (const { time } of stream.readings) at(time);

  const packs = socPointsOf(stream);
  const socOf = PACKS.map((pack) => byBucket(packs.get(pack) ?? []));
  const speeds = byBucket(stream.track('Speed').points);
  const currents = byBucket(stream.track('ChargingCurrent').points);
  const flags = byBucket(
    stream.readings.flatMap(({ time, signals }) =>
      Object.entries(signals).flatMap(([name, value]) => (isChargingFlagName(name) ? [{ time, value }] : [])),
    ),
  );
  const positions = byBucket(positionsOf(stream));
  const charged = chargedIntervals(stream);
  const counts = byBucket(stream.readings);
  return new Map(
    [...sums]
      .sort(([a], [b]) => a - b)
      .map(([start, bucket]) => {
        return [
          start,
          {
            ...bucket,
            packs: socOf.map((ofPack) => valuesOf(ofPack.get(start))),
            speed: bordersOf(speeds.get(start)),
            chargingCurrent: bordersOf(currents.get(start)),
            chargingFlag: bordersOf(flags.get(start)),
            chargeWatts: largestWatts(charged, { from: start, to: start + FIVE_MINUTES_IN_MS }),
            box: boxOf(positions.get(start) ?? []),
            count: counts.get(start)?.length ?? 0,
          },
        ];
      }),
  );
}

const valuesOf = (points: readonly { readonly value: number }[] | undefined): BucketSums | undefined =>
  points === undefined ? undefined : bucketSumsOf(points.map(({ value }) => value));

function bordersOf(points: readonly { readonly value: number }[] | undefined) {
  const values = valuesOf(points);
  return values && { min: values.min, max: values.max };
}

function boxOf(positions: readonly Place[]): Box | undefined {
  if (positions.length === 0) return undefined;
  const { lowest: south, highest: north } = extremesOf(positions.map(({ lat }) => lat));
  const { lowest: west, highest: east } = extremesOf(positions.map(({ lon }) => lon));
  return { south, west, north, east };
}
