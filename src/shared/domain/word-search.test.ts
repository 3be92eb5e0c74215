import { expect, test } from 'vitest';
import { searchByWords } from './word-search.ts';

const USERS = ['jan@boer.nl Kraanverhuur De Boer', 'piet@rail.nl Spoorwerk Één', 'admin@portaal.nl Beheer'];

test.each([
  ['', USERS],
  ['   ', USERS],
  ['BOER', USERS.slice(0, 1)],
  ['boer kraan', USERS.slice(0, 1)],
  ['kraan rail', []],
  ['een', USERS.slice(1, 2)],
  ['#rail', USERS.slice(1, 2)],
  ['.nl', USERS],
])('%j finds texts with all its words, whatever case and accents (USER-01)', (question, found) => {
  expect(searchByWords(USERS, question, (user) => user)).toEqual(found);
});
