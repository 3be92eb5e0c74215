/** The accessory editor, 'Hulpstuk Lijst' (MEDIT-03, MEDIT-04). */
import { parseTypedNumber } from './typed-number.ts';

export type Accessory = { readonly name: string; readonly number: number };

/** Returns a whole number as `parseTypedNumber` parses it; undefined for '1,5' and '12abc', which must not become 1 and 12. */
export function parseAccessoryNumber(text: string): number | undefined {
  const number = parseTypedNumber(text, { isSigned: true });
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns the list with one accessory more; the same list when the name is blank, undefined when the number is invalid. */
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

/** Returns the list without the accessory at `index` (from 0); an index outside the list removes nothing. */
export const removeAccessory = (list: readonly Accessory[], index: number): readonly Accessory[] =>
  list.filter((_, at) => at !== index);

/** Returns the accessories of another machine for an import, without blank names. */
export const importedAccessories = (other: readonly Accessory[]): readonly Accessory[] =>
  other.map(({ name, number }) => ({ name: name.trim(), number })).filter(({ name }) => name !== '');
