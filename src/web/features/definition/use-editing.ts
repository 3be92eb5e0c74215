import { useEffect, useState } from 'react';
import type { DefinitionView } from '#shared/contract/definition.ts';
import { isChanged, rebased } from './draft-merge.ts';
import { type DraftRow, draftOf, type MappingDraft } from './mapping-draft.ts';

/** What is edited, and the version of the definition that it is edited upon. */
type State = { readonly base: DefinitionView; readonly draft: MappingDraft };

export type Editing = State & {
  readonly isDirty: boolean;
  readonly change: (how: (draft: MappingDraft) => MappingDraft) => void;
  readonly changeRow: (to: string, change: Partial<DraftRow>) => void;
  /** Goes on upon a newer version. What was changed since `from` (default: the base) stays. */
  readonly take: (newer: DefinitionView, from?: MappingDraft) => void;
  /** Begins anew, without what was changed. */
  readonly reset: (view?: DefinitionView) => void;
};

/**
 * @param view the newest that the server told. It is followed while nothing was changed; else a save tells.
 * @param onEdit a person changes something
 */
export function useEditing(view: DefinitionView, onEdit: () => void): Editing {
  const [{ base, draft }, setState] = useState<State>(() => fresh(view));
  useEffect(() => setState((state) => follow(state, view)), [view]);
  const change: Editing['change'] = (how) => {
    onEdit();
    setState((now) => ({ ...now, draft: how(now.draft) }));
  };
  return {
    base,
    draft,
    isDirty: isChanged(draft, draftOf(base.mapping)),
    change,
    changeRow: (to, changes) =>
      change(({ rows, keep }) => ({
        rows: rows.map((row) => (row.to === to ? { ...row, ...changes } : row)),
        keep,
      })),
    take: (newer, from) =>
      setState((now) => ({
        base: newer,
        draft: rebased(now.draft, from ?? draftOf(now.base.mapping), draftOf(newer.mapping)),
      })),
    reset: (newer) => setState((now) => fresh(newer ?? now.base)),
  };
}

const fresh = (view: DefinitionView): State => ({ base: view, draft: draftOf(view.mapping) });

function follow(state: State, view: DefinitionView): State {
  if (view.version === state.base.version) return state;
  return isChanged(state.draft, draftOf(state.base.mapping)) ? state : fresh(view);
}
