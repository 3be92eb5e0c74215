/** The mapping while a user edits it: typed numbers stay text until the mapping is saved. */
import type { DefinitionView, KeptMessage, Mapping } from '#shared/contract/definition.ts';
import { MAX_SOURCE_ADDRESS, sourceAddressText } from '#shared/domain/j1939.ts';
import {
  mappingTargetError,
  nameOfSameBattery,
  packMappedTwiceError,
} from '#shared/domain/mapping-target.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { comesFromGps } from '#shared/domain/open-proposals.ts';
import { knownSignal, neededSignals, SIGNALS } from '#shared/domain/signal.ts';
import { matchUnit } from '#shared/domain/signal-units.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { findSource, type IndexedSignal, type MappedSource, type SignalIndex } from './signal-index.ts';

export type DraftRow = {
  /** A signal of the portal ('Soc1'), or a custom name that the user gave. */
  readonly to: string;
  readonly source: MappedSource | undefined;
  /** J1939 address of the ECU whose values count, as typed; '' or undefined means the first one that sends. */
  readonly sender?: string;
  /** As typed; '' means 1. */
  readonly factor: string;
  /** As typed; '' means 0. */
  readonly offset: string;
};

export type MappingDraft = {
  /** First rows of the portal's signals: those that every machine should have, and others that are mapped. Then rows of custom names. */
  readonly rows: readonly DraftRow[];
  readonly keep: readonly KeptMessage[];
};

/** Returns the key of a kept message in sets and lists. */
export const keptMessageKey = ({ bus, message }: KeptMessage): string => `${bus} ${message}`;

export const emptyRow = (to: string): DraftRow => ({ to, source: undefined, factor: '', offset: '' });
export const isCustomSignalName = (to: string): boolean => knownSignal(to) === undefined;

export function mappingDraftOf({ kind, mapping }: Pick<DefinitionView, 'kind' | 'mapping'>): MappingDraft {
  const { signals, keep } = mapping;
  const expected = new Set(neededSignals(kind));
  const mapped = new Map(
    signals.map(({ to, factor = 1, offset = 0, source: sender, ...source }): [string, DraftRow] => [
      to,
      {
        to,
        source,
        ...(sender !== undefined && { sender: sourceAddressText(sender) }),
        factor: factor === 1 ? '' : formatExactNumber(factor),
        offset: offset === 0 ? '' : formatExactNumber(offset),
      },
    ]),
  );
  const own = [...mapped.values()].filter(({ to }) => isCustomSignalName(to));
  const ours = SIGNALS.flatMap(
    (known) => mapped.get(known.name) ?? (expected.has(known) ? emptyRow(known.name) : []),
  );
  return { rows: [...ours, ...own], keep };
}

/** Returns the mapping to save; rows without a DBC signal are not in it. The draft must have no errors. */
export function mappingOf({ rows, keep }: MappingDraft): Mapping {
  const signals = rows.flatMap(({ to, source, sender, factor, offset }) => {
    if (!source) return [];
    const address = parseSourceAddress(sender);
    const times = readFactor(factor) ?? 1;
    const plus = readFactor(offset) ?? 0;
    return {
      ...source,
      to,
      ...(address !== undefined && { source: address }),
      ...(times !== 1 && { factor: times }),
      ...(plus !== 0 && { offset: plus }),
    };
  });
  return { signals, keep: [...keep] };
}

/** Returns why the source of a row cannot be saved, as a Dutch text; undefined if it can. */
export function sourceError({ to, source }: DraftRow, index: SignalIndex): string | undefined {
  if (!source) return isCustomSignalName(to) ? 'Kies een signaal, of verwijder deze naam.' : undefined;
  return findSource(index, source) === undefined
    ? `${source.signal} staat niet, of niet eenduidig, in de DBC-bestanden. Kies een ander signaal of wis de koppeling.`
    : undefined;
}

/** Returns the number of rows with an error. */
export const errorCount = ({ rows }: MappingDraft, index: SignalIndex): number =>
  rows.filter((row) => {
    if (sourceError(row, index) !== undefined) return true;
    const error = sourceAddressError(row.sender) ?? factorError(row.factor) ?? offsetError(row.offset);
    return row.source && error !== undefined;
  }).length;

const MAX_INPUT_CHARACTERS = 64;

/** Returns why a custom name cannot be added, as a Dutch text; undefined if it can. The server checks its characters. */
export function customNameError(name: string, { rows }: MappingDraft): string | undefined {
  const typed = name.trim();
  if (typed === '') return 'Vul een naam in.';
  if (typed.length > MAX_INPUT_CHARACTERS) return `Een naam heeft hoogstens ${MAX_INPUT_CHARACTERS} tekens.`;
  if (['GMT_UNIX', 'DATETIME', 'RTC_UNIX'].includes(typed))
    return `${typed} is de tijd van de meting en kan geen doel zijn.`;
  const names = rows.map(({ to }) => to);
  if (names.includes(typed)) return `${typed} staat er al.`;
  // Refuses another name for the charge level of a battery, because each battery already has its row: Soc1, Soc2 …
  const other = nameOfSameBattery(typed, names);
  return other === undefined ? mappingTargetError(typed) : packMappedTwiceError(typed, other);
}

/** By the id of a DBC signal, the names under which its values are stored: signals of the portal, and custom names. */
export type SignalUses = ReadonlyMap<number, readonly string[]>;

export function signalUsesOf({ rows }: MappingDraft, index: SignalIndex): SignalUses {
  const uses = new Map<number, string[]>();
  for (const { to, source } of rows) {
    const found = source && findSource(index, source);
    if (found) uses.set(found.id, [...(uses.get(found.id) ?? []), to]);
  }
  return uses;
}

/**
 * Returns for each signal of the portal the DBC signals that the server proposes, best first, except those that the
 * draft already maps.
 */
export function findOpenProposals(
  proposals: DefinitionView['proposals'],
  draft: MappingDraft,
  index: SignalIndex,
): ReadonlyMap<string, readonly IndexedSignal[]> {
  const uses = signalUsesOf(draft, index);
  const open = new Map<string, IndexedSignal[]>();
  for (const { to, bus, message, signal } of proposals) {
    const found = findSource(index, { bus, message, signal });
    if (found && !uses.has(found.id)) open.set(to, [...(open.get(to) ?? []), found]);
  }
  return open;
}

/**
 * Returns the best open proposal of each portal signal that has no source yet. Each DBC signal is proposed for one row only, so
 * that accepting all proposals never maps a signal twice.
 */
export function bestProposals(
  proposals: DefinitionView['proposals'],
  draft: MappingDraft,
  index: SignalIndex,
): ReadonlyMap<string, IndexedSignal> {
  const open = findOpenProposals(proposals, draft, index);
  const best = new Map<string, IndexedSignal>();
  const usedIds = new Set<number>();
  for (const { to, source } of draft.rows) {
    const [first] = source || comesFromGps(to) ? [] : (open.get(to) ?? []);
    if (!first || usedIds.has(first.id)) continue;
    usedIds.add(first.id);
    best.set(to, first);
  }
  return best;
}

/**
 * Returns how choosing a DBC signal changes a row: sets its source, and the factor that converts the signal's unit to the portal's. If no
 * conversion is needed, a factor that the user typed stays, and one that converted the unit of the previous signal is removed.
 */
export function draftChangeForSource(
  row: DraftRow,
  signal: IndexedSignal,
  index: SignalIndex,
): Partial<DraftRow> {
  const { bus, message, signal: name } = signal;
  const source = { bus, message, signal: name };
  const sender = signal.isOfAnySource || row.sender === undefined ? {} : { sender: '' };
  const { factor } = matchUnit(row.to, signal);
  if (factor !== undefined) return { source, ...sender, factor: formatExactNumber(factor), offset: '' };
  const before = row.source && findSource(index, row.source);
  const isConverted = before && readFactor(row.factor) === matchUnit(row.to, before).factor;
  return isConverted ? { source, ...sender, factor: '' } : { source, ...sender };
}

/** Returns the draft with every best proposal accepted. */
export const withProposals = (
  { rows, keep }: MappingDraft,
  best: ReadonlyMap<string, IndexedSignal>,
  index: SignalIndex,
): MappingDraft => ({
  rows: rows.map((row) => {
    const signal = row.source ? undefined : best.get(row.to);
    return signal ? { ...row, ...draftChangeForSource(row, signal, index) } : row;
  }),
  keep,
});

/** Returns the portal's signals that are mapped by an accepted proposal in the draft, but not in the saved mapping. */
export function unsavedProposals(
  base: Pick<DefinitionView, 'kind' | 'mapping' | 'proposals'>,
  draft: MappingDraft,
  index: SignalIndex,
): ReadonlySet<string> {
  const idOf = (source: MappedSource | undefined): number | undefined =>
    source && findSource(index, source)?.id;
  const saved = new Map(mappingDraftOf(base).rows.map(({ to, source }) => [to, idOf(source)]));
  const proposed = new Set(base.proposals.map((one) => `${one.to} ${idOf(one)}`));
  const marked = draft.rows.filter(({ to, source }) => {
    const id = idOf(source);
    return id !== undefined && id !== saved.get(to) && proposed.has(`${to} ${id}`);
  });
  return new Set(marked.map(({ to }) => to));
}

/** Matches a hexadecimal source address: 'F4' or '0xF4'. */
const ADDRESS = /^(?:0x)?([0-9a-f]{1,2})$/i;

/** Parses a typed J1939 source address; undefined for an empty text and for an address that an ECU cannot have. */
export function parseSourceAddress(text = ''): number | undefined {
  const [, digits] = ADDRESS.exec(text.trim()) ?? [];
  const address = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
  return address <= MAX_SOURCE_ADDRESS ? address : undefined;
}

/** Returns a Dutch error if the text is not a source address; undefined for a source address and for an empty text. */
export const sourceAddressError = (text = ''): string | undefined =>
  text.trim() === '' || parseSourceAddress(text) !== undefined
    ? undefined
    : 'Een afzender is een adres van 00 tot en met FD, zoals F4.';

/** Rules for parsing factors and offsets: users copy them from DBC files and data sheets, so the dot in '1.125' is a decimal point. */
export const SCALE_FACTOR_RULES = { dot: 'decimal', isSigned: true } as const;

/** Parses a typed factor or offset; undefined if the text is no number. */
export const readFactor = (text: string): number | undefined => parseTypedNumber(text, SCALE_FACTOR_RULES);

/** Returns a Dutch error if the text is not a factor; undefined for a factor and for an empty text. */
export function factorError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const value = readFactor(text);
  if (value === undefined) return 'Vul een getal in, zoals 0,1.';
  return value === 0 ? 'De factor mag niet 0 zijn.' : undefined;
}

/** Returns a Dutch error if the text is not an offset; undefined for an offset and for an empty text. */
export const offsetError = (text: string): string | undefined =>
  text.trim() === '' || readFactor(text) !== undefined ? undefined : 'Vul een getal in, zoals -40.';
