/**
 * How far a machine went, bucket by bucket (docs/figures.md section 6): a receiver that stands still reports noise, which is no
 * distance. Each bucket begins anew at the last place before it, so that its distance depends on few readings.
 */
import { distanceMetres, EARTH_RADIUS_METRES } from './distance.ts';
import { BUCKET_MS, MAX_GAP_MS } from './intervals.ts';
import type { Position } from './position.ts';
import { isJump } from './usable-positions.ts';

/** ms; the positions of so long are one place, their mean. A bucket has a whole number of these. */
const PLACE_MS = 5_000;
/** m; a machine that came so far from where its bucket began has moved. */
const LEAVES_METRES = 75;
/** m2; so has one whose places vary by more than SPREAD x (1 + SPREAD_OF_FEW / the root of their number). */
const SPREAD = 20;
const SPREAD_OF_FEW = 4;
const SPREAD_PLACES = 6;
/** m; a way that turns back by less is noise. */
const TURNS_METRES = 8;
/** m; what came so far without driving was carried. */
const CARRIED_METRES = 250;

/** The way of a bucket through its places; plain JSON. m */
type Way = {
  /** Where the bucket, or a jump in it, began. */
  readonly origin: Position;
  /** The last corner of the way, and the place that lies farthest from it since. */
  readonly anchor: Position;
  readonly far: Position;
  readonly last: Position & { readonly drives: boolean };
  /** Where it last drove. */
  readonly parked: Position;
  /** How long the way is up to the anchor. */
  readonly walked: number;
  readonly driven: number;
  /** Without driving since `parked`: nothing, unless it comes far enough. */
  readonly pending: number;
  readonly carried: number;
  readonly isCarried: boolean;
  readonly hasMoved: boolean;
  /** Driven before a jump in the bucket. */
  readonly certain: number;
  /** Of the places seen from the origin. */
  readonly spread: {
    readonly count: number;
    readonly x: number;
    readonly y: number;
    readonly squares: number;
  };
};

/** The positions that are one place so far. */
type Place = {
  /** ms; of the last one of them. */
  readonly time: number;
  readonly position: Position;
  readonly sum: Position;
  readonly count: number;
  /** At the last one of them. */
  readonly drives: boolean;
  readonly jumped: boolean;
};

/** What the positions so far leave for those to come; plain JSON. */
export type Movement = {
  /** Up to the place before; undefined: there is none. */
  readonly way?: Way | undefined;
  readonly place: Place;
  /** Of the place's bucket. */
  readonly moved: Moved;
};

export type Moved = { readonly distanceMm: number; readonly carriedMm: number };
const NOT_MOVED: Moved = { distanceMm: 0, carriedMm: 0 };

/**
 * Goes on to the next position that counts.
 * @param drives whether the machine drives by itself then, as far as its signals tell
 * @returns `more`: what it adds to the distance of its bucket
 */
export function moveOn(
  before: Movement | undefined,
  here: Position & { readonly time: number },
  drives: boolean,
): { readonly movement: Movement; readonly more: Moved } {
  const { time } = here;
  const known = before && time - before.place.time <= MAX_GAP_MS ? before : undefined;
  if (!known)
    return { movement: { place: newPlace(here, drives, false), moved: NOT_MOVED }, more: NOT_MOVED };
  const jumped = isJump({ ...known.place.position, time: known.place.time }, here);
  const isSamePlace = !jumped && isIn(PLACE_MS, time, known.place.time);
  const isSameBucket = isIn(BUCKET_MS, time, known.place.time);
  const way = isSamePlace ? known.way : wayAfter(known, isSameBucket);
  const place = isSamePlace ? grown(known.place, here, drives) : newPlace(here, drives, jumped);
  const moved = way ? movedBy(stepTo(way, place)) : NOT_MOVED;
  const had = isSameBucket ? known.moved : NOT_MOVED;
  const more = {
    distanceMm: moved.distanceMm - had.distanceMm,
    carriedMm: moved.carriedMm - had.carriedMm,
  };
  return { movement: { way, place, moved }, more };
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

const meanOf = ({ sum: { lat, lon }, count }: Place): Position => ({ lat: lat / count, lon: lon / count });

/** The way from which the next place goes on, now that no position comes to the present one any more. */
function wayAfter({ way, place }: Movement, isSameBucket: boolean): Way {
  if (!isSameBucket) return newWay({ ...meanOf(place), drives: false });
  return way ? stepTo(way, place) : newWay({ ...meanOf(place), drives: place.drives });
}

const newWay = (last: Position & { readonly drives: boolean }, certain = 0, carried = 0): Way => {
  const at = { lat: last.lat, lon: last.lon };
  return {
    ...{ origin: at, anchor: at, far: at, parked: at, last },
    ...{ walked: 0, driven: 0, pending: 0, carried, certain },
    ...{ isCarried: false, hasMoved: false },
    spread: { count: 0, x: 0, y: 0, squares: 0 },
  };
};

function stepTo(way: Way, place: Place): Way {
  const at = meanOf(place);
  const last = { ...at, drives: place.drives };
  if (place.jumped)
    return newWay(last, way.certain + drivenBy(way), way.carried + distanceMetres(way.last, at));
  const { anchor, far, walked } = walkTo(way, at);
  const longer = Math.max(0, lengthOf({ anchor, far, walked }) - lengthOf(way));
  const spread = spreadTo(way, at);
  const next = {
    ...{ origin: way.origin, anchor, far, last, walked, spread, certain: way.certain },
    hasMoved: way.hasMoved || distanceMetres(way.origin, at) > LEAVES_METRES || isWide(spread),
  };
  if (place.drives || way.last.drives) {
    const { carried } = way;
    return { ...next, driven: way.driven + longer, pending: 0, carried, isCarried: false, parked: at };
  }
  const { driven, parked } = way;
  const isCarried = way.isCarried || distanceMetres(parked, at) > CARRIED_METRES;
  const pending = way.pending + longer;
  return isCarried
    ? { ...next, driven, pending: 0, carried: way.carried + pending, isCarried, parked }
    : { ...next, driven, pending, carried: way.carried, isCarried, parked };
}

type Walk = Pick<Way, 'anchor' | 'far' | 'walked'>;

/** A new corner stands where the way comes far enough from the last one, or turns back. */
function walkTo({ anchor, far, walked }: Walk, at: Position): Walk {
  const away = distanceMetres(anchor, at);
  const farthest = distanceMetres(anchor, far);
  if (away >= farthest)
    return away > TURNS_METRES ? { anchor: at, far: at, walked: walked + away } : { anchor, far: at, walked };
  const back = distanceMetres(far, at);
  return back > TURNS_METRES
    ? { anchor: at, far: at, walked: walked + farthest + back }
    : { anchor, far, walked };
}

const lengthOf = ({ anchor, far, walked }: Walk): number => walked + distanceMetres(anchor, far);

const METRES_PER_DEGREE = (Math.PI * EARTH_RADIUS_METRES) / 180;

function spreadTo({ origin, spread }: Way, { lat, lon }: Position): Way['spread'] {
  const x = (lon - origin.lon) * Math.cos((origin.lat * Math.PI) / 180) * METRES_PER_DEGREE;
  const y = (lat - origin.lat) * METRES_PER_DEGREE;
  return {
    count: spread.count + 1,
    x: spread.x + x,
    y: spread.y + y,
    squares: spread.squares + x * x + y * y,
  };
}

function isWide({ count, x, y, squares }: Way['spread']): boolean {
  if (count < SPREAD_PLACES) return false;
  const variance = (squares - (x * x + y * y) / count) / (count - 1);
  return variance > SPREAD * (1 + SPREAD_OF_FEW / Math.sqrt(count));
}

const drivenBy = ({ hasMoved, driven }: Way): number => (hasMoved ? driven : 0);

const millimetres = (metres: number): number => Math.floor(metres * 1000 + 0.5);

function movedBy(way: Way): Moved {
  const carriedMm = millimetres(way.carried);
  return { distanceMm: carriedMm + millimetres(way.certain + drivenBy(way)), carriedMm };
}
