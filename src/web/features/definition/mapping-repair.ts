import type { FoundContradiction } from '#shared/contract/definition.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { isSocSignal } from '#shared/domain/signal.ts';
import { type MappingDraft, readFactor } from './mapping-draft.ts';

/**
 * Returns the draft in which the rows of a contradicting signal have a corrected factor and offset, and the names of
 * these rows.
 * @returns undefined if the correction is not known, or if no row is mapped to the signal
 */
export function repairedDraft(
  draft: MappingDraft,
  { signal, factor, offset }: FoundContradiction,
): { readonly draft: MappingDraft; readonly names: readonly string[] } | undefined {
  const isWrong = (to: string): boolean => (signal === 'Soc' ? isSocSignal(to) : to === signal);
  const names = draft.rows.filter(({ to, source }) => source && isWrong(to)).map(({ to }) => to);
  if (factor === null || names.length === 0) return undefined;
  const rows = draft.rows.map((row) => {
    if (!names.includes(row.to)) return row;
    const times = rounded((readFactor(row.factor) ?? 1) * factor);
    const plus = rounded((readFactor(row.offset) ?? 0) * factor + offset);
    return {
      ...row,
      factor: times === 1 ? '' : formatExactNumber(times),
      offset: plus === 0 ? '' : formatExactNumber(plus),
    };
  });
  return { draft: { ...draft, rows }, names };
}

/** Removes floating-point noise, so that 0.1 x 0.1 gives 0.01. */
const rounded = (value: number): number => Number(value.toPrecision(12));
