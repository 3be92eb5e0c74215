/** A searchable list of all DBC signals of a definition; a machine may have twenty thousand. */
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { containsAllWords, foldText, searchWordsOf } from '#shared/domain/word-search.ts';

/** The DBC signal that feeds a signal of the portal. Without bus or message, any bus or message matches. */
export type MappedSource = {
  readonly bus?: number | undefined;
  readonly message?: string | undefined;
  readonly signal: string;
};

export type IndexedSignal = {
  /** Index in the list. Identifies the signal, because several signals may have the same name. */
  readonly id: number;
  readonly bus: number;
  readonly message: string;
  /** Identifier of the message. */
  readonly identifier: string;
  /** Whether the signal's message is J1939 and may have any source address. */
  readonly isOfAnySource: boolean;
  readonly signal: string;
  readonly unit: string;
  readonly factor: number;
  /** From the DBC file; both are 0 if the file gives no range. */
  readonly min: number;
  readonly max: number;
  readonly comment: string;
  /** The condition under which a frame holds the signal, as a Dutch text; undefined if every frame holds it. */
  readonly activeWhen: string | undefined;
  /** Why the signal cannot be chosen, as a Dutch text. */
  readonly blocked: string | undefined;
  /** Text that is searched, in lower case and without accents. */
  readonly text: string;
};

export type SignalIndex = {
  readonly all: readonly IndexedSignal[];
  readonly byName: ReadonlyMap<string, readonly IndexedSignal[]>;
};

/**
 * Returns the signals in the order of buses, messages and signals. A signal cannot be chosen if another message on
 * its bus has the same name as the signal's message.
 */
export function indexSignals(buses: readonly DefinitionBus[]): SignalIndex {
  const all: IndexedSignal[] = [];
  for (const { bus, messages } of buses) {
    const repeated = repeatedNames(messages.map(({ name }) => name));
    for (const {
      name: message,
      comment: about = '',
      identifier,
      isOfAnySource = false,
      signals,
    } of messages) {
      for (const { name: signal, comment = '', unit, factor, min, max, activeWhen, unreadable } of signals) {
        const blocked =
          unreadable ??
          (repeated.has(message) ? `can${bus} heeft meer berichten met de naam ${message}` : undefined);
        const text = foldText(`${signal} ${message} ${comment} ${about} ${unit} can${bus} ${identifier}`);
        const id = all.length;
        all.push({
          id,
          bus,
          message,
          identifier,
          isOfAnySource,
          signal,
          unit,
          factor,
          min,
          max,
          comment,
          activeWhen,
          blocked,
          text,
        });
      }
    }
  }
  return { all, byName: Map.groupBy(all, ({ signal }) => signal) };
}

const repeatedNames = (names: readonly string[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
};

/** Returns the one DBC signal that matches a source; undefined if none or several match, or if it cannot be chosen. */
export function findSource(
  { byName }: SignalIndex,
  { bus, message, signal }: MappedSource,
): IndexedSignal | undefined {
  const found = (byName.get(signal) ?? []).filter(
    (one) => (bus === undefined || one.bus === bus) && (message === undefined || one.message === message),
  );
  const [only, another] = found;
  return another === undefined && only?.blocked === undefined ? only : undefined;
}

/**
 * Returns the signals whose name, message, comment, unit, bus and identifier together contain every word.
 * Signals in `first` come first.
 */
export function searchSignals(
  all: readonly IndexedSignal[],
  search: string,
  first: readonly IndexedSignal[] = [],
): readonly IndexedSignal[] {
  const words = searchWordsOf(search);
  const found = words.length === 0 ? all : all.filter(({ text }) => containsAllWords(text, words));
  if (first.length === 0) return found;
  const rank = new Map(first.map((one, at) => [one, at]));
  const ahead = found.filter((one) => rank.has(one)).sort((a, b) => rank.get(a)! - rank.get(b)!);
  return [...ahead, ...found.filter((one) => !rank.has(one))];
}

/** Returns '0 tot 100 %', '%' without a range, or '' without a range and unit. */
export function rangeText({ min, max, unit }: Pick<IndexedSignal, 'min' | 'max' | 'unit'>): string {
  if (min === 0 && max === 0) return unit;
  return `${formatNumber(min)} tot ${formatNumber(max)} ${unit}`.trim();
}
