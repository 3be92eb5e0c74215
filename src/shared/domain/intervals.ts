/**
 * What the readings of one stream add up to: the rule that the SQL roll-up must reproduce (docs/design.md sections
 * 6 and 8; MDET-05, MDET-08).
 *
 * Readings in order of time make intervals [t0, t1). An interval carries the state of its earlier reading; one
 * longer than MAX_GAP_MS counts for nothing, the last reading has none. Each interval is first split at bucket
 * boundaries, then each piece is rounded to whole joules: so a bucket is made of integers, and sums are exact
 * and do not depend on order. Numbers are IEEE doubles and the order of operations is as written here:
 *
 *   joules of a piece = floor(|W| x ms / 1000 + 0.5)                          W from battery.ts: A x V
 *   outJ       W > 0, charging or not
 *   inJ        W < 0 and not charging (machine-status.ts): fed back while working
 *   chargedJ   W < 0 and charging; charging without a BatteryCurrent: ChargingCurrent x (ChargingVoltage, else
 *              700 V) where positive
 *   runningMs  MotorSpeed > 150, charging or not
 *   distanceMm floor(metres x 1000 + 0.5), metres by distance.ts from t0's position to t1's; both must have one
 *              (position.ts) in that very reading. Not split: whole, in the bucket of t0. Sine and arcsine may
 *              differ in the last bit between machines, so allow 1 mm per interval
 *   soc        of a reading: the mean of its soc* signals, added in order of name;
 *              in thousandths of a percent floor(mean x 1000 + 0.5)
 *   speed      the lowest and highest Speed of the bucket's readings
 */

import { powerWatts } from './battery.ts';
import { distanceMetres } from './distance.ts';
import { isCharging, isRunning } from './machine-status.ts';
import { positionOf } from './position.ts';
import { isSocSignal, type Reading, type Signals } from './signal.ts';

/** ms; an interval of exactly this counts, a longer one is a gap. Not above BUCKET_MS, so at most 2 pieces. */
export const MAX_GAP_MS = 5 * 60_000;
/** ms; buckets start at multiples of this since 1970. */
export const BUCKET_MS = 5 * 60_000;

export type Bucket = {
  readonly runningMs: number;
  readonly outJ: number;
  readonly inJ: number;
  readonly chargedJ: number;
  readonly distanceMm: number;
  /** Percent, to thousandths; undefined when no reading in the bucket has a soc. */
  readonly socMin: number | undefined;
  readonly socMax: number | undefined;
  /** Thousandths of a percent, added over socCount readings. */
  readonly socSumMilli: number;
  readonly socCount: number;
  /** km/h; undefined when no reading in the bucket has a Speed. */
  readonly speedMin: number | undefined;
  readonly speedMax: number | undefined;
  /** Readings in the bucket. */
  readonly count: number;
};

type Growing = { -readonly [Key in keyof Bucket]: Bucket[Key] };

const round = (value: number): number => Math.floor(value + 0.5);
const bucketStart = (time: number): number => Math.floor(time / BUCKET_MS) * BUCKET_MS;

/** Half-open, ms. */
export type Range = { readonly from: number; readonly to: number };
const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Start of bucket (ms) to its figures, for every bucket with a reading or a piece of an interval in it.
 * @param readings Of one stream, in any order, no two at the same ms (the store merges those).
 * @param range Counts only what lies inside: a piece is cut at its ends before it is rounded, a reading and a
 *   distance count when the (earlier) reading is inside. Give the reading before the range too.
 */
export function bucketsOf(readings: readonly Reading[], range: Range = ALWAYS): Map<number, Bucket> {
  const buckets = new Map<number, Growing>();
  const sorted = [...readings].sort((a, b) => a.time - b.time);
  for (const [index, reading] of sorted.entries()) {
    const inside = range.from <= reading.time && reading.time < range.to;
    if (inside) addReading(bucketAt(buckets, reading.time), reading.signals);
    const next = sorted[index + 1];
    if (!next || next.time - reading.time > MAX_GAP_MS) continue;
    if (inside) bucketAt(buckets, reading.time).distanceMm += millimetres(reading.signals, next.signals);
    const end = Math.min(next.time, range.to);
    let start = Math.max(reading.time, range.from);
    while (start < end) {
      const cut = Math.min(end, bucketStart(start) + BUCKET_MS);
      addPiece(bucketAt(buckets, start), reading.signals, cut - start);
      start = cut;
    }
  }
  return buckets;
}

function bucketAt(buckets: Map<number, Growing>, time: number): Growing {
  const start = bucketStart(time);
  const bucket = buckets.get(start) ?? emptyBucket();
  buckets.set(start, bucket);
  return bucket;
}

function emptyBucket(): Growing {
  const figures = { runningMs: 0, outJ: 0, inJ: 0, chargedJ: 0, distanceMm: 0 };
  const extremes = { socMin: undefined, socMax: undefined, speedMin: undefined, speedMax: undefined };
  return { ...figures, ...extremes, socSumMilli: 0, socCount: 0, count: 0 };
}

function addReading(bucket: Growing, signals: Signals): void {
  bucket.count += 1;
  widen(bucket, 'speed', signals.Speed, signals.Speed);
  const names = Object.keys(signals).filter(isSocSignal).sort();
  if (names.length === 0) return;
  const total = names.reduce((sum, name) => sum + (signals[name] ?? 0), 0);
  const milli = round((total / names.length) * 1000);
  widen(bucket, 'soc', milli / 1000, milli / 1000);
  bucket.socSumMilli += milli;
  bucket.socCount += 1;
}

/** Takes a lowest and a highest value in; undefined: there is none. */
function widen(
  bucket: Growing,
  of: 'soc' | 'speed',
  low: number | undefined,
  high: number | undefined,
): void {
  if (low === undefined || high === undefined) return;
  bucket[`${of}Min`] = Math.min(bucket[`${of}Min`] ?? low, low);
  bucket[`${of}Max`] = Math.max(bucket[`${of}Max`] ?? high, high);
}

function addPiece(bucket: Growing, signals: Signals, ms: number): void {
  if (isRunning(signals)) bucket.runningMs += ms;
  const joules = (watts: number): number => round((watts * ms) / 1000);
  const watts = powerWatts(signals.BatteryCurrent, signals.BatteryVoltage);
  const charging = isCharging(signals);
  if (watts === undefined) {
    const charged = charging ? powerWatts(signals.ChargingCurrent, signals.ChargingVoltage) : undefined;
    if (charged !== undefined && charged > 0) bucket.chargedJ += joules(charged);
  } else if (watts > 0) bucket.outJ += joules(watts);
  else if (charging) bucket.chargedJ += joules(-watts);
  else bucket.inJ += joules(-watts);
}

function millimetres(from: Signals, to: Signals): number {
  const start = positionOf(from);
  const end = positionOf(to);
  return start && end ? round(distanceMetres(start, end) * 1000) : 0;
}
