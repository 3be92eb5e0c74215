/**
 * Computes figures from the readings of one stream (docs/figures.md). Every figure has one leading signal: a value of
 * it holds until the next value of the same signal, at most MAX_GAP_MS later. Other signals are read once, at the
 * start of that interval, if they are at most MAX_GAP_MS old (figures.md section 2).
 */

import type { Box } from './area.ts';
import { DEFAULT_VOLTS } from './battery.ts';
import { BUCKET_MS, MAX_GAP_MS, type Range } from './intervals.ts';
import { type BucketLevels, bucketLevelsAfter, hasLevelRisen, NO_LEVELS } from './level-rise.ts';
import {
  CHARGING_ABOVE_AMPS,
  isMoving,
  isStandingStill,
  MIN_CHARGING_FLAG,
  RUNNING_ABOVE_RPM,
  TAKES_CURRENT_BELOW_AMPS,
} from './machine-status.ts';
import { type AddedDistance, addPosition, type MovementState } from './moved-distance.ts';
import { packLevelsIn, packNumberOf, preferredNameByPack } from './packs.ts';
import { NEW_SEGMENT, type Position, positionOf } from './position.ts';
import { isChargingFlag, type Reading, type Signals } from './signal.ts';
import { type MarkedReadings, markUnused } from './unused-values.ts';
import { type PositionState, type UnusedReason, unusedPositionOf } from './usable-positions.ts';

/** `perhaps`: a charging flag is set and no current is known, or a flag is set within the next MAX_GAP_MS (figures.md section 2). */
export type ChargingCableState = 'charging' | 'perhaps' | 'no';

/** The interval (half-open, ms) from a value of a leading signal to its next value, and what is known in it. */
export type SignalInterval = Range &
  (
    | { readonly of: 'received' }
    | { readonly of: 'motor'; readonly running: boolean; readonly onCable: boolean }
    | {
        readonly of: 'battery';
        readonly watts: number;
        readonly cable: ChargingCableState;
        readonly runs: boolean;
      }
    /** `watts`: charging power if no BatteryCurrent is known; undefined: BatteryCurrent is known, or the machine does not charge. */
    | {
        readonly of: 'charger';
        readonly charges: boolean;
        readonly watts: number | undefined;
        /** The machine charges, and the mean of the packs is at least FULL_PERCENT. */
        readonly full: boolean;
      }
    /** A valid position (an instant), and the distance that it adds to its bucket. */
    | ({ readonly of: 'position' } & AddedDistance)
  );

type Opened<Of extends SignalInterval['of']> = Omit<Extract<SignalInterval, { of: Of }>, 'to'>;

/** The open interval of BatteryCurrent. */
type OpenedBattery = Opened<'battery'> & {
  /** BatteryCurrent shows that the machine charges, and no ChargingCurrent is known (figures.md section 2). */
  readonly charges?: true | undefined;
  /** The machine charges, and the mean of the packs is at least FULL_PERCENT. */
  readonly full?: true | undefined;
  /** When charging ended because a ChargingCurrent was received or the machine moved, ms. */
  readonly until?: number | undefined;
  /** The current contradicts the charge level: the energy of the interval is not known (figures.md section 4). */
  readonly contradicted?: true | undefined;
};

/** State after the readings so far, which the next readings need; times in ms since 1970. Plain JSON, stored in the database. */
export type FiguresState = {
  /** Time of the newest reading. */
  readonly time?: number | undefined;
  /** The last value, and its time, of each signal that is read together with a leading signal. */
  readonly last: Readonly<Record<string, readonly [value: number, time: number]>>;
  /** Open intervals: their end is not known yet. */
  readonly motor?: Opened<'motor'> | undefined;
  readonly battery?: OpenedBattery | undefined;
  readonly charger?: Opened<'charger'> | undefined;
  readonly movement?: MovementState | undefined;
  /** The last position that has a fix. */
  readonly spot?: PositionState | undefined;
  /** Time of the stream's first MotorSpeed. */
  readonly motorSince?: number | undefined;
  /** Time of the last value that shows that the machine moves; undefined when it is longer ago than STANDSTILL_AFTER_MS. */
  readonly moved?: number | undefined;
  /** The first charge levels of the last two buckets, from which a rise is measured. */
  readonly levels?: BucketLevels | undefined;
  /** Charge levels in the bucket of the newest reading. */
  readonly packs?: readonly (PackSums | null | undefined)[];
};

export const NEW_FIGURES_STATE: FiguresState = { last: {} };

const MOTOR = 'MotorSpeed';
const CURRENT = 'BatteryCurrent';
const VOLTAGE = 'BatteryVoltage';
const CHARGING_CURRENT = 'ChargingCurrent';
const CHARGING_VOLTAGE = 'ChargingVoltage';
/** Mean charge level of the packs, %, from which a battery counts as full (figures.md sections 10 and 13). */
export const FULL_PERCENT = 99;
const SPEED = 'Speed';
const READ_WITH: ReadonlySet<string> = new Set([
  MOTOR,
  CURRENT,
  VOLTAGE,
  CHARGING_CURRENT,
  CHARGING_VOLTAGE,
  SPEED,
]);
/** A machine that moved less than this time ago does not stand still yet. */
export const STANDSTILL_AFTER_MS = 60_000;
/** More power out of a battery whose charge level rises is a contradiction. */
const CONTRADICTS_ABOVE_WATTS = 1_000;
/** Speeds at which a machine without MotorSpeed counts as driving. */
const DRIVES_FROM_KMH = 1;
const DRIVES_TO_KMH = 100;
/** Returns whether the state (`FiguresState`) keeps the last value of a signal. */
const isReadWith = (name: string): boolean =>
  READ_WITH.has(name) || isChargingFlag(name) || packNumberOf(name) !== undefined;

export type FoundIntervals = {
  readonly track: FiguresState;
  /** The intervals, in the order in which they end. */
  readonly intervals: readonly SignalInterval[];
  /** The valid states of charge of each reading, by pack number - 1 (figures.md section 7). */
  readonly packs: readonly (readonly (number | undefined)[])[];
  /**
   * Whether a reading has a signal that is new or was silent, and that the open intervals of earlier readings would have
   * used by looking ahead (figures.md section 11): these intervals have to be computed again.
   */
  readonly looksBack: boolean;
};

/**
 * Returns the intervals of a stream's next readings, and its state after them.
 * @param readings in order of time, no two at the same ms, all later than the readings before
 * @param before state after the readings before; it is not changed
 */
export function findIntervals(
  readings: readonly Reading[],
  before: FiguresState = NEW_FIGURES_STATE,
): FoundIntervals {
  const ahead = lookAhead(readings);
  // The database has {} for a stream without a reading.
  const had: FiguresState['last'] = before.last ?? {};
  const last: Record<string, [number, number]> = { ...had } as Record<string, [number, number]>;
  const intervals: SignalInterval[] = [];
  const packs: (readonly (number | undefined)[])[] = [];
  const flags = Object.keys(last).filter(isChargingFlag);
  let { time: newestTime, motor, battery, charger, movement, motorSince, moved } = before;
  let levels = before.levels ?? NO_LEVELS;
  let looksBack = false;

  const fresh = (name: string, time: number): number | undefined => {
    const known = last[name];
    return known && time - known[1] <= MAX_GAP_MS ? known[0] : undefined;
  };
  /** Returns the largest of the last values of the charging flags. */
  const flagAt = (time: number): number | undefined => {
    let largest: number | undefined;
    for (const name of flags) {
      const value = fresh(name, time);
      if (value !== undefined && (largest === undefined || value > largest)) largest = value;
    }
    return largest;
  };
  const isFullAt = (time: number): boolean => {
    const packs = preferredNameByPack(Object.keys(last).filter((name) => fresh(name, time) !== undefined));
    const percents = [...packs.values()].map((name) => (last[name] as readonly [number, number])[0]);
    return percents.length > 0 && percents.reduce((a, b) => a + b) / percents.length >= FULL_PERCENT;
  };
  const voltsAt = (name: string, time: number, n: number): number =>
    fresh(name, time) ?? ahead.value(name, n) ?? DEFAULT_VOLTS;
  const cableAt = (time: number, n: number): ChargingCableState => {
    const flag = flagAt(time);
    if (flag === undefined) return ahead.flag(n) ? 'perhaps' : 'no';
    if (flag < MIN_CHARGING_FLAG) return 'no';
    const amps = fresh(CHARGING_CURRENT, time);
    if (amps === undefined) return 'perhaps';
    return amps > CHARGING_ABOVE_AMPS ? 'charging' : 'no';
  };
  const standsAt = (time: number): boolean =>
    isStandingStill({ MotorSpeed: fresh(MOTOR, time), Speed: fresh(SPEED, time) }) &&
    (moved === undefined || time - moved > STANDSTILL_AFTER_MS);
  /** Returns whether the open interval `waiting` would have used, by looking ahead, a signal that is new or was silent (`back`). */
  const wasLookedFor = (
    back: boolean,
    waiting: { readonly from: number } | undefined,
    time: number,
  ): boolean => back && waiting !== undefined && time - waiting.from <= MAX_GAP_MS;

  let time = Number.NaN;
  const closed = <Of extends SignalInterval['of']>(open: Opened<Of> | undefined): void => {
    if (open && time - open.from <= MAX_GAP_MS) intervals.push({ ...open, to: time } as SignalInterval);
  };
  const closeBattery = (): void => {
    if (!battery || battery.contradicted) return;
    const { from, watts, cable, runs, charges, full = false, until = time } = battery;
    if (time - from > MAX_GAP_MS) return;
    intervals.push({ of: 'battery', from, to: time, watts, cable, runs });
    if (charges) intervals.push({ of: 'charger', from, to: until, charges, watts: undefined, full });
  };
  for (let n = 0; n < readings.length; n += 1) {
    const { signals, time: at } = readings[n] as Reading;
    time = at;
    if (newestTime !== undefined) closed<'received'>({ of: 'received', from: newestTime });
    const lastTime = newestTime;
    newestTime = time;

    const readWith = Object.keys(signals).filter(isReadWith);
    if (before.time !== undefined && !looksBack) {
      const isBack = (name: string): boolean =>
        signals[name] !== undefined && fresh(name, time) === undefined;
      const flagIsBack = readWith.some(
        (name) => isChargingFlag(name) && isBack(name) && (signals[name] as number) >= MIN_CHARGING_FLAG,
      );
      looksBack =
        wasLookedFor(isBack(VOLTAGE) || flagIsBack, before.battery, time) ||
        wasLookedFor(isBack(CHARGING_VOLTAGE) || isBack(CURRENT), before.charger, time);
    }
    packs.push(packLevelsIn(signals, last, time));
    for (const name of readWith) {
      const own = last[name];
      if (!own && isChargingFlag(name)) flags.push(name);
      if (own && own !== had[name]) {
        own[0] = signals[name] as number;
        own[1] = time;
      } else last[name] = [signals[name] as number, time];
    }

    const rpm = signals[MOTOR];
    const amps = signals[CURRENT];
    const chargingAmps = signals[CHARGING_CURRENT];
    const moves = isMoving(rpm, signals[SPEED]);
    if (moves) moved = time;
    levels = bucketLevelsAfter(levels, signals, readWith, { time, lastTime, amps });
    if (battery?.charges && battery.until === undefined && (moves || chargingAmps !== undefined))
      battery = { ...battery, until: time };
    if (rpm !== undefined) {
      motorSince = Math.min(motorSince ?? time, time);
      closed<'motor'>(motor);
      motor = {
        of: 'motor',
        from: time,
        running: rpm > RUNNING_ABOVE_RPM,
        onCable: cableAt(time, n) === 'charging',
      };
    }
    if (amps !== undefined) {
      closeBattery();
      const runs = (fresh(MOTOR, time) ?? 0) > RUNNING_ABOVE_RPM;
      const watts = amps * voltsAt(VOLTAGE, time, n);
      const stands = amps !== 0 && standsAt(time);
      const charges =
        stands && amps < TAKES_CURRENT_BELOW_AMPS && fresh(CHARGING_CURRENT, time) === undefined;
      const contradicts =
        stands && watts > CONTRADICTS_ABOVE_WATTS && hasLevelRisen(levels, (name) => fresh(name, time));
      battery = {
        of: 'battery',
        from: time,
        watts,
        cable: stands && watts < 0 ? 'charging' : cableAt(time, n),
        runs,
        charges: charges || undefined,
        full: (charges && isFullAt(time)) || undefined,
        contradicted: contradicts || undefined,
      };
    }
    if (chargingAmps !== undefined) {
      closed<'charger'>(charger);
      const charges = cableAt(time, n) === 'charging';
      const isKnown = !charges || fresh(CURRENT, time) !== undefined || ahead.value(CURRENT, n) !== undefined;
      const watts = isKnown ? undefined : chargingAmps * voltsAt(CHARGING_VOLTAGE, time, n);
      charger = { of: 'charger', from: time, charges, watts, full: charges && isFullAt(time) };
    }
    if (signals[NEW_SEGMENT] !== undefined) movement = undefined;
    const here = positionOf(signals);
    if (here) {
      const drives = isDriving(
        fresh(MOTOR, time),
        motorSince !== undefined && motorSince <= time,
        fresh(SPEED, time),
      );
      const moved = addPosition(movement, { ...here, time }, drives);
      movement = moved.movement;
      intervals.push({ of: 'position', from: time, to: time + 1, ...moved.more });
    }
  }
  const track = {
    time: newestTime,
    last: stillFresh(last, newestTime),
    motor,
    battery,
    charger,
    movement,
    motorSince,
    moved: moved !== undefined && time - moved <= STANDSTILL_AFTER_MS ? moved : undefined,
    levels,
  };
  return { track, intervals, packs, looksBack };
}

/** Maximum number of charging flags and charge level names of a stream, so that invented names cannot make its stored state long. */
const MAX_FLAGS = 15;
const MAX_SOC_NAMES = 32;

/**
 * Returns the last values that later readings may still need; if there are too many names, only the first in
 * alphabetical order.
 */
function stillFresh(last: FiguresState['last'], time: number | undefined): FiguresState['last'] {
  if (time === undefined) return last;
  const isFresh = ([, at]: readonly [value: number, time: number]): boolean => time - at <= MAX_GAP_MS;
  const all = Object.values(last);
  // Returns early in the common case, so that nothing is copied.
  if (all.length <= MAX_FLAGS && all.every(isFresh)) return last;
  const fresh = Object.entries(last).filter(([, known]) => isFresh(known));
  if (fresh.length <= MAX_FLAGS) return Object.fromEntries(fresh);
  const left = { flags: MAX_FLAGS, packs: MAX_SOC_NAMES };
  const kept = fresh
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([name]) => {
      if (isChargingFlag(name)) return left.flags-- > 0;
      return packNumberOf(name) === undefined || left.packs-- > 0;
    });
  return Object.fromEntries(kept);
}

/** Looks up values after the n-th reading, at most MAX_GAP_MS later. */
type Ahead = {
  /** Returns the first value of a signal. */
  value(name: string, n: number): number | undefined;
  /** Returns whether the first value of any flag shows that the machine is on a charging cable. */
  flag(n: number): boolean;
};

const NOTHING_AHEAD: Ahead = { value: () => undefined, flag: () => false };

function lookAhead(readings: readonly Reading[]): Ahead {
  if (readings.length < 2) return NOTHING_AHEAD;
  const flags = new Set<string>();
  for (const { signals } of readings) for (const name in signals) if (isChargingFlag(name)) flags.add(name);
  const next = new Map(
    [CURRENT, VOLTAGE, CHARGING_VOLTAGE, ...flags].map((name) => [name, nextWith(name, readings)]),
  );
  const value = (name: string, n: number): number | undefined => {
    const found = readings[next.get(name)?.[n] ?? NONE];
    const isNear = found && found.time - (readings[n] as Reading).time <= MAX_GAP_MS;
    return isNear ? found.signals[name] : undefined;
  };
  const flag = (n: number): boolean => [...flags].some((name) => (value(name, n) ?? 0) >= MIN_CHARGING_FLAG);
  return { value, flag };
}

/** Returns whether a machine drives: by MotorSpeed if the stream ever had one, else by Speed; true if neither is known. */
export function isDriving(rpm: number | undefined, hasMotor: boolean, speed: number | undefined): boolean {
  if (hasMotor) return (rpm ?? 0) > RUNNING_ABOVE_RPM;
  if (speed === undefined) return true;
  return Math.abs(speed) >= DRIVES_FROM_KMH && Math.abs(speed) <= DRIVES_TO_KMH;
}

const NONE = -1;

/** Returns for each reading the index of the next later reading that has the signal, or NONE. */
function nextWith(name: string, readings: readonly Reading[]): Int32Array {
  const next = new Int32Array(readings.length).fill(NONE);
  for (let n = readings.length - 2; n >= 0; n--) {
    const has = (readings[n + 1] as Reading).signals[name] !== undefined;
    next[n] = has ? n + 1 : (next[n + 1] as number);
  }
  return next;
}

/**
 * Marks the unused values in a stream's next readings, computes the state after these readings, and returns what the
 * readings add to the buckets.
 * @param sent readings as they were sent
 */
export const sumReadings = (sent: readonly Reading[], before: FiguresState = NEW_FIGURES_STATE) =>
  sumMarkedReadings(markUnused(sent, before), before);

/** Does the same as `sumReadings` for readings whose unused values are already marked. */
export function sumMarkedReadings(
  { readings, last: spot, looksBack }: MarkedReadings,
  before: FiguresState = NEW_FIGURES_STATE,
) {
  const followed = findIntervals(readings, before);
  const buckets = bucketsOf(readings, followed, ALWAYS, before);
  const { time } = followed.track;
  const packs = time === undefined ? [] : (buckets.get(bucketStart(time))?.packs ?? []);
  return {
    ...followed,
    readings,
    looksBack: followed.looksBack || looksBack,
    buckets,
    track: { ...followed.track, spot, packs },
  };
}

/** The sums of a bucket, in the order of the database's columns. */
export const SUM_NAMES = [
  'count', // readings
  'runningMs',
  'chargingMs',
  'fullMs', // charging though full
  'cableMs', // running on the cable
  'heardMs',
  'knownMs', // with a known BatteryCurrent
  'runKnownMs', // with a known BatteryCurrent while running off the cable
  'outMj', // millijoules
  'inMj',
  'chargedMj',
  'runOutMj', // while running off the cable
  'runInMj',
  'distanceMm',
  'carriedMm', // part of distanceMm that was not driven
  'unusedNoFix', // unused positions, by reason
  'unusedNullIsland',
  'unusedJumps',
] as const;
export type Sums = { readonly [Name in (typeof SUM_NAMES)[number]]: number };

/** Charge levels of a pack, %; `sumMilli`: sum of `count` values in thousandths of a percent. */
export type PackSums = {
  readonly min: number;
  readonly max: number;
  readonly sumMilli: number;
  readonly count: number;
};

/** The sums of a bucket of 5 minutes, from which figures are computed. */
export type Bucket = Sums & {
  /** By pack number - 1. */
  readonly packs: readonly (PackSums | undefined)[];
  /** km/h; undefined when no reading in the bucket has a Speed. */
  readonly speedMin: number | undefined;
  readonly speedMax: number | undefined;
  /** Highest charging power, W; undefined without charging. */
  readonly chargeWatts: number | undefined;
  /** Box around all positions of the bucket; undefined without a position. */
  readonly box: Box | undefined;
};
/** A bucket as stored, with the extremes by which the portal finds the buckets in which an alert may have begun. */
export type StoredBucket = Bucket & {
  /** Extremes of ChargingCurrent (A), and of all charging flags; undefined when no reading in the bucket has one. */
  readonly chargingCurrent: Extremes | undefined;
  readonly chargingFlag: Extremes | undefined;
};
type Extremes = { readonly min: number; readonly max: number };

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Growing = Mutable<Sums> & {
  packs: (Mutable<PackSums> | undefined)[];
  speedMin: number | undefined;
  speedMax: number | undefined;
  chargeWatts: number | undefined;
  chargingCurrent: Extremes | undefined;
  chargingFlag: Extremes | undefined;
  box: Box | undefined;
};

const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const round = (value: number): number => Math.floor(value + 0.5);
/** Returns the range of readings that are needed for the figures of a range (figures.md section 2). */
export const readingRangeFor = ({ from, to }: Range): Range => ({
  // An interval that reaches into the range is computed from the bucket before the one in which it begins.
  from: bucketStart(from - MAX_GAP_MS) - BUCKET_MS,
  to: to + MAX_GAP_MS + 1,
});

export const bucketStart = (time: number): number => Math.floor(time / BUCKET_MS) * BUCKET_MS;

/**
 * Returns the buckets by start (ms). Intervals are cut at the ends of buckets and of the range, and each slice is
 * rounded: buckets contain integers, so that sums are exact in any order (figures.md section 2).
 * @param range only the parts of intervals inside it count; the distance between two positions counts if the later one lies inside
 * @param before state before the readings: the packs of the first bucket also contain the charge levels in this
 * state; its other sums are those of the readings only
 */
export function bucketsOf(
  readings: readonly Reading[],
  { intervals, packs }: Pick<FoundIntervals, 'intervals' | 'packs'> = findIntervals(readings),
  range: Range = ALWAYS,
  before: FiguresState = NEW_FIGURES_STATE,
): Map<number, StoredBucket> {
  const buckets = new Map<number, Growing>();
  const bucketAt = (time: number): Growing => {
    const start = bucketStart(time);
    let bucket = buckets.get(start);
    if (!bucket) {
      bucket = emptyBucket();
      if (before.time !== undefined && bucketStart(before.time) === start)
        bucket.packs = before.packs?.map((sums) => (sums ? { ...sums } : undefined)) ?? [];
      buckets.set(start, bucket);
    }
    return bucket;
  };
  for (let n = 0; n < readings.length; n += 1) {
    const { time, signals } = readings[n] as Reading;
    if (time < range.from || time >= range.to) continue;
    const bucket = bucketAt(time);
    bucket.count += 1;
    addSpeed(bucket, signals.Speed);
    bucket.chargingCurrent = widened(bucket.chargingCurrent, signals.ChargingCurrent);
    for (const name in signals)
      if (isChargingFlag(name)) bucket.chargingFlag = widened(bucket.chargingFlag, signals[name]);
    addPositionToBucket(bucket, positionOf(signals));
    addUnused(bucket, signals);
    packs[n]?.forEach((percent, pack) => {
      addPercent(bucket.packs, pack, percent);
    });
  }
  for (const interval of intervals) {
    if (interval.of === 'position') {
      if (interval.from >= range.from && interval.from < range.to)
        addMoved(bucketAt(interval.from), interval);
      continue;
    }
    const end = Math.min(interval.to, range.to);
    for (let start = Math.max(interval.from, range.from); start < end; ) {
      const cut = Math.min(end, bucketStart(start) + BUCKET_MS);
      addSlice(bucketAt(start), interval, cut - start);
      start = cut;
    }
  }
  return buckets;
}

const NO_SUMS = Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as Sums;
const emptyBucket = (): Growing => ({
  ...NO_SUMS,
  packs: [],
  speedMin: undefined,
  speedMax: undefined,
  chargeWatts: undefined,
  chargingCurrent: undefined,
  chargingFlag: undefined,
  box: undefined,
});

function widened(known: Extremes | undefined, value: number | undefined): Extremes | undefined {
  if (value === undefined || (known && known.min <= value && value <= known.max)) return known;
  return { min: Math.min(known?.min ?? value, value), max: Math.max(known?.max ?? value, value) };
}

function addSpeed(bucket: Growing, speed: number | undefined): void {
  if (speed === undefined) return;
  bucket.speedMin = Math.min(bucket.speedMin ?? speed, speed);
  bucket.speedMax = Math.max(bucket.speedMax ?? speed, speed);
}

function addPositionToBucket(bucket: Growing, position: Position | undefined): void {
  if (!position) return;
  const { south, west, north, east } = bucket.box ?? boxAt(position);
  bucket.box = {
    south: Math.min(south, position.lat),
    west: Math.min(west, position.lon),
    north: Math.max(north, position.lat),
    east: Math.max(east, position.lon),
  };
}

const UNUSED_SUMS = {
  'no-fix': 'unusedNoFix',
  'null-island': 'unusedNullIsland',
  jump: 'unusedJumps',
} as const satisfies Record<UnusedReason, (typeof SUM_NAMES)[number]>;

function addUnused(bucket: Growing, signals: Signals): void {
  const unused = unusedPositionOf(signals);
  if (unused) bucket[UNUSED_SUMS[unused.reason]] += 1;
}

function addMoved(bucket: Growing, { distanceMm, carriedMm }: AddedDistance): void {
  bucket.distanceMm += distanceMm;
  bucket.carriedMm += carriedMm;
}

const boxAt = ({ lat, lon }: Position): Box => ({ south: lat, west: lon, north: lat, east: lon });

function addChargePower(bucket: Growing, watts: number): void {
  bucket.chargeWatts = Math.max(bucket.chargeWatts ?? 0, watts);
}

function addPercent(packs: Growing['packs'], pack: number, percent: number | undefined): void {
  if (percent === undefined) return;
  const sums = packs[pack] ?? { min: percent, max: percent, sumMilli: 0, count: 0 };
  packs[pack] = sums;
  sums.min = Math.min(sums.min, percent);
  sums.max = Math.max(sums.max, percent);
  sums.sumMilli += round(percent * 1000);
  sums.count += 1;
}

const millijoules = (watts: number, ms: number): number => round(Math.abs(watts) * ms);

function addSlice(bucket: Growing, interval: Exclude<SignalInterval, { of: 'position' }>, ms: number): void {
  switch (interval.of) {
    case 'received':
      bucket.heardMs += ms;
      return;
    case 'motor':
      if (interval.running) bucket.runningMs += ms;
      if (interval.running && interval.onCable) bucket.cableMs += ms;
      return;
    case 'charger':
      if (interval.charges) bucket.chargingMs += ms;
      if (interval.full) bucket.fullMs += ms;
      if (interval.watts !== undefined) {
        bucket.chargedMj += millijoules(interval.watts, ms);
        addChargePower(bucket, Math.abs(interval.watts));
      }
      return;
    case 'battery':
      addEnergy(bucket, interval, ms);
  }
}

function addEnergy(
  bucket: Growing,
  { watts, cable, runs }: Extract<SignalInterval, { of: 'battery' }>,
  ms: number,
): void {
  const energy = millijoules(watts, ms);
  bucket.knownMs += ms;
  if (watts > 0) bucket.outMj += energy;
  else if (cable === 'charging') {
    bucket.chargedMj += energy;
    if (watts < 0) addChargePower(bucket, -watts);
  } else if (cable === 'no') bucket.inMj += energy;
  if (!runs || cable !== 'no') return;
  bucket.runKnownMs += ms;
  if (watts > 0) bucket.runOutMj += energy;
  else bucket.runInMj += energy;
}

/** Returns the share of the time with readings (`heardMs`) in which the energy is known (figures.md section 4); null: never. */
export const knownEnergyShare = ({ knownMs, heardMs }: Pick<Sums, 'knownMs' | 'heardMs'>): number | null =>
  knownMs > 0 ? Math.min(1, knownMs / heardMs) : null;

/** Returns the energy, mJ; null: neither a BatteryCurrent nor energy of a charger is known (figures.md section 4). */
export const knownEnergy = (knownMs: number, mj: number): number | null =>
  knownMs === 0 && mj === 0 ? null : mj;

/** Returns the mean power while running without a charging cable, kW (figures.md section 5); undefined: no current is known. */
export const powerKw = ({
  runOutMj,
  runInMj,
  runKnownMs,
}: Pick<Sums, 'runOutMj' | 'runInMj' | 'runKnownMs'>): number | undefined =>
  // mJ / ms is W.
  runKnownMs > 0 ? (runOutMj - runInMj) / runKnownMs / 1000 : undefined;

/** Returns in which share of the time running without a charging cable the power is known; undefined without such time. */
export const knownPowerShare = ({
  runKnownMs,
  runningMs,
  cableMs,
}: Pick<Sums, 'runKnownMs' | 'runningMs' | 'cableMs'>): number | undefined =>
  runningMs > cableMs ? Math.min(1, runKnownMs / (runningMs - cableMs)) : undefined;

/** Returns the time off, ms (figures.md section 8): time with readings in which the machine neither ran nor charged. */
export const offTimeMs = ({
  heardMs,
  runningMs,
  chargingMs,
  cableMs,
}: Pick<Sums, 'heardMs' | 'runningMs' | 'chargingMs' | 'cableMs'>): number =>
  Math.max(0, heardMs - runningMs - chargingMs + cableMs);

/** A figure that is known for a smaller share of the time is marked on the screen. */
export const MIN_UNMARKED_KNOWN_SHARE = 0.95;
