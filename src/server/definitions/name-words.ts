import { KNOWN_WORDS } from './quantity-words.ts';

/** Several words that count as one when they follow each other in a name or a comment. */
const TOGETHER: readonly (readonly [string, RegExp])[] = [
  [' soc ', / (?:state of charge|so c|state charge) /g],
  [' 12v ', / (?:12 (?:v|volts?)|twelve (?:v|volts?)) /g],
  [' dcbus ', / dc (?:bus|link) /g],
];

/**
 * Returns the words of a name or a comment, in lower case and in order; a number is a word. CamelCase, underscores and signs separate
 * words: 'BMS_PackVoltage2' -> bms, pack, voltage, 2. An unknown word is split if it consists of known words only: 'packvoltage' -> pack,
 * voltage; but 'driver' is no 'drive'.
 */
export function nameWordsOf(name: string): string[] {
  const parted = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(?<!\p{Lu})\p{Lu}{2,}\p{Ll}+/gu, splitCapitals)
    .toLowerCase()
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ');
  const joined = TOGETHER.reduce((text, [one, several]) => text.replace(several, one), ` ${parted} `);
  return joined.split(' ').filter(Boolean).flatMap(splitUnknownWord);
}

/** Splits capitals: 'GPSLatitude' -> GPS Latitude; but 'SOCdisp' -> SOC disp, because both parts are words that way. */
function splitCapitals(run: string): string {
  const small = run.search(/\p{Ll}/u);
  const [capitals, rest] = [run.slice(0, small), run.slice(small)];
  const isWhole = KNOWN_WORDS.has(rest) && !KNOWN_WORDS.has(capitals.slice(-1).toLowerCase() + rest);
  const end = isWhole ? small : small - 1;
  return `${run.slice(0, end)} ${run.slice(end)}`;
}

/** Maximum length of a word that is split. */
const MAX_LETTERS = 40;

/** Returns the known words that a word consists of, or the word itself. */
function splitUnknownWord(word: string): string[] {
  if (word.length < 5 || word.length > MAX_LETTERS || KNOWN_WORDS.has(word)) return [word];
  return splitIntoWords(word) ?? [word];
}

const LONGEST = Math.max(...[...KNOWN_WORDS].map(({ length }) => length));

/**
 * Splits a word, the longest first word first. Words of one letter occur too easily and do not count.
 * @param ends lengths of remainders that do not split, so that each remainder is tried once
 */
function splitIntoWords(word: string, ends = new Set<number>()): string[] | undefined {
  if (word === '') return [];
  if (ends.has(word.length)) return undefined;
  for (let end = Math.min(word.length, LONGEST); end >= 2; end--) {
    const first = word.slice(0, end);
    const rest = KNOWN_WORDS.has(first) ? splitIntoWords(word.slice(end), ends) : undefined;
    if (rest) return [first, ...rest];
  }
  ends.add(word.length);
  return undefined;
}
