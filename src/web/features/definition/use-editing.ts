import { useEffect, useState } from 'react';
import type { DefinitionView, KeptMessage } from '#shared/contract/definition.ts';
import { type DraftRow, keptMessageKey, type MappingDraft, mappingDraftOf } from './mapping-draft.ts';

/** The edited mapping, and the version of the definition on which the edits are based. */
type State = { readonly base: DefinitionView; readonly draft: MappingDraft };

export type MappingEditing = State & {
  readonly isDirty: boolean;
  readonly change: (how: (draft: MappingDraft) => MappingDraft) => void;
  readonly changeRow: (to: string, change: Partial<DraftRow>) => void;
  /**
   * Makes `newer` the base version of the draft, and applies the user's changes to it again. These are the differences between the
   * draft and `from`; without `from`, between the draft and its base version so far.
   */
  readonly rebaseOn: (newer: DefinitionView, from?: MappingDraft) => void;
  /** Discards the user's changes. */
  readonly reset: (view?: DefinitionView) => void;
};

/**
 * Holds the draft of a mapping while it is edited.
 * @param view the latest definition from the server. It replaces a draft without changes; with a changed draft, a
 * newer version causes a conflict when the user saves.
 * @param onEdit called when the user changes the draft
 */
export function useMappingEditing(view: DefinitionView, onEdit: () => void): MappingEditing {
  const [{ base, draft }, setState] = useState<State>(() => fresh(view));
  useEffect(() => setState((state) => follow(state, view)), [view]);
  const change: MappingEditing['change'] = (how) => {
    onEdit();
    setState((now) => ({ ...now, draft: how(now.draft) }));
  };
  return {
    base,
    draft,
    isDirty: isMappingDraftChanged(draft, mappingDraftOf(base)),
    change,
    changeRow: (to, changes) =>
      change(({ rows, keep }) => ({
        rows: rows.map((row) => (row.to === to ? { ...row, ...changes } : row)),
        keep,
      })),
    rebaseOn: (newer, from) =>
      setState((now) => ({
        base: newer,
        draft: rebaseDraft(now.draft, from ?? mappingDraftOf(now.base), mappingDraftOf(newer)),
      })),
    reset: (newer) => setState((now) => fresh(newer ?? now.base)),
  };
}

const fresh = (view: DefinitionView): State => ({ base: view, draft: mappingDraftOf(view) });

function follow(state: State, view: DefinitionView): State {
  if (view.version === state.base.version) return state;
  return isMappingDraftChanged(state.draft, mappingDraftOf(state.base)) ? state : fresh(view);
}

function isSameRow(a: DraftRow, b: DraftRow): boolean {
  const text = ({ source, sender = '', factor, offset }: DraftRow): string =>
    JSON.stringify([
      source?.bus,
      source?.message,
      source?.signal,
      sender.trim(),
      factor.trim(),
      offset.trim(),
    ]);
  return text(a) === text(b);
}

const rowsByName = ({ rows }: MappingDraft): ReadonlyMap<string, DraftRow> =>
  new Map(rows.map((row) => [row.to, row]));

/** Returns the names of the rows that differ between two drafts, and 'bewaren' if the kept messages differ. */
export function changedRowNames(a: MappingDraft, b: MappingDraft): string[] {
  const [before, after] = [rowsByName(a), rowsByName(b)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    return one === undefined || other === undefined || !isSameRow(one, other);
  });
  const kept = (draft: MappingDraft): string => draft.keep.map(keptMessageKey).sort().join('\n');
  return kept(a) === kept(b) ? names : [...names, 'bewaren'];
}

export const isMappingDraftChanged = (draft: MappingDraft, base: MappingDraft): boolean =>
  changedRowNames(draft, base).length > 0;

/**
 * Returns the draft of a user, which was based on `base`, rebased on `newer`: rows that the user changed stay as typed, all
 * other rows are those of `newer`.
 */
export function rebaseDraft(draft: MappingDraft, base: MappingDraft, newer: MappingDraft): MappingDraft {
  const [mine, theirs] = [rowsByName(draft), rowsByName(newer)];
  const changed = new Set(changedRowNames(draft, base));
  const names = [...new Set([...mine.keys(), ...theirs.keys()])];
  const rows = names.flatMap((name) => {
    return (changed.has(name) ? mine.get(name) : theirs.get(name)) ?? [];
  });
  return { rows, keep: rebasedKeep(draft.keep, base.keep, newer.keep) };
}

function rebasedKeep(
  mine: readonly KeptMessage[],
  base: readonly KeptMessage[],
  newer: readonly KeptMessage[],
): readonly KeptMessage[] {
  const keys = (list: readonly KeptMessage[]): ReadonlySet<string> => new Set(list.map(keptMessageKey));
  const [kept, before, now] = [keys(mine), keys(base), keys(newer)];
  return [
    ...newer.filter((one) => kept.has(keptMessageKey(one)) || !before.has(keptMessageKey(one))),
    ...mine.filter((one) => !before.has(keptMessageKey(one)) && !now.has(keptMessageKey(one))),
  ];
}
