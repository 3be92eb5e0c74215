/** Searches by words: all words must occur, in any order, whatever their case and accents. */

/** Returns a text without case, accents and compatibility forms, so that 'Één ß' equals 'een ss'. */
export const foldText = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

/**
 * Returns the folded words of a search text. '#12' finds the same as '12', because the portal shows serial
 * numbers with a '#'.
 */
export const searchWordsOf = (question: string): string[] =>
  foldText(question)
    .split(/\s+/)
    .map((word) => word.replace(/^#/, ''))
    .filter(Boolean);

/** Returns whether a folded text contains every word. */
export const containsAllWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

/**
 * Returns the items, in the given order, whose text contains every word of the search text; all items if it has
 * no words.
 */
export function searchByWords<T>(
  items: readonly T[],
  question: string,
  textOf: (item: T) => string,
): readonly T[] {
  const words = searchWordsOf(question);
  return words.length === 0 ? items : items.filter((item) => containsAllWords(foldText(textOf(item)), words));
}
