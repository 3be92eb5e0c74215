/** What the rows of a draft take from the DBC files, and what could still be taken. */
import type { DefinitionView } from '#shared/contract/definition.ts';
import type { MappingDraft } from './mapping-draft.ts';
import { findSource, type IndexedSignal, type SignalIndex } from './signal-index.ts';

/** By the id of a DBC signal: the names that it feeds. */
export type Uses = ReadonlyMap<number, readonly string[]>;

export function usesOf({ rows }: MappingDraft, index: SignalIndex): Uses {
  const uses = new Map<number, string[]>();
  for (const { to, source } of rows) {
    const found = source && findSource(index, source);
    if (found) uses.set(found.id, [...(uses.get(found.id) ?? []), to]);
  }
  return uses;
}

/** The server's proposals per signal of ours, best first, without DBC signals that feed something by now. */
export function openProposals(
  proposals: DefinitionView['proposals'],
  draft: MappingDraft,
  index: SignalIndex,
): ReadonlyMap<string, readonly IndexedSignal[]> {
  const uses = usesOf(draft, index);
  const open = new Map<string, IndexedSignal[]>();
  for (const { to, ...source } of proposals) {
    const found = findSource(index, source);
    if (found && !uses.has(found.id)) open.set(to, [...(open.get(to) ?? []), found]);
  }
  return open;
}
