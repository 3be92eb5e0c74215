/** Arrivals at and departures from a project, by presences (docs/alerts.md section 3). */
import type { Range } from '../intervals.ts';
import type { PresenceAlertKind } from './kinds.ts';

/** A stored part of a presence: presences are cut at midnight, and where an entry by hand begins or ends. Times in ms. */
export type PresencePart = Range & { readonly projectId: number; readonly byHand: boolean };

export type PresenceEvent = {
  readonly kind: PresenceAlertKind;
  readonly projectId: number;
  readonly at: number;
  /** undefined: the event is still current. */
  readonly until?: number;
  /**
   * Time in ms of the last change by people before the event, such as the begin of the project or of an exception. Only a
   * position after this time proves that the machine was elsewhere before it arrived.
   */
  readonly changed: number;
};

export type PresenceContext = {
  /** Presences are computed up to this time, in ms. */
  readonly computedTo: number;
  readonly ownedSince: number;
  /** Times in ms at which exceptions begin and end. An exception ends a presence: the machine's positions do not count for the project. */
  readonly cuts: readonly number[];
};

const DAY_MS = 86_400_000;

/** Consecutive presences on one project, with no gap or only manually entered presences between them. */
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
 * Returns the arrivals and departures of one machine, in order of time. An event ends after a day at the latest.
 * @param parts presences on the projects of one owner, in order
 * @param times the period of each project, by its id, in ms
 */
export function findPresenceEvents(
  parts: readonly PresencePart[],
  times: ReadonlyMap<number, Range>,
  { computedTo, ownedSince, cuts }: PresenceContext,
  now: number,
): PresenceEvent[] {
  const stays = staysOf(parts);
  const hands = parts.filter(({ byHand }) => byHand);
  const endsWithProject = ({ projectId, to }: Stay): boolean =>
    to === Math.trunc(times.get(projectId)?.to ?? 0);
  const events = stays.flatMap((stay): PresenceEvent[] => {
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
      to <= computedTo &&
      !endsWithProject(stay) &&
      [...hands.map((hand) => hand.from), ...cuts].every((ms) => ms !== to);
    return [
      ...(isAfterHand ? [] : [{ kind: 'arrived', projectId, at: from, changed } as const]),
      ...(isLeft ? [{ kind: 'left', projectId, at: to, changed: ownedSince } as const] : []),
    ];
  });
  const begins = stays.map(({ from }) => from);
  const leaves = events.filter(({ kind }) => kind === 'left').map(({ at }) => at);
  return events.map((event) => {
    const { kind, at } = event;
    const others =
      kind === 'left' ? begins.filter((ms) => ms >= at) : [...begins, ...leaves].filter((ms) => ms > at);
    const until = Math.min(at + DAY_MS <= now ? at + DAY_MS : Number.POSITIVE_INFINITY, ...others);
    return Number.isFinite(until) ? { ...event, until } : event;
  });
}
