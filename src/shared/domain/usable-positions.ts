/**
 * Decides whether a position counts (docs/figures.md section 1, 'Positions that do not count'). Receivers report places where a machine
 * never was: without a fix, near 0,0, or a jump away and back.
 */
import { distanceMetres } from './distance.ts';
import { MAX_GAP_MS } from './intervals.ts';
import { type Position, positionOf } from './position.ts';
import type { Reading, Signals } from './signal.ts';
import { UNUSED_LATITUDE, UNUSED_LONGITUDE } from './unused-names.ts';

/** No work machine, and no lorry or train that carries one, is faster. */
const JUMP_METRES_PER_SECOND = 60;
/** Positions that are closer in time count as this far apart, because otherwise noise alone would look like a jump. */
const MIN_STEP_MS = 1_000;
/** A jump is real if at least this many readings report the new place. */
const STAYS_READINGS = 4;
/** The readings at the new place must also cover at least this time. */
const STAYS_MS = 2 * 60_000;
/** Receivers that have no fix may report a position near 0,0. */
const NULL_ISLAND_METRES = 1_000;
/** Slightly more than the length of a degree of latitude. */
const METRES_PER_DEGREE = 111_200;
const NULL_ISLAND_DEGREES = 0.01;
const MIN_SATELLITES = 4;
const WORST_ACCURACY_METRES = 100;

/** A reading can change whether other positions count, if these are at most this much earlier or later. */
export const MAX_POSITION_INFLUENCE_MS = 4 * MAX_GAP_MS;

export type UnusedReason = 'no-fix' | 'null-island' | 'jump';

type Spot = Position & { readonly time: number };

/** State that the check keeps from one position to the next; plain JSON, because it is stored. */
export type PositionState = Spot & {
  /** Time of the first position in the group of this one, ms; a jump, or a gap of more than 5 minutes, begins a new group. */
  readonly since: number;
  /** Number of positions in the group of this one; need not be exact above STAYS_READINGS. */
  readonly count: number;
  /** Whether it is undecided if the position counts; so far it does not count. */
  readonly isOpen?: true | undefined;
};

/** Returns why a position does not count, regardless of the other positions; undefined: there is no such reason. */
export function standaloneUnusedReason(
  position: Position,
  signals: Signals,
): Exclude<UnusedReason, 'jump'> | undefined {
  const { QUALITY, NUMBER_SATELLITES, HORIZONTAL_ACCURACY } = signals;
  if (
    QUALITY === 0 ||
    (NUMBER_SATELLITES !== undefined && NUMBER_SATELLITES < MIN_SATELLITES) ||
    (HORIZONTAL_ACCURACY !== undefined && HORIZONTAL_ACCURACY > WORST_ACCURACY_METRES)
  )
    return 'no-fix';
  // Fast check for nearly all positions.
  if (Math.abs(position.lat) > NULL_ISLAND_DEGREES || Math.abs(position.lon) > NULL_ISLAND_DEGREES)
    return undefined;
  return distanceMetres(position, { lat: 0, lon: 0 }) <= NULL_ISLAND_METRES ? 'null-island' : undefined;
}

/** Returns the unused position of a stored reading, and the reason. */
export function unusedPositionOf(
  signals: Signals,
): { readonly position: Position; readonly reason: UnusedReason } | undefined {
  const position = positionOf({ LATITUDE: signals[UNUSED_LATITUDE], LONGITUDE: signals[UNUSED_LONGITUDE] });
  return position && { position, reason: standaloneUnusedReason(position, signals) ?? 'jump' };
}

/** Returns whether two consecutive positions are linked or a jump; undefined: they are too far apart in time. */
function linkOf(before: Spot | undefined, after: Spot | undefined): 'linked' | 'jump' | undefined {
  if (!before || !after || after.time - before.time > MAX_GAP_MS) return undefined;
  const seconds = Math.max(MIN_STEP_MS, after.time - before.time) / 1000;
  const most = JUMP_METRES_PER_SECOND * seconds;
  // Fast check for nearly all links: a degree of longitude is nowhere longer than one of latitude.
  const degrees = Math.abs(after.lat - before.lat) + Math.abs(after.lon - before.lon);
  if (degrees * METRES_PER_DEGREE < most) return 'linked';
  return distanceMetres(before, after) > most ? 'jump' : 'linked';
}

export const isJump = (before: Spot, after: Spot): boolean => linkOf(before, after) === 'jump';

export type JudgedPositions = {
  /** Whether the position counts, by reading; true without a position. */
  readonly counts: readonly boolean[];
  readonly last: PositionState | undefined;
  /** Whether positions before these readings may have begun or ceased to count. */
  readonly looksBack: boolean;
  /** Some of these positions jump. */
  readonly hasJump: boolean;
};

const ALL_COUNT = { looksBack: false, hasJump: false };

/**
 * Returns which positions count.
 * @param readings as they were sent, in order of time
 * @param before state after the positions before
 */
export function judgePositions(readings: readonly Reading[], before?: PositionState): JudgedPositions {
  const counts = new Array<boolean>(readings.length).fill(true);
  const spots: (Spot & { readonly n: number })[] = [];
  for (let n = 0; n < readings.length; n += 1) {
    const { time, signals } = readings[n] as Reading;
    const position = positionOf(signals);
    if (!position) continue;
    if (standaloneUnusedReason(position, signals)) counts[n] = false;
    else spots.push({ ...position, time, n });
  }
  const first = spots[0];
  if (!first) return { counts, last: before, ...ALL_COUNT };
  const known = before && first.time - before.time <= MAX_GAP_MS ? before : undefined;
  const all: readonly Spot[] = known ? [known, ...spots] : spots;
  const calm = withoutJumps(spots, known);
  if (calm) return { counts, last: calm, looksBack: known?.isOpen === true, hasJump: false };

  const stays = all.map((spot, n) => {
    // `known` always stays: whether it is an outlier depends on positions before it, which are not in `all`.
    if (n === 0 && known) return true;
    const left = [all[n - 2], all[n - 1]].map((other) => linkOf(other, spot));
    const right = [all[n + 1], all[n + 2]].map((other) => linkOf(spot, other));
    const links = [...left, ...right];
    return links.includes('linked') || !links.includes('jump');
  });
  const groups = groupsOf(
    all.filter((_, n) => stays[n]),
    known,
  );
  const outs = new Set(groups.filter(({ isOut }) => isOut).flatMap(({ spots: ofGroup }) => ofGroup));
  for (const [n, spot] of all.entries())
    if ('n' in spot && (!stays[n] || outs.has(spot))) counts[(spot as { n: number }).n] = false;
  const end = spots.at(-1) as Spot & { readonly n: number };
  const group = groups.find(({ spots: ofGroup }) => ofGroup.includes(end));
  return {
    counts,
    last: {
      lat: end.lat,
      lon: end.lon,
      time: end.time,
      since: group?.since ?? end.time,
      count: group?.count ?? 1,
      isOpen: counts[end.n] ? undefined : true,
    },
    // If the first new position jumps from `known`, or `known` now seems an outlier, the positions before `known` must be judged again too.
    looksBack: known !== undefined && (known.isOpen === true || isJump(known, first) || outs.has(known)),
    hasJump: true,
  };
}

/** Returns the state after the position `spot`; undefined: a jump leads to this position. */
function spotAfter(last: PositionState | undefined, spot: Spot): PositionState | undefined {
  const { lat, lon, time } = spot;
  const link = linkOf(last, spot);
  if (link === 'jump') return undefined;
  if (!last || link === undefined) return { lat, lon, time, since: time, count: 1 };
  return { lat, lon, time, since: last.since, count: Math.min(STAYS_READINGS, last.count + 1) };
}

/** Returns the state after positions without a jump, which is the common case; undefined: there is a jump between two of them. */
function withoutJumps(spots: readonly Spot[], known: PositionState | undefined): PositionState | undefined {
  let last = known;
  for (const spot of spots) {
    last = spotAfter(last, spot);
    if (!last) return undefined;
  }
  return last;
}

type Group = {
  readonly spots: Spot[];
  readonly since: number;
  count: number;
  /** The group is too short for a stay at a real place, and a jump leads to it or away from it. */
  isOut: boolean;
};

/** Returns the groups of linked positions. @param known the first position, whose group began earlier */
function groupsOf(spots: readonly Spot[], known: PositionState | undefined): Group[] {
  const groups: Group[] = [];
  const isShort = ({ spots: ofGroup, since, count }: Group): boolean =>
    count < STAYS_READINGS || (ofGroup.at(-1) as Spot).time - since < STAYS_MS;
  for (const [n, spot] of spots.entries()) {
    const link = linkOf(spots[n - 1], spot);
    const group = groups.at(-1);
    if (link === 'linked' && group) {
      group.spots.push(spot);
      group.count += 1;
    } else {
      if (link === 'jump' && group) group.isOut = true;
      const of = spot === known ? known : { since: spot.time, count: 1 };
      groups.push({ spots: [spot], since: of.since, count: of.count, isOut: link === 'jump' });
    }
  }
  for (const group of groups) group.isOut &&= isShort(group);
  return groups;
}

/** Returns the state if every position counts, which is the common case; undefined: the positions have to be judged. */
export function positionStateIfAllCount(
  readings: readonly Reading[],
  before: PositionState | undefined,
): PositionState | undefined {
  if (before?.isOpen) return undefined;
  let last = before;
  for (const { time, signals } of readings) {
    const position = positionOf(signals);
    if (!position) continue;
    if (standaloneUnusedReason(position, signals)) return undefined;
    last = spotAfter(last, { ...position, time });
    if (!last) return undefined;
  }
  return last;
}

/**
 * Returns the state after readings whose positions have been judged.
 * @param readings as they were sent, in order of time
 * @param counts whether the position of each reading counts
 */
export function positionStateOf(
  readings: readonly Reading[],
  counts: readonly boolean[],
): PositionState | undefined {
  const spots = readings.flatMap(({ time, signals }, n) => {
    const position = positionOf(signals);
    return position && !standaloneUnusedReason(position, signals)
      ? [{ lat: position.lat, lon: position.lon, time, counts: counts[n] === true }]
      : [];
  });
  const end = spots.pop();
  if (!end) return undefined;
  const { counts: isCounted, ...last } = end;
  if (!isCounted) return { ...last, since: last.time, count: 1, isOpen: true };
  let [since, count]: [Spot, number] = [last, 1];
  for (const spot of spots.reverse()) {
    if (!spot.counts) continue;
    if (linkOf(spot, since) !== 'linked') break;
    since = spot;
    count = Math.min(STAYS_READINGS, count + 1);
  }
  return { ...last, since: since.time, count };
}
