import { invalidInputError } from '#server/platform/problem.ts';
import { MIN_PASSWORD_CHARACTERS, newPasswordError } from '#shared/domain/new-password.ts';

/** Facts that an attacker may know about a person. */
export type GuessableFacts = {
  readonly email: string;
  /** The person's name and the names of their organization. */
  readonly names?: readonly (string | null)[];
};

const PRODUCT_WORDS = ['werkstroom', 'portaal', 'rexgen', 'influx'];
/** Minimum length of a part of an address or name that counts as a known word: shorter parts occur in many texts by chance. */
const MIN_WORD_CHARACTERS = 3;
/** A known word with at most this many other letters is too easy to guess. */
const FEW_LETTERS = 3;
const ADVICE = 'Kies een ander, bijvoorbeeld een korte zin.';

/**
 * Returns why a new password is refused, as a Dutch sentence; undefined when it is accepted (NIST SP 800-63B, ASVS 5.0 V6.2). A
 * password is refused when it is too short or long, repeats itself, is one of the 49,000 most used ones, or consists almost
 * entirely of words that an attacker knows. Capitals, accents, digits that stand for letters, and digits and signs around
 * the password make no difference.
 */
export async function newPasswordRefusal(
  password: string,
  known: GuessableFacts,
): Promise<string | undefined> {
  const error = newPasswordError(password);
  if (error !== undefined) return error;
  const folded = fold(password);
  const repeated = /^(.+?)\1+$/su.exec(folded)?.[1];
  if (repeated !== undefined && [...repeated].length < MIN_PASSWORD_CHARACTERS)
    return `Dit wachtwoord herhaalt zich. ${ADVICE}`;
  if (await isCommon(repeated ?? folded))
    return `Dit is een veelgebruikt wachtwoord, of zo goed als. Dat wordt als eerste geraden. ${ADVICE}`;
  const word = [folded, inLetters(folded)].map((text) => nearlyOnly(text, wordsOf(known))).find(Boolean);
  return word && `Dit wachtwoord is bijna alleen ‘${word}’. Dat is makkelijk te raden. ${ADVICE}`;
}

/** Refuses a new password that is easy to guess. @throws ProblemError 400 with the reason */
export async function requireAcceptablePassword(password: string, known: GuessableFacts): Promise<void> {
  const refusal = await newPasswordRefusal(password, known);
  if (refusal !== undefined) throw invalidInputError(refusal);
}

/** Returns a text in lower case without accents. */
const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};
/** Drops a suffix without letters, and replaces digits and signs by the letters that they stand for. */
const inLetters = (folded: string): string =>
  folded.replace(/\P{L}+$/u, '').replaceAll(/[013457@$]/g, (sign) => LETTERS[sign] as string);

/** Loaded at first use: it takes 40 ms and 5 MB. */
const common = (() => {
  let read: Promise<ReadonlySet<string>> | undefined;
  return () => {
    read ??= import('@zxcvbn-ts/language-common').then(
      ({ dictionary }) => new Set(dictionary['passwords-common']),
    );
    return read;
  };
})();

/**
 * Returns whether a password is on the list of the most used ones.
 * @param folded in lower case without accents, as the list has them
 */
async function isCommon(folded: string): Promise<boolean> {
  const list = await common();
  return [
    folded,
    folded.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
    folded.replaceAll(/^\P{L}+|\P{L}+$/gu, ''),
    inLetters(folded),
  ].some((text) => list.has(text));
}

/** Returns the known words, longest first: for 'jan.klaver@klaver.nl' the whole address, then 'jan.klaver', 'klaver' and 'jan'. */
function wordsOf({ email, names = [] }: GuessableFacts): string[] {
  const [local = '', domain = ''] = email.split('@');
  const whole = [email, local, domain, ...names.map((name) => name ?? '')].map(fold);
  // The last part of a domain is 'nl', 'com' and the like.
  const parts = [local, domain.replace(/\.[^.]*$/, ''), ...whole.slice(3)].flatMap((text) =>
    fold(text).split(/[^\p{L}\p{N}]+/u),
  );
  return [...PRODUCT_WORDS, ...whole, ...parts]
    .filter((word) => word.length >= MIN_WORD_CHARACTERS)
    .sort((a, b) => b.length - a.length);
}

/** Returns the longest known word in a text that consists almost entirely of known words; otherwise undefined. */
function nearlyOnly(text: string, words: readonly string[]): string | undefined {
  let rest = text;
  let longest: string | undefined;
  for (const word of words) {
    if (!rest.includes(word)) continue;
    rest = rest.replaceAll(word, ' ');
    longest ??= word;
  }
  return rest.replaceAll(/\P{L}/gu, '').length <= FEW_LETTERS ? longest : undefined;
}
