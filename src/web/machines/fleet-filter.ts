/**
 * The filter and order of the fleet in the address of the overview, the map and the list, so that links and Back restore them.
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
import { formatNumber } from '#shared/domain/nl.ts';

/**
 * A state by which the strip of buttons above the machines counts and filters them; 'attention': machines in any state
 * that have a reason for attention.
 */
export type StripState = FleetState | 'attention';
export const STRIP_STATES: readonly StripState[] = [...FLEET_STATES, 'attention'];
export const STATE_STRIP_LABELS: Readonly<Record<StripState, string>> = {
  ...FLEET_STATE_TEXTS,
  attention: 'Aandacht',
};

/** Returns the tooltip of a state's button: '12 machines'; for 'attention' it also says what counts as a reason. */
export function stateHint(state: StripState, count: number): string {
  const machines = count === 1 ? '1 machine' : `${formatNumber(count)} machines`;
  return state === 'attention'
    ? `${machines} met een reden om te kijken: een open melding, of iets dat nu opvalt. De bel telt meldingen, hier tellen machines.`
    : machines;
}

export type FleetFilter = {
  /** undefined for all machines. */
  readonly state: StripState | undefined;
  /** Search text; '' for none. */
  readonly text: string;
  /** undefined for the page's own order. */
  readonly sort: FleetSort | undefined;
};
export type FleetSort = { readonly by: string; readonly isDescending: boolean };
export const WHOLE_FLEET_FILTER: FleetFilter = { state: undefined, text: '', sort: undefined };

const MAX_SEARCH_CHARACTERS = 200;

/**
 * Parses '?staat=laden&zoek=volvo&sorteer=-accu'. Ignores invalid values, because people may type an address.
 * @param columns columns by which the page can sort
 */
export function fleetFilterOf(search: URLSearchParams, columns: readonly string[] = []): FleetFilter {
  const word = search.get('staat');
  const sort = search.get('sorteer') ?? '';
  const isDescending = sort.startsWith('-');
  const by = sort.slice(Number(isDescending));
  return {
    state: STRIP_STATES.find((state) => STATE_STRIP_LABELS[state].toLowerCase() === word),
    text: (search.get('zoek') ?? '').slice(0, MAX_SEARCH_CHARACTERS),
    sort: columns.includes(by) ? { by, isDescending } : undefined,
  };
}

/** Returns the query string with this filter. Keeps other parameters. */
export function addFilterToSearch(
  search: URLSearchParams,
  { state, text, sort }: FleetFilter,
): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string): void =>
    value === '' ? next.delete(name) : next.set(name, value);
  put('staat', state ? STATE_STRIP_LABELS[state].toLowerCase() : '');
  put('zoek', text.slice(0, MAX_SEARCH_CHARACTERS));
  put('sorteer', sort ? `${sort.isDescending ? '-' : ''}${sort.by}` : '');
  return next;
}

/** A machine with its present state and reasons for attention. */
export type MachineWithState<T extends FleetEntry> = {
  readonly entry: T;
  readonly state: FleetState;
  readonly attention: readonly Attention[];
  /** Start and end, in Unix milliseconds, of the period in which state and reasons stay valid if no new reading arrives. */
  readonly since: number;
  readonly until: number;
};

/**
 * Returns the present state and reasons of each machine, in the given order.
 * @param before result of the last call with the same rules. Unchanged machines keep their objects and are
 * skipped while their result is valid, because this runs for ten thousand machines.
 */
export function fleetWithStates<T extends FleetEntry & Parameters<typeof attentionOf>[0]>(
  entries: readonly T[],
  nowMs: number,
  rules: AttentionRules,
  before: readonly MachineWithState<T>[] = [],
): readonly MachineWithState<T>[] {
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

export type StripCounts = Readonly<Record<StripState, number>>;

/** Counts the machines in each state, and those that need attention. */
export function countsOf(
  fleet: readonly Pick<MachineWithState<FleetEntry>, 'state' | 'attention'>[],
): StripCounts {
  const counts: Record<StripState, number> = { running: 0, charging: 0, off: 0, silent: 0, attention: 0 };
  for (const { state, attention } of fleet) {
    counts[state] += 1;
    if (attention.length > 0) counts.attention += 1;
  }
  return counts;
}

/** Returns whether a machine is in the wanted state; true if `wanted` is undefined. */
const isInState = (
  { state, attention }: Pick<MachineWithState<FleetEntry>, 'state' | 'attention'>,
  wanted: StripState | undefined,
): boolean => wanted === undefined || (wanted === 'attention' ? attention.length > 0 : state === wanted);

/**
 * Returns the machines that pass the filter, in the given order; the given array itself if the filter has no text and no state.
 * @param moreOf returns text that is searched in addition to the names of a machine
 */
export function filterFleet<T extends FleetEntry>(
  fleet: readonly MachineWithState<T>[],
  { state, text }: Pick<FleetFilter, 'state' | 'text'>,
  moreOf?: (one: MachineWithState<T>) => string,
): readonly MachineWithState<T>[] {
  const ofState = state === undefined ? fleet : fleet.filter((one) => isInState(one, state));
  if (text.trim() === '') return ofState;
  const judged = new Map<FleetEntry, MachineWithState<T>>(ofState.map((one) => [one.entry, one]));
  const found = searchFleet([...judged.keys()] as T[], text, 'all', 0, (entry) => {
    const one = judged.get(entry);
    return one && moreOf ? moreOf(one) : '';
  });
  return found.flatMap((entry) => judged.get(entry) ?? []);
}
