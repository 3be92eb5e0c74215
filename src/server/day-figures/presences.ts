import type {
  BucketSlicesWithPositions,
  PositionSlice,
  TimedPosition,
} from '#server/history/bucket-slices.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  areasNear,
  type BoxLocation,
  boxLocationOf,
  keepsPresenceState,
  nextPresenceState,
  type PresenceChange,
  type PresenceState,
  type ProjectArea,
} from '#shared/domain/presence.ts';
import { positionScatterAt } from '#shared/domain/scatter.ts';

/** A presence on a project; times in ms. */
export type Presence = Range & {
  readonly projectId: number;
  readonly byHand: boolean;
  readonly unseenMs: number;
};
/**
 * A range that a person entered for a machine and a project: an assignment, or an exception, in which positions do not put the machine on
 * the project; ms.
 */
export type ManualProjectTime = Range & { readonly projectId: number };

/** Stored results of days whose positions an organization no longer keeps. */
export type StoredPresenceDays = {
  /** The first midnight after these days, in ms; no later positions were removed. */
  readonly until: number;
  /** On which project the machine was at the end of each of these days, by day. */
  readonly states: ReadonlyMap<string, PresenceState>;
  /** Presences by position, cut at midnights. */
  readonly presences: readonly Presence[];
};

export type FoundPresences = {
  readonly changes: readonly PresenceChange[];
  /** State after a slice, by the beginning of the slice (ms). */
  readonly states: ReadonlyMap<number, PresenceState>;
};

/**
 * Determines from a machine's positions on which project it is, slice by slice. Reads positions only of slices in which the project
 * may have changed.
 * @param earlier slices of the hour before, for the scatter (figures.md section 13)
 * @param places sorted by sortBySmallestArea
 * @param kept stored results of days whose positions were removed
 */
export async function findPresenceChanges(
  slices: BucketSlicesWithPositions,
  earlier: readonly PositionSlice[],
  found: readonly PositionSlice[],
  before: PresenceState,
  places: readonly ProjectArea[],
  kept: StoredPresenceDays | undefined,
): Promise<FoundPresences> {
  const changes: PresenceChange[] = [];
  const states = new Map<number, PresenceState>();
  const isKept = ({ from }: PositionSlice): boolean => kept !== undefined && from < kept.until;
  const near = placesOf(found, places);
  const wheres = found.map((slice, n) =>
    slice.bucket.box && !isKept(slice) ? boxLocationOf(slice, slice.bucket.box, near(n)) : undefined,
  );
  const awaited = probablyRead(found, wheres, before);
  const boxes = [...earlier, ...found].flatMap(({ from, bucket: { box } }) =>
    box ? [{ start: bucketStart(from), ...box }] : [],
  );
  let boxesSeen = 0;
  const scatterOf = (time: number) => (): ReturnType<typeof positionScatterAt> => {
    while ((boxes[boxesSeen]?.start ?? time) < time) boxesSeen += 1;
    return positionScatterAt(boxes, time, boxesSeen);
  };
  let state = before;
  let read: ReadonlySet<PositionSlice> = new Set();
  let positions: readonly TimedPosition[] = [];
  let at = 0;
  for (const [n, slice] of found.entries()) {
    if (isKept(slice)) state = kept?.states.get(amsterdamDay(slice.from)) ?? state;
    else if (slice.bucket.box && !keepsPresenceState(state, wheres[n])) {
      if (!read.has(slice)) {
        read = nextToRead(found, n, awaited);
        positions = await slices.positions([...read]);
        at = 0;
      }
      for (; (positions[at]?.time ?? slice.to) < slice.to; at += 1) {
        const { time, position } = positions[at] as TimedPosition;
        if (time < slice.from) continue;
        const moved = nextPresenceState(state, time, position, near(n), scatterOf(time));
        state = moved.state;
        changes.push(...moved.changes);
      }
    }
    // `stood`, the area in which the machine stood, is left out, because positions may be stored with the readings only.
    const { stood: _, ...storable } = state;
    states.set(slice.from, storable);
  }
  return { changes, states };
}

/** Number of slices for which the places near them are looked up together: a day without gaps. */
const SLICES_PER_GROUP = 288;

/** Returns a function that gives the places near the group of the n-th slice, because an organization may have hundreds of places. */
function placesOf(
  found: readonly PositionSlice[],
  places: readonly ProjectArea[],
): (n: number) => readonly ProjectArea[] {
  const near: (readonly ProjectArea[])[] = [];
  for (let n = 0; n < found.length; n += SLICES_PER_GROUP) {
    const boxes = found.slice(n, n + SLICES_PER_GROUP).flatMap(({ bucket: { box } }) => box ?? []);
    const box = {
      south: Math.min(...boxes.map(({ south }) => south)),
      west: Math.min(...boxes.map(({ west }) => west)),
      north: Math.max(...boxes.map(({ north }) => north)),
      east: Math.max(...boxes.map(({ east }) => east)),
    };
    near.push(boxes.length > 0 ? areasNear(places, box) : []);
  }
  return (n) => near[Math.floor(n / SLICES_PER_GROUP)] ?? places;
}

/**
 * Returns the slices whose positions will probably be read: those in which the machine is not where it was in the slices before, or its
 * place is uncertain. Misses slices in which the machine counts as arrived some time after it reached the place, because the prediction
 * assumes that it counts as arrived at once.
 */
function probablyRead(
  found: readonly PositionSlice[],
  wheres: readonly (BoxLocation | undefined)[],
  before: PresenceState,
): ReadonlySet<PositionSlice> {
  const awaited = new Set<PositionSlice>();
  let state: PresenceState | undefined = before;
  for (const [n, slice] of found.entries()) {
    if (!slice.bucket.box) continue;
    const where = wheres[n];
    if (state && keepsPresenceState(state, where)) continue;
    awaited.add(slice);
    state = where && { projectId: where.projectId };
  }
  return awaited;
}

/** Largest number of readings that are read at once. */
const MAX_READING_COUNT = 10_000;

/** Returns the n-th slice and the following ones that will probably be read too. */
function nextToRead(
  found: readonly PositionSlice[],
  n: number,
  awaited: ReadonlySet<PositionSlice>,
): Set<PositionSlice> {
  const next = new Set<PositionSlice>();
  let count = 0;
  for (const [m, slice] of found.slice(n).entries()) {
    if (m > 0 && !awaited.has(slice)) continue;
    count += slice.bucket.count;
    if (m > 0 && count > MAX_READING_COUNT) break;
    next.add(slice);
  }
  return next;
}

/**
 * Returns the places without the times in which the machine's positions do not count for their projects, in the same
 * order.
 */
export const areasWithoutExceptions = (
  places: readonly ProjectArea[],
  exceptions: readonly ManualProjectTime[],
): readonly ProjectArea[] =>
  exceptions.length === 0
    ? places
    : places.flatMap((place) =>
        without(place, exceptionsOf(exceptions, place.projectId)).map((part) => ({ ...place, ...part })),
      );

const exceptionsOf = (exceptions: readonly ManualProjectTime[], projectId: number): ManualProjectTime[] =>
  exceptions.filter((one) => one.projectId === projectId);

/** Times that people entered: of assignments to projects, of exceptions from projects, and of the projects themselves. */
export type ManualProjectTimes = {
  readonly assigned: readonly ManualProjectTime[];
  /** Times in which positions do not count for a project. */
  readonly exceptions: readonly ManualProjectTime[];
  readonly times: ReadonlyMap<number, Range>;
};

/**
 * Returns the presences in a range: by assignment, otherwise by position outside exceptions. They are cut at the
 * projects' times and at midnights.
 * @param changes in order; the first one says where the machine was at the beginning of the range, or at the end of the kept days
 * @param known stored presences that were computed from the same readings
 */
export async function computePresences(
  slices: BucketSlicesWithPositions,
  range: Range,
  changes: readonly PresenceChange[],
  { assigned, exceptions, times }: ManualProjectTimes,
  kept: StoredPresenceDays | undefined,
  known: readonly Presence[],
): Promise<Presence[]> {
  const inTime = <Time extends Range & { readonly projectId: number }>(one: Time): Time[] =>
    [times.get(one.projectId)].flatMap((time) => {
      const from = Math.max(one.from, range.from, time?.from ?? range.to);
      const to = Math.min(one.to, range.to, time?.to ?? range.from);
      return from < to ? [{ ...one, from, to }] : [];
    });
  const byHand: Found[] = [];
  // If two assignments overlap, one of them on a deleted project, the one that began first counts.
  for (const one of assigned.flatMap(inTime))
    for (const part of without(one, byHand))
      byHand.push({ ...part, projectId: one.projectId, byHand: true, keptUnseenMs: 0 });
  const start = changes[0]?.from ?? range.to;
  const byPosition = changes.flatMap((turn, n): Found[] => {
    // Positions before `start` were removed, so `kept.presences` has the part of a presence before it.
    const from = Math.max(turn.from, start);
    const to = Math.max(changes[n + 1]?.from ?? range.to, start);
    return turn.projectId === undefined
      ? []
      : [{ from, to, projectId: turn.projectId, byHand: false, keptUnseenMs: undefined }];
  });
  const ofKept = kept?.presences.map(({ unseenMs, ...one }) => ({ ...one, keptUnseenMs: unseenMs })) ?? [];
  const cut = [...ofKept, ...byPosition]
    .flatMap(inTime)
    .flatMap((one) =>
      without(one, [...exceptionsOf(exceptions, one.projectId), ...byHand]).map((part) => ({
        ...one,
        ...part,
      })),
    )
    .concat(byHand)
    .flatMap(cutAtMidnights)
    .sort((a, b) => a.from - b.from);
  const unseenOf = new Map(known.map((one) => [presenceKey(one), one.unseenMs]));
  return Promise.all(
    cut.map(async ({ keptUnseenMs, ...one }) => ({
      ...one,
      unseenMs:
        keptUnseenMs === undefined
          ? (unseenOf.get(presenceKey(one)) ?? unseenIn(await slices.seen(one)))
          : Math.min(keptUnseenMs, one.to - one.from),
    })),
  );
}

/** Returns a key that identifies a presence of a machine. */
export const presenceKey = ({ projectId, from, to, byHand }: Omit<Presence, 'unseenMs'>): string =>
  `${projectId} ${from} ${to} ${byHand}`;

type Found = Omit<Presence, 'unseenMs'> & {
  /** Stored unseen time of a presence on a day whose positions were removed; undefined: it must be computed. */
  readonly keptUnseenMs: number | undefined;
};

function cutAtMidnights<Cut extends Range>(one: Cut): Cut[] {
  const cut: Cut[] = [];
  for (let from = one.from; from < one.to; ) {
    const to = Math.min(one.to, (amsterdamDayRange(amsterdamDay(from)) as Range).to);
    cut.push({ ...one, from, to });
    from = to;
  }
  return cut;
}

/** Returns the time with data but without a position. */
const unseenIn = (found: readonly PositionSlice[]): number =>
  found.reduce((sum, { bucket }) => sum + (bucket.box ? 0 : bucket.heardMs), 0);

/** Returns the parts of a range outside other ranges. */
function without(range: Range, others: readonly Range[]): Range[] {
  const left: Range[] = [];
  let from = range.from;
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    if (other.to <= from || other.from >= range.to) continue;
    if (other.from > from) left.push({ from, to: other.from });
    from = Math.max(from, other.to);
  }
  if (from < range.to) left.push({ from, to: range.to });
  return left;
}
