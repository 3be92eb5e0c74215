import type {
  BucketSlicesWithPositions,
  PositionSlice,
  TimedPosition,
} from '#server/history/bucket-slices.ts';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  move,
  type Place,
  type PresenceChange,
  type PresenceState,
  placesNear,
  staysThere,
  type Whereabouts,
  whereaboutsOf,
} from '#shared/domain/presence.ts';
import { scatterAt } from '#shared/domain/scatter.ts';

/** ms */
export type Presence = Range & {
  readonly projectId: number;
  readonly byHand: boolean;
  readonly unseenMs: number;
};
/** A time of a machine and a project that people entered: on it by hand, or an exception; ms. */
export type Assigned = Range & { readonly projectId: number };

/** What was counted of days whose positions an organization keeps no longer. */
export type KeptDays = {
  /** The first midnight after them, ms; no more than that was removed. */
  readonly until: number;
  /** Day to where it was at its end. */
  readonly states: ReadonlyMap<string, PresenceState>;
  /** By position; cut at midnights. */
  readonly presences: readonly Presence[];
};

export type Followed = {
  /** In order. */
  readonly changes: readonly PresenceChange[];
  /** What was known after a slice, by its beginning (ms). */
  readonly states: ReadonlyMap<number, PresenceState>;
};

/**
 * Where a machine was by its positions, slice after slice of its history. Positions are read only of slices in which
 * something may have happened.
 * @param earlier slices of the hour before, for the scatter (figures.md section 13)
 * @param places inOrderOfSize
 * @param kept days whose positions are gone: what was counted then
 */
export async function followPositions(
  slices: BucketSlicesWithPositions,
  earlier: readonly PositionSlice[],
  found: readonly PositionSlice[],
  before: PresenceState,
  places: readonly Place[],
  kept: KeptDays | undefined,
): Promise<Followed> {
  const changes: PresenceChange[] = [];
  const states = new Map<number, PresenceState>();
  const isKept = ({ from }: PositionSlice): boolean => kept !== undefined && from < kept.until;
  const near = placesOf(found, places);
  const wheres = found.map((slice, n) =>
    slice.bucket.box && !isKept(slice) ? whereaboutsOf(slice, slice.bucket.box, near(n)) : undefined,
  );
  const awaited = probablyRead(found, wheres, before);
  const boxes = [...earlier, ...found].flatMap(({ from, bucket: { box } }) =>
    box ? [{ start: bucketStart(from), ...box }] : [],
  );
  let boxesSeen = 0;
  const scatterOf = (time: number) => (): ReturnType<typeof scatterAt> => {
    while ((boxes[boxesSeen]?.start ?? time) < time) boxesSeen += 1;
    return scatterAt(boxes, time, boxesSeen);
  };
  let state = before;
  let read: ReadonlySet<PositionSlice> = new Set();
  let positions: readonly TimedPosition[] = [];
  let at = 0;
  for (const [n, slice] of found.entries()) {
    if (isKept(slice)) state = kept?.states.get(amsterdamDay(slice.from)) ?? state;
    else if (slice.bucket.box && !staysThere(state, wheres[n])) {
      if (!read.has(slice)) {
        read = nextToRead(found, n, awaited);
        positions = await slices.positions([...read]);
        at = 0;
      }
      for (; (positions[at]?.time ?? slice.to) < slice.to; at += 1) {
        const { time, position } = positions[at] as TimedPosition;
        if (time < slice.from) continue;
        const moved = move(state, time, position, near(n), scatterOf(time));
        state = moved.state;
        changes.push(...moved.changes);
      }
    }
    // Positions are not kept beside the readings.
    const { stood: _, ...storable } = state;
    states.set(slice.from, storable);
  }
  return { changes, states };
}

/** Of a day without a break. */
const PIECES_TOGETHER = 288;

/** The places that count for the n-th slice: those near it and its neighbours, of an organization that may have hundreds. */
function placesOf(
  found: readonly PositionSlice[],
  places: readonly Place[],
): (n: number) => readonly Place[] {
  const near: (readonly Place[])[] = [];
  for (let n = 0; n < found.length; n += PIECES_TOGETHER) {
    const boxes = found.slice(n, n + PIECES_TOGETHER).flatMap(({ bucket: { box } }) => box ?? []);
    const box = {
      south: Math.min(...boxes.map(({ south }) => south)),
      west: Math.min(...boxes.map(({ west }) => west)),
      north: Math.max(...boxes.map(({ north }) => north)),
      east: Math.max(...boxes.map(({ east }) => east)),
    };
    near.push(boxes.length > 0 ? placesNear(places, box) : []);
  }
  return (n) => near[Math.floor(n / PIECES_TOGETHER)] ?? places;
}

/** Where it is found elsewhere, or there was no telling: all but those in which it came and stayed on the way for longer. */
function probablyRead(
  found: readonly PositionSlice[],
  wheres: readonly (Whereabouts | undefined)[],
  before: PresenceState,
): ReadonlySet<PositionSlice> {
  const awaited = new Set<PositionSlice>();
  let state: PresenceState | undefined = before;
  for (const [n, slice] of found.entries()) {
    if (!slice.bucket.box) continue;
    const where = wheres[n];
    if (state && staysThere(state, where)) continue;
    awaited.add(slice);
    state = where && { projectId: where.projectId };
  }
  return awaited;
}

/** Read at once. */
const MOST_READINGS = 10_000;

/** The n-th, and those after it that are probably to be read too. */
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
    if (m > 0 && count > MOST_READINGS) break;
    next.add(slice);
  }
  return next;
}

/** Returns the places without the times in which the machine's positions do not count for their projects; in the same order. */
export const outsideExceptions = (
  places: readonly Place[],
  exceptions: readonly Assigned[],
): readonly Place[] =>
  exceptions.length === 0
    ? places
    : places.flatMap((place) =>
        without(place, exceptionsOf(exceptions, place.projectId)).map((part) => ({ ...place, ...part })),
      );

const exceptionsOf = (exceptions: readonly Assigned[], projectId: number): Assigned[] =>
  exceptions.filter((one) => one.projectId === projectId);

/** Times of the machine and of the projects, as people entered them. */
export type EnteredTimes = {
  readonly assigned: readonly Assigned[];
  /** Times in which positions do not count for a project. */
  readonly exceptions: readonly Assigned[];
  /** Project to its time. */
  readonly times: ReadonlyMap<number, Range>;
};

/**
 * The presences in a range: by hand where it was assigned, else by position and outside exceptions. Cut at the projects' times and at
 * midnights.
 * @param changes in order; the first one is the place at the begin of the range, or at the end of the kept days
 * @param known counted before, of the readings that are there now
 */
export async function presencesOf(
  slices: BucketSlicesWithPositions,
  range: Range,
  changes: readonly PresenceChange[],
  { assigned, exceptions, times }: EnteredTimes,
  kept: KeptDays | undefined,
  known: readonly Presence[],
): Promise<Presence[]> {
  const inTime = <Time extends Range & { readonly projectId: number }>(one: Time): Time[] =>
    [times.get(one.projectId)].flatMap((time) => {
      const from = Math.max(one.from, range.from, time?.from ?? range.to);
      const to = Math.min(one.to, range.to, time?.to ?? range.from);
      return from < to ? [{ ...one, from, to }] : [];
    });
  const byHand: Found[] = [];
  // Of two, one of them of a project that was deleted, the one that began first.
  for (const one of assigned.flatMap(inTime))
    for (const part of without(one, byHand))
      byHand.push({ ...part, projectId: one.projectId, byHand: true, keptUnseenMs: 0 });
  const start = changes[0]?.from ?? range.to;
  const byPosition = changes.flatMap((turn, n): Found[] => {
    // What was open when the kept days ended began in them.
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

/** What tells one presence of a machine from another. */
export const presenceKey = ({ projectId, from, to, byHand }: Omit<Presence, 'unseenMs'>): string =>
  `${projectId} ${from} ${to} ${byHand}`;

type Found = Omit<Presence, 'unseenMs'> & {
  /** undefined: to be counted. */
  readonly keptUnseenMs: number | undefined;
};

function cutAtMidnights<Cut extends Range>(one: Cut): Cut[] {
  const cut: Cut[] = [];
  for (let from = one.from; from < one.to; ) {
    const to = Math.min(one.to, (dayOf(amsterdamDay(from)) as Range).to);
    cut.push({ ...one, from, to });
    from = to;
  }
  return cut;
}

/** Heard in those that have no position. */
const unseenIn = (found: readonly PositionSlice[]): number =>
  found.reduce((sum, { bucket }) => sum + (bucket.box ? 0 : bucket.heardMs), 0);

/** The parts of a range outside the others. */
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
