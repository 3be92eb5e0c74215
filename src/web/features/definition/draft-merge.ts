/** Two versions of one mapping: what was changed in a draft, and the draft upon a newer version. */
import type { KeptMessage } from '#shared/contract/definition.ts';
import { type DraftRow, emptyRow, isOwnName, type MappingDraft } from './mapping-draft.ts';

/** What a kept message is known by. */
export const keptKey = ({ bus, message }: KeptMessage): string => `${bus} ${message}`;

function isSameRow(a: DraftRow, b: DraftRow): boolean {
  const text = ({ source, factor, offset }: DraftRow): string =>
    JSON.stringify([source?.bus, source?.message, source?.signal, factor.trim(), offset.trim()]);
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
    const row = changed.has(name) ? mine.get(name) : theirs.get(name);
    return row ?? (isOwnName(name) ? [] : emptyRow(name));
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
