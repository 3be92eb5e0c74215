import { KNOWN_WORDS } from './quantity-words.ts';

/** Several words that are one, as they follow each other in a name or a comment. */
const TOGETHER: readonly (readonly [string, RegExp])[] = [
  [' soc ', / (?:state of charge|so c|state charge) /g],
  [' 12v ', / (?:12 (?:v|volts?)|twelve (?:v|volts?)) /g],
  [' dcbus ', / dc (?:bus|link) /g],
];

/**
 * The words of a name or a comment, in lower case, in their order; a number is a word. CamelCase, underscores and signs
 * part them: 'BMS_PackVoltage2' -> bms, pack, voltage, 2. A word that is none may be several written as one, all of them
 * known: 'packvoltage' -> pack, voltage; but 'driver' is no 'drive'.
 */
export function wordsOf(name: string): string[] {
  const parted = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(?<!\p{Lu})\p{Lu}{2,}\p{Ll}+/gu, partedCapitals)
    .toLowerCase()
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ');
  const joined = TOGETHER.reduce((text, [one, several]) => text.replace(several, one), ` ${parted} `);
  return joined.split(' ').filter(Boolean).flatMap(severalIn);
}

/** 'GPSLatitude' -> GPS Latitude; but 'SOCdisp' -> SOC disp, where that is how both are words. */
function partedCapitals(run: string): string {
  const small = run.search(/\p{Ll}/u);
  const [capitals, rest] = [run.slice(0, small), run.slice(small)];
  const isWhole = KNOWN_WORDS.has(rest) && !KNOWN_WORDS.has(capitals.slice(-1).toLowerCase() + rest);
  const end = isWhole ? small : small - 1;
  return `${run.slice(0, end)} ${run.slice(end)}`;
}

/** Of one word: nobody reads a longer one either. */
const MOST_LETTERS = 40;

/** The known words that a word is made of; itself when it is known, or not made of such. */
function severalIn(word: string): string[] {
  if (word.length < 5 || word.length > MOST_LETTERS || KNOWN_WORDS.has(word)) return [word];
  return madeOf(word) ?? [word];
}

const LONGEST = Math.max(...[...KNOWN_WORDS].map(({ length }) => length));

/**
 * From the longest first word on. Words of one letter are too easily found.
 * @param ends lengths of what is left that is made of no words: asked once, however many ways lead there
 */
function madeOf(word: string, ends = new Set<number>()): string[] | undefined {
  if (word === '') return [];
  if (ends.has(word.length)) return undefined;
  for (let end = Math.min(word.length, LONGEST); end >= 2; end--) {
    const first = word.slice(0, end);
    const rest = KNOWN_WORDS.has(first) ? madeOf(word.slice(end), ends) : undefined;
    if (rest) return [first, ...rest];
  }
  ends.add(word.length);
  return undefined;
}
