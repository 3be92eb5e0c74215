/** When a machine came to a project and when it left, by its presences (docs/alerts.md section 3). */
import type { Range } from '../intervals.ts';
import type { PresenceKind } from './kinds.ts';

/** A part of a presence as it is stored: cut at midnights, and where people entered something. ms */
export type PresencePart = Range & { readonly projectId: number; readonly byHand: boolean };

export type ProjectTurn = {
  readonly kind: PresenceKind;
  readonly projectId: number;
  readonly at: number;
  /** undefined: it goes on. */
  readonly until?: number;
  /** That it was elsewhere is only known by a position from then on: what was before people changed. */
  readonly changed: number;
};

export type Followed = {
  /** Up to when its presences are counted, ms. */
  readonly countedTo: number;
  readonly ownedSince: number;
  /** When exceptions of projects begin and end, ms: there people cut a stay off. */
  readonly cuts?: readonly number[];
};

const DAY_MS = 86_400_000;

/** What follows each other without a gap, or with nothing but time by hand between. */
type Stay = Range & { readonly projectId: number; readonly isAfterHand: boolean };

function staysOf(parts: readonly PresencePart[]): Stay[] {
  const stays: Stay[] = [];
  let reaches = Number.NEGATIVE_INFINITY;
  let handTo = Number.NEGATIVE_INFINITY;
  for (const { projectId, from, to, byHand } of parts) {
    const last = stays.at(-1);
    const isNext = from === reaches;
    if (byHand) handTo = to;
    else if (last && isNext && last.projectId === projectId) stays[stays.length - 1] = { ...last, to };
    else stays.push({ projectId, from, to, isAfterHand: from === handTo });
    if (!byHand || isNext) reaches = to;
  }
  return stays;
}

/**
 * All of one machine, in order of time.
 * @param parts of one owner's projects, in order
 * @param times of the projects, ms
 * @param now what began a day ago is over
 */
export function turnsOf(
  parts: readonly PresencePart[],
  times: ReadonlyMap<number, Range>,
  { countedTo, ownedSince, cuts = [] }: Followed,
  now: number,
): ProjectTurn[] {
  const stays = staysOf(parts);
  const hands = parts.filter(({ byHand }) => byHand);
  const endsWithProject = ({ projectId, to }: Stay): boolean =>
    to === Math.trunc(times.get(projectId)?.to ?? 0);
  const turns = stays.flatMap((stay): ProjectTurn[] => {
    const { projectId, from, to, isAfterHand } = stay;
    const entered = [
      ownedSince,
      times.get(projectId)?.from ?? ownedSince,
      ...hands.map((hand) => hand.to),
      ...cuts,
      ...stays.filter(endsWithProject).map((other) => other.to),
    ].filter((ms) => ms <= from);
    const changed = Math.max(...entered);
    const isLeft =
      to <= countedTo &&
      !endsWithProject(stay) &&
      [...hands.map((hand) => hand.from), ...cuts].every((ms) => ms !== to);
    return [
      ...(isAfterHand ? [] : [{ kind: 'arrived', projectId, at: from, changed } as const]),
      ...(isLeft ? [{ kind: 'left', projectId, at: to, changed: ownedSince } as const] : []),
    ];
  });
  const begins = stays.map(({ from }) => from);
  const leaves = turns.filter(({ kind }) => kind === 'left').map(({ at }) => at);
  return turns.map((turn) => {
    const { kind, at } = turn;
    const others =
      kind === 'left' ? begins.filter((ms) => ms >= at) : [...begins, ...leaves].filter((ms) => ms > at);
    const until = Math.min(at + DAY_MS <= now ? at + DAY_MS : Number.POSITIVE_INFINITY, ...others);
    return Number.isFinite(until) ? { ...turn, until } : turn;
  });
}
