/** Searches machines by words and by state (APP-08). */
import type { FleetEntry } from './fleet-order.ts';
import { type FleetState, fleetState } from './fleet-state.ts';
import { containsAllWords, foldText, searchWordsOf } from './word-search.ts';

export type FleetFilter = 'all' | FleetState;

/**
 * Returns the entries that pass the filter and whose alias, brand, model, serial number, logger and `moreOf` together
 * contain every word of `text`, in the given order. Case and accents do not matter. '#12' finds the same as '12',
 * because the portal shows serial numbers with a '#'. Returns the given list itself if `text` has no words and the
 * filter is 'all'.
 */
export function searchFleet<T extends FleetEntry>(
  entries: readonly T[],
  text: string,
  filter: FleetFilter,
  nowMs: number,
  moreOf?: (entry: T) => string,
): readonly T[] {
  const words = searchWordsOf(text);
  if (words.length === 0 && filter === 'all') return entries;
  return entries.filter((entry) => {
    if (!passes(filter, entry.liveData, nowMs)) return false;
    const text = searchTextOf(entry.metadata);
    return (
      containsAllWords(text, words) ||
      (moreOf !== undefined && containsAllWords(`${text}\n${foldText(moreOf(entry))}`, words))
    );
  });
}

const passes = (filter: FleetFilter, liveData: FleetEntry['liveData'], nowMs: number): boolean =>
  filter === 'all' || fleetState(liveData, nowMs) === filter;

/** Cache by metadata object: folding ten thousand names at each key press would be too slow. */
const searchTexts = new WeakMap<FleetEntry['metadata'], string>();

function searchTextOf(metadata: FleetEntry['metadata']): string {
  let text = searchTexts.get(metadata);
  if (text === undefined) {
    const { alias, brand, model, serialNumber, loggerId } = metadata;
    // Line breaks keep a word from matching across two fields.
    text = foldText([alias, brand, model, serialNumber, loggerId].join('\n'));
    searchTexts.set(metadata, text);
  }
  return text;
}
