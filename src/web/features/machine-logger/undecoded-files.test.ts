import { expect, test } from 'vitest';
import { countInWords } from './undecoded-files.tsx';

test.each([
  [1, 1, '1 bestand'],
  [20, 20, '20 bestanden'],
  [12_345, 20, '12.345 bestanden, de laatste 20'],
])('55.50 of %i files that are not read %i are shown: %s', (count, shown, words) => {
  expect(countInWords(count, shown)).toBe(words);
});
