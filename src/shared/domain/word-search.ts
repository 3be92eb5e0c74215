/** Finding by words: all of them, in any order, whatever their case and accents. */

/** 'Één ß' and 'een ss' are the same: compatibility forms apart, marks removed, then without case. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

/** The words of a question, folded. '#12' finds what '12' finds, since the portal writes serial numbers with a '#'. */
export const wordsOf = (question: string): string[] =>
  folded(question)
    .split(/\s+/)
    .map((word) => word.replace(/^#/, ''))
    .filter(Boolean);

/** Whether a folded text holds every word. */
export const hasAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

/** The items, in the order given, whose text holds every word of the question; without words all of them. */
export function searchByWords<T>(
  items: readonly T[],
  question: string,
  textOf: (item: T) => string,
): readonly T[] {
  const words = wordsOf(question);
  return words.length === 0 ? items : items.filter((item) => hasAll(folded(textOf(item)), words));
}
