import type { Piece, Pieces } from '#server/history/pieces.ts';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { positionOf } from '#shared/domain/position.ts';
import { move, type Place, type PresenceState, staysThere, type Turn } from '#shared/domain/presence.ts';

/** ms */
export type Presence = Range & {
  readonly projectId: number;
  readonly byHand: boolean;
  readonly unseenMs: number;
};
/** On a project by hand; ms. */
export type Assigned = Range & { readonly projectId: number };

export type Followed = {
  /** In order. */
  readonly turns: readonly Turn[];
  /** What was known after a piece, by its beginning (ms). */
  readonly states: ReadonlyMap<number, PresenceState>;
};

/**
 * Where a machine was by its positions, piece after piece of its history. Positions are read only of pieces in which
 * something may have happened.
 * @param places inOrderOfSize
 */
export async function followPositions(
  pieces: Pieces,
  found: readonly Piece[],
  before: PresenceState,
  places: readonly Place[],
): Promise<Followed> {
  const turns: Turn[] = [];
  const states = new Map<number, PresenceState>();
  let state = before;
  for (const piece of found) {
    const { box } = piece.bucket;
    if (box && !staysThere(state, piece, box, places)) {
      const { readings } = await pieces.readings(piece);
      for (const { time, signals } of readings) {
        const position = time >= piece.from && time < piece.to ? positionOf(signals) : undefined;
        if (!position) continue;
        const moved = move(state, time, position, places);
        state = moved.state;
        turns.push(...moved.turns);
      }
    }
    states.set(piece.from, state);
  }
  return { turns, states };
}

/**
 * The presences in a range: by hand where it was assigned, else by position. Cut at the projects' times and at midnights.
 * @param before where it was when the range began
 * @param times of the projects
 */
export async function presencesOf(
  pieces: Pieces,
  range: Range,
  before: number | undefined,
  turns: readonly Turn[],
  assigned: readonly Assigned[],
  times: ReadonlyMap<number, Range>,
): Promise<Presence[]> {
  const inTime = <Time extends Range & { readonly projectId: number }>(one: Time): Time[] =>
    [times.get(one.projectId)].flatMap((time) => {
      const from = Math.max(one.from, range.from, time?.from ?? range.to);
      const to = Math.min(one.to, range.to, time?.to ?? range.from);
      return from < to ? [{ ...one, from, to }] : [];
    });
  const byHand = assigned.flatMap(inTime).map((one) => ({ ...one, byHand: true }));
  const starts: Turn[] = [{ from: range.from, projectId: before }, ...turns];
  const byPosition = starts.flatMap(({ from, projectId }, n) =>
    projectId === undefined
      ? []
      : without({ from, to: starts[n + 1]?.from ?? range.to }, byHand).map((one) => ({
          ...one,
          projectId,
          byHand: false,
        })),
  );
  const cut = [...byHand, ...byPosition.flatMap(inTime)]
    .flatMap(cutAtMidnights)
    .sort((a, b) => a.from - b.from);
  return Promise.all(
    cut.map(async (one) => ({ ...one, unseenMs: one.byHand ? 0 : unseenIn(await pieces.of(one)) })),
  );
}

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
const unseenIn = (found: readonly Piece[]): number =>
  found.reduce((sum, { bucket }) => sum + (bucket.box ? 0 : bucket.heardMs), 0);

/** What of a range lies outside of the others, which do not overlap. */
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
