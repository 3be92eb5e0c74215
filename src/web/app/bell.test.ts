import { expect, test } from 'vitest';
import { bellWords } from './bell.tsx';

test.each([
  [0, undefined, 'Meldingen'],
  [1, undefined, 'Meldingen, 1 nieuw'],
  [1234, undefined, 'Meldingen, 1.234 nieuw'],
  [3, Date.parse('2026-11-21T13:05:40Z'), 'Meldingen, 3 nieuw om 14:05'],
  [0, Date.parse('2026-11-21T13:05:40Z'), 'Meldingen'],
])('16.8a the bell says of %i new alerts, known of %s: %s', (fresh, asOf, expected) => {
  expect(bellWords(fresh, asOf)).toBe(expected);
});
