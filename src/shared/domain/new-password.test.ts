import { expect, test } from 'vitest';
import { newPasswordError } from './new-password.ts';

const SHORT = 'Een wachtwoord heeft minstens 8 tekens.';
const LONG = 'Een wachtwoord heeft hoogstens 128 tekens.';

test.each([
  ['empty', '', SHORT],
  ['seven', 'abcdefg', SHORT],
  ['eight', 'abcdefgh', undefined],
  ['eight blanks inside a sentence', 'a b c d ', undefined],
  ['four signs of two code units each', '🔋🔋🔋🔋', SHORT],
  ['128', '🔋'.repeat(128), undefined],
  ['one more', 'x'.repeat(129), LONG],
])(
  'a new password is accepted, or refused with the reason: %s (AUTH-01, AUTH-06, 13.3a)',
  (_, password, error) => {
    expect(newPasswordError(password)).toBe(error);
  },
);
