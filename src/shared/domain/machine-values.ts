/** Parses the texts of a machine's record in the calls create and edit (MEDIT-01, MEDIT-04, MEDIT-14). */

import { parseAccessoryNumber } from './accessories.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import { type CheckResult, checkFailed, checkPassed } from './identifiers.ts';
import { formatNumber } from './nl.ts';
import { parseJson } from './outside-json.ts';
import { parseTypedNumber } from './typed-number.ts';

const MAX_ACCESSORIES = 200;
const MAX_BATTERIES = 8;
const MAX_BATTERY_KWH = 10_000;
const SMALLEST_POWER_KW = 0.1;
const MAX_POWER_KW = 2000;

/** Machine categories of annex 1 of the SPUK SEB (Stcrt 2024, 10962). */
export const SEB_CATEGORIES = ['A', 'B', 'C'] as const;
export type SebCategory = (typeof SEB_CATEGORIES)[number];
export const SEB_CATEGORY_LABELS: Readonly<Record<SebCategory, string>> = {
  A: 'A: werktuig',
  B: 'B: hulpfunctie',
  C: 'C: voertuig',
};

/** Checks any readable text; the value has no outer blanks. @param longest in characters */
export function checkFreeText(text: string, label: string, longest: number): CheckResult {
  const trimmed = text.normalize('NFC').trim();
  if (trimmed === '') return checkFailed(`${label} ontbreekt.`);
  if ([...trimmed].length > longest)
    return checkFailed(`${label} mag hoogstens ${longest} tekens lang zijn.`);
  // Zero-width joiners are part of emoji; all other invisible characters are refused.
  return /[^\P{C}\u200d]/u.test(trimmed)
    ? checkFailed(`${label} bevat een onleesbaar teken.`)
    : checkPassed(trimmed);
}

/** Checks a number from 0 to `most` that `parseTypedNumber` can parse; '' is 0. */
export function checkNumber(text: string, label: string, most: number): CheckResult<number> {
  if (text === '') return checkPassed(0);
  const number = parseTypedNumber(text) ?? Number.NaN;
  return number <= most
    ? checkPassed(number)
    : checkFailed(`${label} is een getal van 0 tot ${formatNumber(most)}.`);
}

/** Checks a Dutch number plate, or RDW's code of a machine without one; '' is valid. */
export const checkRegistrationNumber = (text: string): CheckResult =>
  text === '' ? checkPassed('') : checkFreeText(text, FIELD_TEXTS.kenteken, 20);

/** Checks a power of 0.1 to 2000 kW; '' means not known. */
export function checkContinuousPowerKw(text: string): CheckResult<number | null> {
  if (text === '') return checkPassed(null);
  const power = checkNumber(text, '', MAX_POWER_KW);
  return power.ok && power.value >= SMALLEST_POWER_KW
    ? power
    : checkFailed(`${FIELD_TEXTS.vermogen} is een getal van 0,1 tot ${formatNumber(MAX_POWER_KW)}.`);
}

/** Checks a SEB category; '' means none. */
export function checkSebCategory(text: string): CheckResult<SebCategory | null> {
  if (text === '') return checkPassed(null);
  const category = SEB_CATEGORIES.find((one) => one === text.toUpperCase());
  return category ? checkPassed(category) : checkFailed(`${FIELD_TEXTS.seb_categorie} is A, B of C.`);
}

/** Checks a JSON list of {naam, nummer}. Entries with an empty name are skipped. */
export function checkAccessories(json: string): CheckResult<{ naam: string; nummer: number }[]> {
  const entries = listIn(json);
  if (!entries) return checkFailed('Hulpstukken: dit is geen lijst.');
  if (entries.length > MAX_ACCESSORIES)
    return checkFailed(`Er zijn hoogstens ${MAX_ACCESSORIES} hulpstukken.`);
  const accessories: { naam: string; nummer: number }[] = [];
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry) || typeof entry.naam !== 'string')
      return checkFailed(`Hulpstuk ${index + 1} heeft geen naam.`);
    if (entry.naam.trim() === '') continue;
    const name = checkFreeText(entry.naam, `De naam van hulpstuk ${index + 1}`, 100);
    if (!name.ok) return name;
    const { nummer: given } = entry;
    const number = typeof given === 'string' ? parseAccessoryNumber(given) : given;
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      return checkFailed(
        `Het nummer van hulpstuk ${name.value} is geen geheel getal: ${JSON.stringify(given) ?? 'leeg'}.`,
      );
    accessories.push({ naam: name.value, nummer: number + 0 });
  }
  return checkPassed(accessories);
}

/** Checks a JSON list of {capacity} in kWh; null or absent: not known. */
export function checkBatteries(json: string): CheckResult<{ capacity: number | null }[]> {
  const entries = listIn(json);
  if (!entries) return checkFailed("Accu's: dit is geen lijst.");
  if (entries.length > MAX_BATTERIES)
    return checkFailed(`Een machine heeft hoogstens ${MAX_BATTERIES} accu's.`);
  const batteries: { capacity: number | null }[] = [];
  for (const [index, entry] of entries.entries()) {
    const capacity = isObject(entry) ? (entry.capacity ?? null) : undefined;
    if (capacity !== null && !(typeof capacity === 'number' && capacity > 0 && capacity <= MAX_BATTERY_KWH))
      return checkFailed(`De capaciteit van accu ${index + 1} is meer dan 0 en ten hoogste 10.000 kWh.`);
    batteries.push({ capacity });
  }
  return checkPassed(batteries);
}

/** Returns the parsed list; empty for '', undefined when the text is no list. */
function listIn(json: string): readonly unknown[] | undefined {
  if (json === '') return [];
  try {
    const list = parseJson(json);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (entry: unknown): entry is Record<string, unknown> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry);
