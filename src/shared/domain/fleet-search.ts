/** Finding machines in a long list, by words and by state (APP-08). */
import type { FleetEntry } from './fleet-order.ts';
import { type FleetState, fleetState } from './fleet-state.ts';
import { folded, hasAll, wordsOf } from './word-search.ts';

/** A state as its row says it. */
export type FleetFilter = 'all' | FleetState;

/**
 * The entries, in the order given, of which alias, brand, model, serial number, logger and `moreOf` together hold every word of
 * `text`, in any order, and that pass the filter. Case and accents do not matter; '#12' finds what '12' finds,
 * since the portal writes serial numbers with a '#'. Without words and with 'all': the very list that was given.
 */
export function searchFleet<T extends FleetEntry>(
  entries: readonly T[],
  text: string,
  filter: FleetFilter,
  nowMs: number,
  moreOf?: (entry: T) => string,
): readonly T[] {
  const words = wordsOf(text);
  if (words.length === 0 && filter === 'all') return entries;
  return entries.filter((entry) => {
    if (!passes(filter, entry.liveData, nowMs)) return false;
    const text = searchTextOf(entry.metadata);
    return (
      hasAll(text, words) || (moreOf !== undefined && hasAll(`${text}\n${folded(moreOf(entry))}`, words))
    );
  });
}

const passes = (filter: FleetFilter, liveData: FleetEntry['liveData'], nowMs: number): boolean =>
  filter === 'all' || fleetState(liveData, nowMs) === filter;

/** Folding ten thousand names takes longer than a key press may; metadata that did not change is the same object. */
const searchTexts = new WeakMap<FleetEntry['metadata'], string>();

function searchTextOf(metadata: FleetEntry['metadata']): string {
  let text = searchTexts.get(metadata);
  if (text === undefined) {
    const { alias, brand, model, serialNumber, loggerId } = metadata;
    // A line break holds no word together.
    text = folded([alias, brand, model, serialNumber, loggerId].join('\n'));
    searchTexts.set(metadata, text);
  }
  return text;
}
