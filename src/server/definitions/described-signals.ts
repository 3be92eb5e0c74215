import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';
import { nameWordsOf } from './name-words.ts';
import {
  INNER_COMPONENT_WORDS,
  NEARLY_SAME_QUANTITY_WORDS,
  NON_VALUE_WORDS,
  OTHER_COMPONENT_WORDS,
  type QuantityMeaning,
  quantityMeaningsOfWords,
  SETPOINT_WORDS,
} from './quantity-words.ts';

/** A DBC signal that may be proposed, and its bus and message. */
export type ProposalCandidate = Pick<DbcSignal, 'name' | 'unit'> &
  Partial<Pick<DbcSignal, 'bitCount' | 'factor' | 'min' | 'max' | 'comment' | 'values'>> & {
    readonly bus: number;
    readonly message: string;
  };
/** A candidate with the meaning of its name and its comment. */
export type DescribedCandidate = {
  readonly candidate: ProposalCandidate;
  readonly words: readonly string[];
  /** Meanings of the words in name and comment, words of one letter (I, U, V) excluded. */
  readonly meanings: ReadonlySet<QuantityMeaning>;
  /** Meanings of the words in name and comment, words of one letter included; for a signal with a unit. */
  readonly meaningsWithUnit: ReadonlySet<QuantityMeaning>;
  /** Meanings of the comment alone. */
  readonly commentMeanings: ReadonlySet<QuantityMeaning>;
  /** Number of words that mark a setpoint. */
  readonly wishes: number;
  /** Number of words that mark a value that is nearly the quantity. */
  readonly nearly: number;
};

/** Returns the candidates, without those whose name, comment or message is about something that none of the portal's signals measures. */
export function describeCandidates(candidates: readonly ProposalCandidate[]): DescribedCandidate[] {
  const elsewhere = new Map<string, boolean>();
  return candidates.flatMap((candidate) => {
    const { name, message, comment = '' } = candidate;
    const isElsewhere =
      elsewhere.get(message) ?? nameWordsOf(message).some((word) => OTHER_COMPONENT_WORDS.has(word));
    elsewhere.set(message, isElsewhere);
    const words = nameWordsOf(name);
    const named = nameInComment(comment);
    const all = [...new Set([...words, ...named])];
    if (isElsewhere || all.some(isOther)) return [];
    return {
      candidate,
      words,
      meanings: quantityMeaningsOfWords(all.filter((word) => word.length > 1)),
      meaningsWithUnit: quantityMeaningsOfWords(all),
      commentMeanings: quantityMeaningsOfWords(named),
      wishes: all.filter((word) => SETPOINT_WORDS.has(word)).length,
      nearly: all.filter((word) => NEARLY_SAME_QUANTITY_WORDS.has(word)).length,
    };
  });
}

/** Whether a word names a part or thing that none of the portal's signals measures. */
const isOther = (word: string): boolean =>
  OTHER_COMPONENT_WORDS.has(word) || INNER_COMPONENT_WORDS.has(word) || NON_VALUE_WORDS.has(word);

/** Maximum size of a comment's beginning that may name its signal. A longer beginning is a sentence, which may mention other signals. */
const MAX_WORDS = 5;
const MAX_LETTERS = 80;

function nameInComment(comment: string): readonly string[] {
  const beginning = /^[^.,;:(?]*/.exec(comment)?.[0] ?? '';
  if (beginning.length > MAX_LETTERS) return [];
  const words = nameWordsOf(beginning);
  return words.length > MAX_WORDS ? [] : words;
}
