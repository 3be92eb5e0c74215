/** The mapping as it is edited: what is typed stays text until it is saved. */
import type { KeptMessage, Mapping } from '#shared/contract/definition.ts';
import { MAPPABLE_SIGNALS } from '#shared/domain/mappable-signals.ts';
import { factorFault, numberText, offsetFault, readNumber } from './factor-text.ts';
import { findSource, type SignalIndex, type Source } from './signal-index.ts';

export type DraftRow = {
  /** Our signal, or a name of one's own. */
  readonly to: string;
  readonly source: Source | undefined;
  /** As typed; '' is 1. */
  readonly factor: string;
  /** As typed; '' is 0. */
  readonly offset: string;
};

export type MappingDraft = {
  /** Our signals in their order, fed or not, then the own names. */
  readonly rows: readonly DraftRow[];
  readonly keep: readonly KeptMessage[];
};

export const emptyRow = (to: string): DraftRow => ({ to, source: undefined, factor: '', offset: '' });
const OURS: ReadonlySet<string> = new Set(MAPPABLE_SIGNALS);
export const isOwnName = (to: string): boolean => !OURS.has(to);

export function draftOf({ signals, keep }: Mapping): MappingDraft {
  const mapped = new Map(
    signals.map(({ to, factor = 1, offset = 0, ...source }): [string, DraftRow] => [
      to,
      {
        to,
        source,
        factor: factor === 1 ? '' : numberText(factor),
        offset: offset === 0 ? '' : numberText(offset),
      },
    ]),
  );
  const own = [...mapped.values()].filter(({ to }) => isOwnName(to));
  return { rows: [...MAPPABLE_SIGNALS.map((to) => mapped.get(to) ?? emptyRow(to)), ...own], keep };
}

/** What is sent. Rows without a source are left out; a draft with faults must not be sent. */
export function mappingOf({ rows, keep }: MappingDraft): Mapping {
  const signals = rows.flatMap(({ to, source, factor, offset }) => {
    if (!source) return [];
    const times = readNumber(factor) ?? 1;
    const plus = readNumber(offset) ?? 0;
    return { ...source, to, ...(times !== 1 && { factor: times }), ...(plus !== 0 && { offset: plus }) };
  });
  return { signals, keep: [...keep] };
}

/** What keeps a row from being saved, in Dutch. */
export function sourceFault({ to, source }: DraftRow, index: SignalIndex): string | undefined {
  if (!source) return isOwnName(to) ? 'Kies een signaal, of verwijder deze naam.' : undefined;
  return findSource(index, source) === undefined
    ? `${source.signal} staat niet, of niet eenduidig, in de DBC-bestanden. Kies een ander signaal of wis de koppeling.`
    : undefined;
}

/** How many rows cannot be saved as they are. */
export const faultCount = ({ rows }: MappingDraft, index: SignalIndex): number =>
  rows.filter((row) => {
    if (sourceFault(row, index) !== undefined) return true;
    return row.source && (factorFault(row.factor) ?? offsetFault(row.offset)) !== undefined;
  }).length;

const MOST_CHARACTERS = 64;

/** Why an own name cannot be added, in Dutch. The portal checks its characters. */
export function ownNameFault(name: string, { rows }: MappingDraft): string | undefined {
  const typed = name.trim();
  if (typed === '') return 'Vul een naam in.';
  if (typed.length > MOST_CHARACTERS) return `Een naam heeft hoogstens ${MOST_CHARACTERS} tekens.`;
  if (['GMT_UNIX', 'DATETIME', 'RTC_UNIX'].includes(typed))
    return `${typed} is de tijd van de meting en kan geen doel zijn.`;
  return rows.some(({ to }) => to === typed) ? `${typed} staat er al.` : undefined;
}
