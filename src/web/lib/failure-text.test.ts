import { expect, test } from 'vitest';
import { ApiError, noAnswer, unreadable } from './api.ts';
import { failureText } from './failure-text.ts';

const refused = (message: string) => new ApiError(401, { code: 'bad_credentials', message }, true);
const FALLBACK = 'Login failed. Please check your credentials.';

test.each([
  ['the words of the server', refused('Klopt niet.'), 'Klopt niet.'],
  ['a server without words', refused(''), FALLBACK],
  ['an answer that cannot be read', unreadable(502), FALLBACK],
  ['no answer', noAnswer(), `${FALLBACK} Geen verbinding met het portaal.`],
  ['anything else', new TypeError('x'), FALLBACK],
])('AUTH-05 a failed call shows %s', (_, error, text) => {
  expect(failureText(error, FALLBACK)).toBe(text);
});
