/** Checks the name that a mapping feeds: a signal of the portal, or a custom name that does not resemble one. */
import { packNumberOf } from './packs.ts';
import { isChargingFlag, knownSignal, SIGNALS } from './signal.ts';
import { foldText } from './word-search.ts';

/** Shorter names are not compared with parts of the portal's names. */
const MIN_LETTERS = 3;
/** Shorter names are not compared for a typing error, because one wrong letter easily makes another word. */
const MIN_LETTERS_FOR_TYPO = 5;
const MAX_SUGGESTIONS = 3;

/** Returns only letters and digits, folded, with 'batterij' replaced by the portal's word 'accu'. */
const plain = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\d]/gu, '')
    .replace('batterij', 'accu');

const OURS = SIGNALS.map(({ name, word }) => ({ name, word, texts: [plain(name), plain(word)] }));

/**
 * Returns the portal's signals that a name resembles, nearest first, such as for 'Accu', 'snelheid' and 'Spead'; empty when the name is a
 * signal of the portal or resembles none. A value that is stored under a similar name would feed no figure.
 */
export function similarSignalNames(name: string): readonly string[] {
  if (knownSignal(name) || packNumberOf(name) !== undefined || isChargingFlag(name)) return [];
  const text = plain(name);
  const meant = OURS.map((ours) => ({ ours, rank: Math.min(...ours.texts.map((of) => likeness(text, of))) }))
    // A text that is in the names of all eight charge levels, such as 'accu', suggests only the first charge level.
    .filter(({ ours, rank }) => rank === 0 || (rank <= 3 && !/^Soc[2-8]$/.test(ours.name)))
    .sort((a, b) => a.rank - b.rank)
    .map(({ ours, rank }) => ({ rank, text: `${ours.name} (${ours.word})` }));
  const isSame = meant[0]?.rank === 0;
  return meant
    .filter(({ rank }) => rank === 0 || !isSame)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ text }) => text);
}

/**
 * Returns the name among `names` that stands for the same battery as `name`, such as Soc1 for 'soc1'. Only one
 * of the two names counts (packs.ts): a value under the other name is in no figure and in no list of custom signals.
 */
export function nameOfSameBattery(name: string, names: readonly string[]): string | undefined {
  const pack = packNumberOf(name);
  return pack === undefined
    ? undefined
    : names.find((other) => other !== name && packNumberOf(other) === pack);
}

/** Returns the Dutch error for two names that stand for one battery. */
export const packMappedTwiceError = (name: string, other: string): string =>
  `${name} en ${other} zijn allebei de laadtoestand van accu ${packNumberOf(name)}: maar één van de twee telt. Bedoel je ${other}? Een eigen naam mag niet met Soc beginnen.`;

/** Returns the Dutch error for a name that a mapping cannot feed; undefined for a signal of the portal and for a custom name. */
export function mappingTargetError(name: string): string | undefined {
  const nearest = similarSignalNames(name);
  if (nearest.length === 0) return undefined;
  const list = [nearest.slice(0, -1).join(', '), nearest.at(-1)].filter(Boolean).join(' of ');
  return `${name} is geen signaal van het portaal. Bedoel je ${list}? Een eigen naam mag niet op een naam van het portaal lijken.`;
}

/** Returns 0: equal · 1: `ours` begins with `text` · 2: `ours` contains it · 3: one typing error · 4: unlike. */
function likeness(text: string, ours: string): number {
  if (text === ours) return 0;
  if (text.length < MIN_LETTERS) return 4;
  if (ours.startsWith(text)) return 1;
  if (ours.includes(text)) return 2;
  return text.length >= MIN_LETTERS_FOR_TYPO && hasOneTypo(text, ours) ? 3 : 4;
}

/**
 * Returns whether one letter is missing, added, replaced or swapped with its neighbour. A different digit is no typing error: Speed2 is
 * another signal than Speed.
 */
function hasOneTypo(text: string, ours: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === ours[start]) start += 1;
  const [a, b] = [text.slice(start), ours.slice(start)];
  let end = 0;
  while (end < a.length && end < b.length && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [odd, right] = [a.slice(0, a.length - end), b.slice(0, b.length - end)];
  if (/\d/.test(odd + right)) return false;
  const isSwapped = odd.length === 2 && odd === [...right].reverse().join('');
  return isSwapped || (odd.length <= 1 && right.length <= 1);
}
