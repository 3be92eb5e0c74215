/** The accessory editor, 'Hulpstuk Lijst' (MEDIT-03, MEDIT-04). */

export type Accessory = { readonly name: string; readonly number: number };

/**
 * A whole number: digits with an optional sign, blanks around it allowed, within the safe integers. Anything
 * else ('', '12abc', '1.5', '1e3') is undefined: better asked again than silently read as 12.
 */
export function parseAccessoryNumber(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text.trim())) return undefined;
  const number = Number(text) + 0; // + 0 turns -0 into 0
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
