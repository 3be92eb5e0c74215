import { metresBetween, type PositionFix as Position, positionRelation } from './counting.ts';
import { bucketOf, FIVE_MINUTES_IN_MS, type ReadingStream } from './track.ts';

/** Computes the distance of a machine, driven and carried, as docs/figures.md section 6 defines. */

const FIVE_SECONDS = 5000;
const wholeCm = (degrees: number): number => Math.floor((degrees * 637_100_000 * Math.PI) / 180 + 0.5);

/** Returns the great-circle distance in whole mm. */
const mmBetween = (a: Pick<Place, 'lat' | 'lon'>, b: Pick<Place, 'lat' | 'lon'>): number =>
  Math.floor(metresBetween(a, b) * 1000 + 0.5);

/** Rounds to ten-millionths of a degree. */
const shortened = (degrees: number): number => Math.floor(degrees * 1e7 + 0.5) / 1e7;

/** Whole mm. */
export type PositionDistance = { readonly distanceMm: number; readonly carriedMm: number };

/** The mean of the positions in 5 s without a jump between them. */
type Place = {
  /** ms; the time of the last position of the place. */
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly drives: boolean;
  /** Whether a jump leads to the place. */
  readonly jumped: boolean;
  /** A new segment begins at this place, or between the place before and this one. */
  readonly begins: boolean;
};

/** Returns whether a new segment begins after `from` and not after `to`. */
const hasBorder = (stream: ReadingStream, from: number, to: number): boolean =>
  stream.track('NEW_SEGMENT').points.some(({ time }) => time > from && time <= to);

/** Returns whether the machine drives at t, by its signals. */
export function isDrivingAt(stream: ReadingStream, t: number): boolean {
  if (t >= stream.firstMotor) return (stream.track('MotorSpeed').before(t) ?? 0) > 150;
  const speed = stream.track('Speed').before(t);
  return speed === undefined || (Math.abs(speed) >= 1 && Math.abs(speed) <= 100);
}

function placesOf(
  stream: ReadingStream,
  positions: readonly Position[],
  before: Position | undefined,
): Place[] {
  const groups: Position[][] = [];
  const jumped: boolean[] = [];
  const begins: boolean[] = [];
  for (const [n, position] of positions.entries()) {
    const previous = positions[n - 1] ?? before;
    const isJump = positionRelation(previous, position) === 'jump';
    const isSameCell =
      n > 0 && Math.floor(position.time / FIVE_SECONDS) === Math.floor((previous?.time ?? 0) / FIVE_SECONDS);
    const isBorder = previous !== undefined && hasBorder(stream, previous.time, position.time);
    if (isSameCell && !isJump && !isBorder) groups.at(-1)?.push(position);
    else {
      groups.push([position]);
      jumped.push(isJump && !isBorder);
      begins.push(isBorder);
    }
  }
  return groups.map((group, n) => ({
    time: group.at(-1)?.time ?? 0,
    lat: shortened(group.reduce((sum, { lat }) => sum + lat, 0) / group.length),
    lon: shortened(group.reduce((sum, { lon }) => sum + lon, 0) / group.length),
    drives: isDrivingAt(stream, group.at(-1)?.time ?? 0),
    jumped: jumped[n] ?? false,
    begins: begins[n] ?? false,
  }));
}

/** Returns the length of the route from the first place up to each place, mm. */
function lengths(places: readonly Place[]): number[] {
  let corner = places[0] as Place;
  let far = corner;
  let whole = 0;
  return places.map((place) => {
    const toFar = mmBetween(corner, far);
    const toPlace = mmBetween(corner, place);
    const back = mmBetween(far, place);
    if (toPlace >= toFar) {
      far = place;
      if (toPlace > 8000) {
        whole += toPlace;
        corner = place;
      }
    } else if (back > 8000) {
      whole += toFar + back;
      corner = place;
      far = place;
    }
    return whole + mmBetween(corner, far);
  });
}

/** Returns whether there are at least 4 places, each farther from the first one than the place before it, at 0.8 m/s or more. */
function goesAway(places: readonly Place[]): boolean {
  const [origin, end] = [places[0] as Place, places.at(-1) as Place];
  const away = places.map((place) => mmBetween(origin, place));
  return (
    places.length >= 4 &&
    away.every((mm, n) => n === 0 || mm - (away[n - 1] ?? 0) >= 5000) &&
    (away.at(-1) ?? 0) >= 0.8 * (end.time - origin.time)
  );
}

function hasLeft(places: readonly Place[]): boolean {
  const [origin, ...others] = places as [Place, ...Place[]];
  return others.some((place, n) => {
    if (mmBetween(origin, place) > 100_000) return true;
    const count = n + 1;
    if (goesAway(places.slice(0, n + 2))) return true;
    if (count < 6) return false;
    let [x, y, squares] = [0, 0, 0];
    for (const { lat, lon } of others.slice(0, count)) {
      const east = wholeCm((lon - origin.lon) * Math.cos((origin.lat * Math.PI) / 180));
      const north = wholeCm(lat - origin.lat);
      x += east;
      y += north;
      squares += east * east + north * north;
    }
    return (squares - (x * x + y * y) / count) / (count - 1) / 10_000 > 20 * (1 + 4 / Math.sqrt(count));
  });
}

/** Returns the distance driven, and `carriedBefore` plus the distance carried, on a route without jumps, mm. */
function wayThrough(places: readonly Place[], carriedBefore: number): { driven: number; carried: number } {
  const along = lengths(places);
  let driven = 0;
  let carried = carriedBefore;
  let pending = 0;
  let parked = places[0] as Place;
  let isCarried = false;
  for (const [n, place] of places.entries()) {
    if (n === 0) continue;
    const more = Math.max(0, (along[n] ?? 0) - (along[n - 1] ?? 0));
    if (place.drives || places[n - 1]?.drives) {
      driven += more;
      pending = 0;
      isCarried = false;
      parked = place;
      continue;
    }
    pending += more;
    if (mmBetween(parked, place) > 250_000) isCarried = true;
    if (isCarried) {
      carried += pending;
      pending = 0;
    }
  }
  return { driven: hasLeft(places) ? driven : 0, carried };
}

/** Returns the distance of one bucket: along `positions`, from the last place before the bucket on. */
function wayOf(
  stream: ReadingStream,
  positions: readonly Position[],
  before: readonly Position[],
): PositionDistance {
  const last = before.at(-1);
  const isNear = last !== undefined && (positions[0]?.time ?? 0) - last.time <= FIVE_MINUTES_IN_MS;
  const places = placesOf(stream, positions, isNear ? last : undefined);
  const earlier = isNear ? placesOf(stream, lastTogether(before), before.at(-TOGETHER)).at(-1) : undefined;
  if (earlier) places.unshift({ ...earlier, drives: false, jumped: false, begins: false });
  let [driven, carried] = [0, 0];
  let from = 0;
  for (let n = 1; n <= places.length; n += 1) {
    if (n < places.length && !places[n]?.jumped && !places[n]?.begins) continue;
    const part = wayThrough(places.slice(from, n), carried);
    driven += part.driven;
    carried = part.carried;
    const [a, b] = [places[n - 1], places[n]];
    if (a && b?.jumped) carried += mmBetween(a, b);
    from = n;
  }
  return { carriedMm: carried, distanceMm: carried + driven };
}

/** Maximum number of positions in 5 s in these tests. */
const TOGETHER = 60;
const lastTogether = (before: readonly Position[]): readonly Position[] => before.slice(-TOGETHER + 1);

/** Returns what each position adds to the distance of its bucket. */
export function positionDistancesOf(
  stream: ReadingStream,
  positions: readonly Position[],
): (PositionDistance & { readonly time: number })[] {
  return positions.map((position, n) => {
    const start = positions.findIndex(({ time }) => bucketOf(time) === bucketOf(position.time));
    const before = positions.slice(Math.max(0, start - 2 * TOGETHER), start);
    const upTo = wayOf(stream, positions.slice(start, n + 1), before);
    const had =
      n > start ? wayOf(stream, positions.slice(start, n), before) : { distanceMm: 0, carriedMm: 0 };
    return {
      time: position.time,
      distanceMm: upTo.distanceMm - had.distanceMm,
      carriedMm: upTo.carriedMm - had.carriedMm,
    };
  });
}
