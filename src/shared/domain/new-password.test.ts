import { expect, test } from 'vitest';
import { newPasswordFault } from './new-password.ts';

const SHORT = 'Een wachtwoord heeft minstens 8 tekens.';
const LONG = 'Een wachtwoord heeft hoogstens 1.000 tekens.';

test.each([
  ['empty', '', SHORT],
  ['seven', 'abcdefg', SHORT],
  ['eight', 'abcdefgh', undefined],
  ['eight blanks inside a sentence', 'a b c d ', undefined],
  ['four signs of two code units each', '🔋🔋🔋🔋', SHORT],
  ['a thousand', '🔋'.repeat(1000), undefined],
  ['one more', 'x'.repeat(1001), LONG],
])('AUTH-01 AUTH-06 a new password: %s', (_, password, fault) => {
  expect(newPasswordFault(password)).toBe(fault);
});
