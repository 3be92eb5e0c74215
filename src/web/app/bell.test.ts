import { expect, test } from 'vitest';
import type { Alert } from '#shared/contract/alerts.ts';
import { bellWords, movesInWords } from './bell.tsx';

test.each([
  [0, undefined, 'Meldingen'],
  [1, undefined, 'Meldingen, 1 nieuw'],
  [1234, undefined, 'Meldingen, 1.234 nieuw'],
  [3, Date.parse('2026-11-21T13:05:40Z'), 'Meldingen, 3 nieuw om 14:05'],
  [0, Date.parse('2026-11-21T13:05:40Z'), 'Meldingen'],
])('16.8a the bell says of %i new alerts, known of %s: %s', (fresh, asOf, expected) => {
  expect(bellWords(fresh, asOf)).toBe(expected);
});

test('the bell names the machines that move outside working hours, with the present distance (53.7)', () => {
  const machine = { serialNumber: 'K-1', alias: 'Kraan 1' };
  const alert = (part: Partial<Alert>): Alert => ({ machine, words: '', ...part }) as Alert;
  expect(movesInWords(undefined)).toEqual([]);
  expect(
    movesInWords([
      alert({ kind: 'low' }),
      alert({ kind: 'moved', words: '7,2 km verplaatst, rijdt 45 km/u, in Zeist' }),
    ]),
  ).toEqual(['Kraan 1: 7,2 km verplaatst, rijdt 45 km/u, in Zeist']);
});
