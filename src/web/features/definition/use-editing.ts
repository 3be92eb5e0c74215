import { useEffect, useState } from 'react';
import type { DefinitionView, KeptMessage } from '#shared/contract/definition.ts';
import { type DraftRow, draftOf, keptKey, type MappingDraft } from './mapping-draft.ts';

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
    isDirty: isChanged(draft, draftOf(base)),
    change,
    changeRow: (to, changes) =>
      change(({ rows, keep }) => ({
        rows: rows.map((row) => (row.to === to ? { ...row, ...changes } : row)),
        keep,
      })),
    take: (newer, from) =>
      setState((now) => ({
        base: newer,
        draft: rebased(now.draft, from ?? draftOf(now.base), draftOf(newer)),
      })),
    reset: (newer) => setState((now) => fresh(newer ?? now.base)),
  };
}

const fresh = (view: DefinitionView): State => ({ base: view, draft: draftOf(view) });

function follow(state: State, view: DefinitionView): State {
  if (view.version === state.base.version) return state;
  return isChanged(state.draft, draftOf(state.base)) ? state : fresh(view);
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

/** Names of what differs: our signals and own names, and 'bewaren' for the kept messages. */
export function differences(a: MappingDraft, b: MappingDraft): string[] {
  const [before, after] = [rowsByName(a), rowsByName(b)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    return one === undefined || other === undefined || !isSameRow(one, other);
  });
  const kept = (draft: MappingDraft): string => draft.keep.map(keptKey).sort().join('\n');
  return kept(a) === kept(b) ? names : [...names, 'bewaren'];
}

export const isChanged = (draft: MappingDraft, base: MappingDraft): boolean =>
  differences(draft, base).length > 0;

/**
 * A draft that was made upon `base`, upon `newer`: what was changed in the draft stays as it was typed, everything
 * else is as in the newer version. Nothing that was typed is lost.
 */
export function rebased(draft: MappingDraft, base: MappingDraft, newer: MappingDraft): MappingDraft {
  const [mine, theirs] = [rowsByName(draft), rowsByName(newer)];
  const changed = new Set(differences(draft, base));
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
  const keys = (list: readonly KeptMessage[]): ReadonlySet<string> => new Set(list.map(keptKey));
  const [kept, before, now] = [keys(mine), keys(base), keys(newer)];
  return [
    ...newer.filter((one) => kept.has(keptKey(one)) || !before.has(keptKey(one))),
    ...mine.filter((one) => !before.has(keptKey(one)) && !now.has(keptKey(one))),
  ];
}
