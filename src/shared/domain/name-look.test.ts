import { expect, test } from 'vitest';
import { namesLookAlike } from './name-look.ts';

test.each<[string, string, string]>([
  ['itself', 'De Boer', 'De Boer'],
  ['capitals', 'De Boer', 'DE BOER'],
  ['blanks', 'De Boer', ' De\u00a0 Boer'],
  ['no blanks', 'De Boer', 'DeBoer'],
  ['signs', 'De Boer B.V.', 'De Boer BV'],
  ['accents', 'Café Één', 'Cafe Een'],
  ['an accent of its own', 'Société', 'Socie\u0301te\u0301'],
  ['a ligature', 'IJssel', 'Ĳssel'],
  ['a stroke', 'Sørensen', 'Sorensen'],
  ['Cyrillic letters', 'Boer', '\u0412\u043eе\u0433'],
  ['Cyrillic capitals', 'HAVEN', '\u041d\u0410VEN'],
  ['Greek capitals', 'THOMA', '\u03a4\u0397\u039f\u039cA'],
  ['Greek, in another case', '\u0397\u039b\u0399\u039f\u03a3', '\u03b7\u03bb\u03b9\u03bf\u03c3'],
  ['capital I for l', 'Bol', 'BoI'],
  ['zero for o', 'Boom', 'B00m'],
  ['rn for m', 'Boom', 'Boorn'],
  ['a soft hyphen', 'Boom', 'Bo\u00adom'],
  ['full width', 'Boom', 'Ｂｏｏｍ'],
  ['signs only', '***', ' ***'],
])('looksLike recognizes names that look the same: %s (13.2b)', (_, name, other) => {
  expect([namesLookAlike(name, other), namesLookAlike(other, name)]).toEqual([true, true]);
});

test.each<[string, string, string]>([
  ['another word', 'De Boer', 'De Bouw'],
  ['one word more', 'De Boer', 'De Boer Verhuur'],
  ['another number', 'Kraan 1', 'Kraan 2'],
  ['a number and a letter', 'Kraan 4', 'Kraan A'],
  ['other signs', '***', '+++'],
  ['signs and nothing', '***', ''],
  ['other words of another script', '\u0397\u039b\u0399\u039f\u03a3', '\u0393\u0397'],
])('looksLike distinguishes names that do not look the same: %s (13.2b)', (_, name, other) => {
  expect([namesLookAlike(name, other), namesLookAlike(other, name)]).toEqual([false, false]);
});
