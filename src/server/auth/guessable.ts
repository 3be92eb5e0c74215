import { invalid } from '#server/platform/problem.ts';
import { newPasswordFault, SHORTEST_PASSWORD } from '#shared/domain/new-password.ts';

/** What whoever guesses a person's password knows of them. */
export type Known = {
  readonly email: string;
  /** Their own name, and those of their organization. */
  readonly names?: readonly (string | null)[];
};

/** The product's own words. */
const OURS = ['werkstroom', 'portaal', 'rexgen', 'influx'];
/** Shorter pieces of an address or name stand in many texts by chance. */
const SHORTEST_WORD = 3;
/** So many letters beside a known word make no password of it. */
const FEW_LETTERS = 3;
const ADVICE = 'Kies een ander, bijvoorbeeld een korte zin.';

/**
 * Why a new password is refused, as a Dutch sentence; undefined when it is accepted (NIST SP 800-63B, ASVS 5.0 V6.2): its
 * length; that it repeats itself; that it is one of the 49,000 most used ones; that hardly anything is left of it
 * without words that a guesser knows. Capitals, accents, digits that stand for letters, and digits and signs before
 * and after it make no difference.
 */
export async function newPasswordRefusal(password: string, known: Known): Promise<string | undefined> {
  const fault = newPasswordFault(password);
  if (fault !== undefined) return fault;
  const folded = fold(password);
  const repeated = /^(.+?)\1+$/su.exec(folded)?.[1];
  if (repeated !== undefined && [...repeated].length < SHORTEST_PASSWORD)
    return `Dit wachtwoord herhaalt zich. ${ADVICE}`;
  if (await isCommon(repeated ?? folded))
    return `Dit is een veelgebruikt wachtwoord, of zo goed als. Dat wordt als eerste geraden. ${ADVICE}`;
  const word = [folded, inLetters(folded)].map((text) => nearlyOnly(text, wordsOf(known))).find(Boolean);
  return word && `Dit wachtwoord is bijna alleen ‘${word}’. Dat is makkelijk te raden. ${ADVICE}`;
}

/** @throws ProblemError 400 with the reason that a new password is refused */
export async function requireNewPassword(password: string, known: Known): Promise<void> {
  const refusal = await newPasswordRefusal(password, known);
  if (refusal !== undefined) throw invalid(refusal);
}

/** Without capitals and accents. */
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
/** Without what was put behind it, and with letters where digits and signs stand for them. */
const inLetters = (folded: string): string =>
  folded.replace(/\P{L}+$/u, '').replaceAll(/[013457@$]/g, (sign) => LETTERS[sign] as string);

/** 40 ms and 5 MB, so not before somebody chooses a password. */
const common = (() => {
  let read: Promise<ReadonlySet<string>> | undefined;
  return () => {
    read ??= import('@zxcvbn-ts/language-common').then(
      ({ dictionary }) => new Set(dictionary['passwords-common']),
    );
    return read;
  };
})();

/** @param folded as the list has them */
async function isCommon(folded: string): Promise<boolean> {
  const list = await common();
  return [
    folded,
    folded.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
    folded.replaceAll(/^\P{L}+|\P{L}+$/gu, ''),
    inLetters(folded),
  ].some((text) => list.has(text));
}

/** Longest first: of 'jan.klaver@klaver.nl' the whole address, then 'jan.klaver', then 'klaver' and 'jan'. */
function wordsOf({ email, names = [] }: Known): string[] {
  const [local = '', domain = ''] = email.split('@');
  const whole = [email, local, domain, ...names.map((name) => name ?? '')].map(fold);
  // The last piece is nl, com and the like.
  const pieces = [local, domain.replace(/\.[^.]*$/, ''), ...whole.slice(3)].flatMap((text) =>
    fold(text).split(/[^\p{L}\p{N}]+/u),
  );
  return [...OURS, ...whole, ...pieces]
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((a, b) => b.length - a.length);
}

/** @returns the longest of the words that it is made of, where little else is in it */
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
