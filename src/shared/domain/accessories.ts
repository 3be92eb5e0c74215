/** The accessory editor, 'Hulpstuk Lijst' (MEDIT-03, MEDIT-04). */
import { readNumber } from './typed-number.ts';

export type Accessory = { readonly name: string; readonly number: number };

/** A whole number, as `readNumber` reads it. '1,5' and '12abc' are undefined: better asked again than read as 12. */
export function parseAccessoryNumber(text: string): number | undefined {
  const number = readNumber(text, { isSigned: true });
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * The list with one more. A blank name is ignored: the list comes back as it was, whatever the number.
 * undefined when the number is none.
 */
export function addAccessory(
  list: readonly Accessory[],
  nameText: string,
  numberText: string,
): readonly Accessory[] | undefined {
  const name = nameText.trim();
  if (name === '') return list;
  const number = parseAccessoryNumber(numberText);
  return number === undefined ? undefined : [...list, { name, number }];
}

/** The list without the one at `index` (from 0); an index outside it removes nothing. */
export const removeAccessory = (list: readonly Accessory[], index: number): readonly Accessory[] =>
  list.filter((_, at) => at !== index);

/** What an import puts in place of the current list: the other machine's, without blank names. */
export const importedAccessories = (other: readonly Accessory[]): readonly Accessory[] =>
  other.map(({ name, number }) => ({ name: name.trim(), number })).filter(({ name }) => name !== '');
