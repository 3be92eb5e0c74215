/**
 * Which machines of the fleet are looked at, and in which order, as it stands in the address of the overview, the map
 * and the list: a link shows the same, and Back brings it back.
 */
import {
  type Attention,
  type AttentionRules,
  attentionHoldsUntil,
  attentionOf,
} from '#shared/domain/attention.ts';
import type { FleetEntry } from '#shared/domain/fleet-order.ts';
import { searchFleet } from '#shared/domain/fleet-search.ts';
import { FLEET_STATE_TEXTS, FLEET_STATES, type FleetState, fleetState } from '#shared/domain/fleet-state.ts';
import { plainNumber } from '#shared/domain/nl.ts';

/** A state that machines are in, or that somebody should look at them, whatever they do. */
export type StripState = FleetState | 'attention';
export const STRIP_STATES: readonly StripState[] = [...FLEET_STATES, 'attention'];
export const STRIP_WORDS: Readonly<Record<StripState, string>> = {
  ...FLEET_STATE_TEXTS,
  attention: 'Aandacht',
};

/** Returns what a number of the strip counts: '12 machines met een reden om te kijken. De bel telt open meldingen.' */
export function stateHint(state: StripState, count: number): string {
  const machines = count === 1 ? '1 machine' : `${plainNumber(count)} machines`;
  return state === 'attention'
    ? `${machines} met een reden om te kijken: een open melding, of iets dat nu opvalt. De bel telt meldingen, hier tellen machines.`
    : machines;
}

export type FleetFilter = {
  /** undefined: all. */
  readonly state: StripState | undefined;
  /** Words to look for; '' for none. */
  readonly text: string;
  /** A column, and which end of it comes first; undefined: the page's own order. */
  readonly sort: FleetSort | undefined;
};
export type FleetSort = { readonly by: string; readonly isDescending: boolean };
export const WHOLE_FLEET: FleetFilter = { state: undefined, text: '', sort: undefined };

const MOST_TEXT = 200;

/**
 * '?staat=laden&zoek=volvo&sorteer=-accu'. What cannot be is left out: an address may be typed.
 * @param columns what the page can sort by
 */
export function filterOf(search: URLSearchParams, columns: readonly string[] = []): FleetFilter {
  const word = search.get('staat');
  const sort = search.get('sorteer') ?? '';
  const isDescending = sort.startsWith('-');
  const by = sort.slice(Number(isDescending));
  return {
    state: STRIP_STATES.find((state) => STRIP_WORDS[state].toLowerCase() === word),
    text: (search.get('zoek') ?? '').slice(0, MOST_TEXT),
    sort: columns.includes(by) ? { by, isDescending } : undefined,
  };
}

/** The address's search with this filter in it; what else stands there stays. */
export function withFilter(search: URLSearchParams, { state, text, sort }: FleetFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string): void =>
    value === '' ? next.delete(name) : next.set(name, value);
  put('staat', state ? STRIP_WORDS[state].toLowerCase() : '');
  put('zoek', text.slice(0, MOST_TEXT));
  put('sorteer', sort ? `${sort.isDescending ? '-' : ''}${sort.by}` : '');
  return next;
}

/** A machine and what is to be said of it now. */
export type Judged<T extends FleetEntry> = {
  readonly entry: T;
  readonly state: FleetState;
  readonly attention: readonly Attention[];
  /** ms; from when until when just this is to be said of it, if nothing new is heard. */
  readonly since: number;
  readonly until: number;
};

/**
 * The fleet as it is now, in the order given.
 * @param before of the last call by the same rules: what is the same keeps its identity, and is not looked at again before
 *   its time has come, since a clock steps through ten thousand machines
 */
export function judgeFleet<T extends FleetEntry & Parameters<typeof attentionOf>[0]>(
  entries: readonly T[],
  nowMs: number,
  rules: AttentionRules,
  before: readonly Judged<T>[] = [],
): readonly Judged<T>[] {
  const judged = entries.map((entry, at) => {
    const last = before[at];
    if (last?.entry === entry && last.since <= nowMs && nowMs <= last.until) return last;
    const state = fleetState(entry.liveData, nowMs);
    const attention = attentionOf(entry, nowMs, rules);
    const isSame =
      last?.entry === entry && last.state === state && isSameAttention(last.attention, attention);
    const until = attentionHoldsUntil(entry.liveData.GMT_UNIX, nowMs);
    return isSame && last.until === until && last.since <= nowMs
      ? last
      : { entry, state, attention, since: nowMs, until };
  });
  return judged.length === before.length && judged.every((one, at) => one === before[at]) ? before : judged;
}

const isSameAttention = (a: readonly Attention[], b: readonly Attention[]): boolean =>
  a === b || (a.length === b.length && a.every(({ words }, at) => words === b[at]?.words));

/** How many there are of each. */
export type StripCounts = Readonly<Record<StripState, number>>;

export function countsOf(fleet: readonly Pick<Judged<FleetEntry>, 'state' | 'attention'>[]): StripCounts {
  const counts: Record<StripState, number> = { running: 0, charging: 0, off: 0, silent: 0, attention: 0 };
  for (const { state, attention } of fleet) {
    counts[state] += 1;
    if (attention.length > 0) counts.attention += 1;
  }
  return counts;
}

/** Whether a machine is one of those. */
export const isOf = (
  { state, attention }: Pick<Judged<FleetEntry>, 'state' | 'attention'>,
  wanted: StripState | undefined,
): boolean => wanted === undefined || (wanted === 'attention' ? attention.length > 0 : state === wanted);

/**
 * Those that the filter leaves, in the order given; without words and state the very list.
 * @param moreOf text that is searched in addition to the names of a machine
 */
export function filterFleet<T extends FleetEntry>(
  fleet: readonly Judged<T>[],
  { state, text }: Pick<FleetFilter, 'state' | 'text'>,
  moreOf?: (one: Judged<T>) => string,
): readonly Judged<T>[] {
  const ofState = state === undefined ? fleet : fleet.filter((one) => isOf(one, state));
  if (text.trim() === '') return ofState;
  const judged = new Map<FleetEntry, Judged<T>>(ofState.map((one) => [one.entry, one]));
  const found = searchFleet([...judged.keys()] as T[], text, 'all', 0, (entry) => {
    const one = judged.get(entry);
    return one && moreOf ? moreOf(one) : '';
  });
  return found.flatMap((entry) => judged.get(entry) ?? []);
}
