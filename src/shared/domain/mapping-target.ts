/** Checks the name that a mapping feeds: one of our signals, or an own name that is unlike ours. */
import { packOf } from './packs.ts';
import { isChargingFlag, knownSignal, SIGNALS } from './signal.ts';
import { folded } from './word-search.ts';

/** Shorter parts of our names say nothing. */
const FEWEST_LETTERS = 3;
/** With one letter typed wrong a shorter word is soon another word. */
const FEWEST_FOR_A_SLIP = 5;
const MOST_TOLD = 3;

/** Letters and digits only. People say 'batterij' where the portal says 'accu'. */
const plain = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\d]/gu, '')
    .replace('batterij', 'accu');

const OURS = SIGNALS.map(({ name, word }) => ({ name, word, texts: [plain(name), plain(word)] }));

/**
 * Returns our signals that a name may stand for, nearest first, where the name is no signal of ours but is written like one or
 * is a part of one, such as 'Accu', 'snelheid' and 'Spead'. A value that is stored under such a name feeds no figure.
 */
export function nearestSignals(name: string): readonly string[] {
  if (knownSignal(name) || packOf(name) !== undefined || isChargingFlag(name)) return [];
  const text = plain(name);
  const meant = OURS.map((ours) => ({ ours, rank: Math.min(...ours.texts.map((of) => likeness(text, of))) }))
    // A part of all eight charge levels, such as 'accu', suggests the first one only.
    .filter(({ ours, rank }) => rank === 0 || (rank <= 3 && !/^Soc[2-8]$/.test(ours.name)))
    .sort((a, b) => a.rank - b.rank)
    .map(({ ours, rank }) => ({ rank, said: `${ours.name} (${ours.word})` }));
  const isSame = meant[0]?.rank === 0;
  return meant
    .filter(({ rank }) => rank === 0 || !isSame)
    .slice(0, MOST_TOLD)
    .map(({ said }) => said);
}

/**
 * Returns another one of the names that is of the same battery, such as Soc1 for 'soc1'. Only one of them counts (packs.ts): a value
 * under the other one is in no figure, and among no own signals.
 */
export function sameBattery(name: string, names: readonly string[]): string | undefined {
  const pack = packOf(name);
  return pack === undefined ? undefined : names.find((other) => other !== name && packOf(other) === pack);
}

/** Returns why two names of one battery cannot both be fed, in Dutch. */
export const batteryFault = (name: string, other: string): string =>
  `${name} en ${other} zijn allebei de laadtoestand van accu ${packOf(name)}: maar één van de twee telt. Bedoel je ${other}? Een eigen naam mag niet met Soc beginnen.`;

/** Returns why a mapping cannot feed a name, in Dutch; undefined for a signal of ours, and for an own name. */
export function targetFault(name: string): string | undefined {
  const nearest = nearestSignals(name);
  if (nearest.length === 0) return undefined;
  const list = [nearest.slice(0, -1).join(', '), nearest.at(-1)].filter(Boolean).join(' of ');
  return `${name} is geen signaal van het portaal. Bedoel je ${list}? Een eigen naam mag niet op een naam van het portaal lijken.`;
}

/** 0: the same · 1: its beginning · 2: a part of it · 3: one letter differs · 4: another name */
function likeness(text: string, ours: string): number {
  if (text === ours) return 0;
  if (text.length < FEWEST_LETTERS) return 4;
  if (ours.startsWith(text)) return 1;
  if (ours.includes(text)) return 2;
  return text.length >= FEWEST_FOR_A_SLIP && hasOneSlip(text, ours) ? 3 : 4;
}

/** One letter is missing, too many, another, or in its neighbour's place. A digit means another signal: Speed2 is no Speed. */
function hasOneSlip(text: string, ours: string): boolean {
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
