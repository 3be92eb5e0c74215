/**
 * Computes the distance of a machine per bucket (docs/figures.md section 6), without the noise of a receiver that stands still. A place is
 * the mean of the positions of 5 s. A bucket starts at the last place before it, so that its distance depends on few readings.
 */
import { distanceMetres, EARTH_RADIUS_METRES } from './distance.ts';
import { BUCKET_MS, MAX_GAP_MS } from './intervals.ts';
import type { Position } from './position.ts';
import { isJump } from './usable-positions.ts';

/** All positions in this time are averaged to one place. BUCKET_MS is a multiple of PLACE_MS. */
const PLACE_MS = 5_000;
/** Places are rounded to this fraction of a degree, about 1 cm, so that the stored state is short. */
const PER_DEGREE = 1e7;
/** A machine has moved once it is this far from its place at the start of the bucket. */
const LEAVES_MM = 100_000;
/**
 * A machine has also moved when the variance of its places, m2, is above SPREAD x (1 + SPREAD_OF_FEW / square root of
 * the number of places), with at least SPREAD_PLACES places.
 */
const SPREAD = 20;
const SPREAD_OF_FEW = 4;
const SPREAD_PLACES = 6;
/**
 * A machine has also moved after this number of places of which each lies farther from the origin than the place
 * before: by at least this step, and at no less than this speed.
 */
const LEAVING_PLACES = 3;
const LEAVING_STEP_MM = 5_000;
const LEAVING_METRES_PER_SECOND = 0.8;
/** A move of at most this distance, away from the last corner or back, is noise and makes no corner. */
const TURNS_MM = 8_000;
/** A machine that moved this far without driving was carried. */
const CARRIED_MM = 250_000;

/** The machine's path through the places of a bucket; lengths in mm. */
type Way = {
  /** Place at which the bucket begins, or the first place after a jump in the bucket. */
  readonly origin: Position;
  /** Time of the origin, ms; a stored state lacks it once the machine has moved. */
  readonly since: number | undefined;
  /** The last corner of the path, and the place since then that is farthest from this corner (`far`). */
  readonly anchor: Position;
  readonly far: Position;
  readonly last: Position;
  /** The machine drove at the last place. */
  readonly drives: boolean;
  /** Last place at which the machine drove. */
  readonly parked: Position;
  /** Length of the path up to the anchor. */
  readonly walked: number;
  readonly driven: number;
  /** Length moved since `parked` while the machine did not drive; it counts only once it reaches CARRIED_MM. */
  readonly pending: number;
  readonly carried: number;
  readonly isCarried: boolean;
  readonly hasMoved: boolean;
  /** Whether each place so far lies farther from the origin than the place before it. */
  readonly isLeaving: boolean;
  /** Length driven in the bucket before its last jump. */
  readonly certain: number;
  /** Number of places after the origin, and sums of their offsets from it, cm and cm2. */
  readonly spread: {
    readonly count: number;
    readonly x: number;
    readonly y: number;
    readonly squares: number;
  };
};

/** A place that is not complete yet: the positions of the present PLACE_MS so far, of which it will be the mean. */
type Place = {
  /** Time of the last position, ms. */
  readonly time: number;
  readonly position: Position;
  readonly sum: Position;
  readonly count: number;
  /** The machine drove at the last position. */
  readonly drives: boolean;
  readonly jumped: boolean;
};

/** State that the computation keeps from one position to the next. */
export type MovementState = {
  /** The path up to the place before `place`; undefined: `place` is the first place. */
  readonly way?: Way | undefined;
  readonly place: Place;
};

export type AddedDistance = { readonly distanceMm: number; readonly carriedMm: number };
const NOT_MOVED: AddedDistance = { distanceMm: 0, carriedMm: 0 };

/**
 * Returns the state after the next valid position, and the distance (`more`) that the position adds to its bucket.
 * @param drives whether the machine drives at that time, by its signals
 */
export function addPosition(
  before: MovementState | undefined,
  here: Position & { readonly time: number },
  drives: boolean,
): { readonly movement: MovementState; readonly more: AddedDistance } {
  const { time } = here;
  const known = before && time - before.place.time <= MAX_GAP_MS ? before : undefined;
  if (!known) return { movement: { place: newPlace(here, drives, false) }, more: NOT_MOVED };
  const jumped = isJump({ ...known.place.position, time: known.place.time }, here);
  const isSamePlace = !jumped && isIn(PLACE_MS, time, known.place.time);
  const isSameBucket = isIn(BUCKET_MS, time, known.place.time);
  const reached = known.way && stepTo(known.way, known.place);
  const way = isSamePlace
    ? known.way
    : wayAfter(known.place, isSameBucket ? reached : undefined, isSameBucket);
  const place = isSamePlace ? grown(known.place, here, drives) : newPlace(here, drives, jumped);
  const moved = way ? movedBy(stepTo(way, place)) : NOT_MOVED;
  const had = isSameBucket && reached ? movedBy(reached) : NOT_MOVED;
  const more = {
    distanceMm: moved.distanceMm - had.distanceMm,
    carriedMm: moved.carriedMm - had.carriedMm,
  };
  return { movement: { way, place }, more };
}

const isIn = (ms: number, a: number, b: number): boolean => Math.floor(a / ms) === Math.floor(b / ms);

const newPlace = (
  { lat, lon, time }: Position & { readonly time: number },
  drives: boolean,
  jumped: boolean,
): Place => ({ time, position: { lat, lon }, sum: { lat, lon }, count: 1, drives, jumped });

const grown = (
  { sum, count, jumped }: Place,
  { lat, lon, time }: Position & { readonly time: number },
  drives: boolean,
): Place => ({
  time,
  position: { lat, lon },
  sum: { lat: sum.lat + lat, lon: sum.lon + lon },
  count: count + 1,
  drives,
  jumped,
});

const meanOf = ({ sum, count }: Place): Position => ({
  lat: rounded((sum.lat / count) * PER_DEGREE) / PER_DEGREE,
  lon: rounded((sum.lon / count) * PER_DEGREE) / PER_DEGREE,
});

/** Returns the path up to and including a complete place: `reached`, or in a new bucket a path that begins at the place. */
const wayAfter = (place: Place, reached: Way | undefined, isSameBucket: boolean): Way =>
  reached ?? newWay(meanOf(place), place.time, isSameBucket && place.drives);

const NO_SPREAD: Way['spread'] = { count: 0, x: 0, y: 0, squares: 0 };

const newWay = (at: Position, since: number, drives: boolean, certain = 0, carried = 0): Way => ({
  origin: at,
  since,
  anchor: at,
  far: at,
  last: at,
  drives,
  parked: at,
  walked: 0,
  driven: 0,
  pending: 0,
  carried,
  isCarried: false,
  hasMoved: false,
  isLeaving: true,
  certain,
  spread: NO_SPREAD,
});

function stepTo(way: Way, place: Place): Way {
  const at = meanOf(place);
  const { drives } = place;
  if (place.jumped)
    return newWay(at, place.time, drives, way.certain + drivenBy(way), way.carried + between(way.last, at));
  const { anchor, far, walked } = walkTo(way, at);
  const longer = Math.max(0, lengthOf({ anchor, far, walked }) - lengthOf(way));
  // The spread is not needed once the machine has moved.
  const spread = way.hasMoved ? way.spread : spreadTo(way, at);
  const away = between(way.origin, at);
  const isLeaving = way.isLeaving && away >= between(way.origin, way.last) + LEAVING_STEP_MM;
  const hasLeft =
    isLeaving &&
    spread.count >= LEAVING_PLACES &&
    way.since !== undefined &&
    away >= LEAVING_METRES_PER_SECOND * (place.time - way.since);
  const isDriven = drives || way.drives;
  const isCarried = !isDriven && (way.isCarried || between(way.parked, at) > CARRIED_MM);
  const pending = isDriven ? 0 : way.pending + longer;
  return {
    origin: way.origin,
    since: way.since,
    anchor,
    far,
    last: at,
    drives,
    parked: isDriven ? at : way.parked,
    walked,
    driven: isDriven ? way.driven + longer : way.driven,
    pending: isCarried ? 0 : pending,
    carried: isCarried ? way.carried + pending : way.carried,
    isCarried,
    hasMoved: way.hasMoved || away > LEAVES_MM || hasLeft || isWide(spread),
    isLeaving,
    certain: way.certain,
    spread,
  };
}

type Walk = Pick<Way, 'anchor' | 'far' | 'walked'>;

/** Adds a place to a path. The place is a corner if it lies more than TURNS_MM from the last corner, or more than TURNS_MM behind `far`. */
function walkTo({ anchor, far, walked }: Walk, at: Position): Walk {
  const away = between(anchor, at);
  const farthest = between(anchor, far);
  if (away >= farthest)
    return away > TURNS_MM ? { anchor: at, far: at, walked: walked + away } : { anchor, far: at, walked };
  const back = between(far, at);
  return back > TURNS_MM
    ? { anchor: at, far: at, walked: walked + farthest + back }
    : { anchor, far, walked };
}

const rounded = (value: number): number => Math.floor(value + 0.5);
/** Returns the distance, mm. Compares the places first, because most of them are equal. */
const between = (a: Position, b: Position): number =>
  a === b || (a.lat === b.lat && a.lon === b.lon) ? 0 : rounded(distanceMetres(a, b) * 1000);

const lengthOf = ({ anchor, far, walked }: Walk): number => walked + between(anchor, far);

const CM_PER_DEGREE = (Math.PI * EARTH_RADIUS_METRES * 100) / 180;

function spreadTo({ origin, spread }: Way, { lat, lon }: Position): Way['spread'] {
  const x = rounded((lon - origin.lon) * Math.cos((origin.lat * Math.PI) / 180) * CM_PER_DEGREE);
  const y = rounded((lat - origin.lat) * CM_PER_DEGREE);
  return {
    count: spread.count + 1,
    x: spread.x + x,
    y: spread.y + y,
    squares: spread.squares + x * x + y * y,
  };
}

function isWide({ count, x, y, squares }: Way['spread']): boolean {
  if (count < SPREAD_PLACES) return false;
  const variance = (squares - (x * x + y * y) / count) / (count - 1) / 10_000;
  return variance > SPREAD * (1 + SPREAD_OF_FEW / Math.sqrt(count));
}

const drivenBy = ({ hasMoved, driven }: Way): number => (hasMoved ? driven : 0);

const movedBy = (way: Way): AddedDistance => ({
  distanceMm: way.carried + way.certain + drivenBy(way),
  carriedMm: way.carried,
});

/** This number, which is no coordinate, is stored instead of the two coordinates of a place that equals the last place. */
const AT_LAST = 999;

/** Packs a movement into a short list of numbers, in the order of `deserializeMovementState`, because the database stores it with each upload. */
export function serializeMovementState({ way, place }: MovementState): number[] {
  const { position, time, count, sum, drives, jumped } = place;
  const bits =
    Number(drives) +
    2 * Number(jumped) +
    (way
      ? 4 +
        8 * Number(way.drives) +
        16 * Number(way.isCarried) +
        32 * Number(way.hasMoved) +
        64 * Number(way.isLeaving)
      : 0);
  const packed = [bits, time, position.lat, position.lon, count];
  if (count > 1) packed.push(sum.lat, sum.lon);
  if (!way) return packed;
  const { origin, anchor, far, last, parked, walked, driven, pending, carried, certain, spread } = way;
  packed.push(origin.lat, origin.lon, last.lat, last.lon);
  for (const one of [anchor, far, parked]) {
    if (one.lat === last.lat && one.lon === last.lon) packed.push(AT_LAST);
    else packed.push(one.lat, one.lon);
  }
  packed.push(walked, driven, pending, carried, certain);
  if (!way.hasMoved) {
    packed.push(spread.count, spread.x, spread.y, spread.squares);
    if (way.since !== undefined) packed.push(way.since);
  }
  return packed;
}

export function deserializeMovementState(packed: readonly number[]): MovementState {
  let next = 0;
  const number = (): number => packed[next++] as number;
  const position = (): Position => ({ lat: number(), lon: number() });
  const bits = number();
  const has = (bit: number): boolean => (bits & bit) !== 0;
  const time = number();
  const here = position();
  const count = number();
  const sum = count > 1 ? position() : here;
  const place = { time, position: here, sum, count, drives: has(1), jumped: has(2) };
  if (!has(4)) return { place };
  const [origin, last] = [position(), position()];
  const orLast = (): Position => {
    const lat = number();
    return lat === AT_LAST ? last : { lat, lon: number() };
  };
  const [anchor, far, parked] = [orLast(), orLast(), orLast()];
  const [walked, driven, pending, carried, certain] = [number(), number(), number(), number(), number()];
  const hasMoved = has(32);
  const spread = hasMoved ? NO_SPREAD : { count: number(), x: number(), y: number(), squares: number() };
  const since = hasMoved ? undefined : packed[next];
  const lengths = { walked, driven, pending, carried, certain };
  return {
    place,
    way: {
      ...{ origin, since, anchor, far, last, parked, spread, ...lengths },
      ...{ drives: has(8), isCarried: has(16), hasMoved, isLeaving: has(64) },
    },
  };
}
