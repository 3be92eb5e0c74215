/** Every DBC signal of a definition in one list, ready to be searched in; a machine may have twenty thousand. */
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { plainNumber } from '#shared/domain/nl.ts';
import { folded, hasAll, wordsOf } from '#shared/domain/word-search.ts';

/** Where one of our signals comes from; without bus or message: whichever has it. */
export type Source = {
  readonly bus?: number | undefined;
  readonly message?: string | undefined;
  readonly signal: string;
};

export type IndexedSignal = {
  /** Its place in the list: names may occur twice. */
  readonly id: number;
  readonly bus: number;
  readonly message: string;
  /** The identifier of its message. */
  readonly identifier: string;
  /** J1939: whichever source sends its message. */
  readonly isOfAnySource: boolean;
  readonly signal: string;
  readonly unit: string;
  readonly factor: number;
  /** As the DBC says; both 0 when it says nothing. */
  readonly min: number;
  readonly max: number;
  readonly comment: string;
  /** In words, when it is in the frame only sometimes. */
  readonly activeWhen: string | undefined;
  /** Why it cannot be chosen, in Dutch. */
  readonly blocked: string | undefined;
  /** Folded text that a search looks in. */
  readonly text: string;
};

export type SignalIndex = {
  readonly all: readonly IndexedSignal[];
  readonly byName: ReadonlyMap<string, readonly IndexedSignal[]>;
};

/** In the order of buses, messages and signals. A name that means two signals cannot be chosen. */
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
        const text = folded(`${signal} ${message} ${comment} ${about} ${unit} can${bus} ${identifier}`);
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

/** The one signal that a source means; undefined when there is none, several, or one that cannot be read. */
export function findSource(
  { byName }: SignalIndex,
  { bus, message, signal }: Source,
): IndexedSignal | undefined {
  const found = (byName.get(signal) ?? []).filter(
    (one) => (bus === undefined || one.bus === bus) && (message === undefined || one.message === message),
  );
  const [only, another] = found;
  return another === undefined && only?.blocked === undefined ? only : undefined;
}

/** Signals whose name, message, comment, unit, bus or identifier holds every word; those in `first` come first. */
export function searchSignals(
  all: readonly IndexedSignal[],
  question: string,
  first: readonly IndexedSignal[] = [],
): readonly IndexedSignal[] {
  const words = wordsOf(question);
  const found = words.length === 0 ? all : all.filter(({ text }) => hasAll(text, words));
  if (first.length === 0) return found;
  const rank = new Map(first.map((one, at) => [one, at]));
  const ahead = found.filter((one) => rank.has(one)).sort((a, b) => rank.get(a)! - rank.get(b)!);
  return [...ahead, ...found.filter((one) => !rank.has(one))];
}

/** '0 tot 100 %', '%' without a range, '' when the DBC says neither. */
export function rangeText({ min, max, unit }: Pick<IndexedSignal, 'min' | 'max' | 'unit'>): string {
  if (min === 0 && max === 0) return unit;
  return `${plainNumber(min)} tot ${plainNumber(max)} ${unit}`.trim();
}
