import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Words of docs/words.md ('Names that changed') that have no other meaning in comments and names. */
const WORDS = /^(?:funnel|anew|told|tells|heard|nobody|somebody|whoever)$/;
/** Names that stay: fields of documented calls, a stored event, columns, and letters of an alphabet. */
const KEPT = /^(?:tellsEnd|heard|\w*[hH]eard\w*Ms|(?:is|first)Letter)$/;
/** Names of texts and mails that docs/words.md replaces by 'email', 'text' and 'find candidate ranges'. */
const NAMES = /(?:[a-z]Letter|InWords|_IN_WORDS)$|^whereToLook/;
/** Beginnings of comments without a subject. */
const BEGINNINGS = /^(?:Of|Who|What|And|Else|The same)\b/;
/** Matches comments, then strings, whose texts are not read, then names. Consecutive `//` lines are one comment. */
const TOKENS =
  /(\/\*[\s\S]*?\*\/|(?:(?<![:\w])\/\/.*\n?[ \t]*)+)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|([\p{L}_$][\p{L}\d_$]*)/gu;
const SQL_TOKENS = /(\/\*[\s\S]*?\*\/|(?:--.*\n?[ \t]*)+)/g;

/** Matches the words of a camel case or upper case name. */
const NAME_WORDS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
const isWord = (word: string): boolean => WORDS.test(word.toLowerCase());

/** Returns the forbidden words and names in a file, and the forbidden beginnings of its comments. */
function strayWordsIn(text: string, tokens = TOKENS): string[] {
  return [...text.matchAll(tokens)].flatMap(([, comment, name]) => {
    if (name !== undefined && !KEPT.test(name))
      return NAMES.test(name) || name.match(NAME_WORDS)?.some(isWord) ? [name] : [];
    const plain = (comment ?? '').replace(/^\/?[*/-]+\s*/, '');
    const words = (plain.match(/\p{L}+/gu) ?? []).filter(isWord);
    return BEGINNINGS.test(plain) ? [plain.slice(0, 60), ...words] : words;
  });
}

const strays = globSync(['src/**/*.{ts,tsx,sql}', '{e2e,scripts,bench}/**/*.{ts,tsx,sql}'])
  // Files of platform/postgres name a Unix account whose name is one of the forbidden words.
  .filter((file) => file !== 'scripts/plain-words.test.ts' && !file.includes('/platform/postgres/'))
  .flatMap((file) => {
    const found = strayWordsIn(readFileSync(file, 'utf8'), file.endsWith('.sql') ? SQL_TOKENS : TOKENS);
    return found.map((word) => `${file}: ${word}`);
  });

test('comments and names have no word that docs/words.md replaces', () => {
  expect(strays).toEqual([]);
});

test('the search finds a replaced word in a comment, a name and the beginning of a comment, and none in a string', () => {
  const text = "/** What is kept. */ const alertLetter = 'told'; // it was heard\nconst isTold = `anew`;";
  expect(strayWordsIn(text)).toEqual(['What is kept. */', 'alertLetter', 'heard', 'isTold']);
});
