import { expect, test } from 'vitest';
import type { Alert } from '#shared/contract/alerts.ts';
import { bellText, movedMachineTexts } from './bell.tsx';

const OUTAGE = Date.parse('2026-11-21T13:05:40Z');
test.each([
  [{ open: 0, fresh: 0 }, undefined, 'Meldingen'],
  [{ open: 1, fresh: 1 }, undefined, 'Meldingen: 1 open, 1 nieuw'],
  [{ open: 12, fresh: 0 }, undefined, 'Meldingen: 12 open'],
  [{ open: 1234, fresh: 3 }, undefined, 'Meldingen: 1.234 open, 3 nieuw'],
  [{ open: 2000, hasMore: true, fresh: 0 }, undefined, 'Meldingen: meer dan 2.000 open'],
  [{ open: 12, fresh: 3 }, OUTAGE, 'Meldingen: 12 open, 3 nieuw om 14:05'],
  [{ open: 0, fresh: 0 }, OUTAGE, 'Meldingen'],
])('the accessible text of the bell for %o as of %s is %s (16.8a)', (counts, asOf, expected) => {
  expect(bellText(counts, asOf)).toBe(expected);
});

test('the number of open alerts in the bell does not depend on which alerts the user has seen (53.16)', () => {
  expect(bellText({ open: 12, fresh: 12 })).toContain('12 open');
  expect(bellText({ open: 12, fresh: 0 })).toContain('12 open');
});

test('the bell names the machines that move outside working hours, each with the distance that it has moved so far (53.7)', () => {
  const machine = { serialNumber: 'K-1', alias: 'Kraan 1' };
  const alert = (part: Partial<Alert>): Alert => ({ machine, words: '', ...part }) as Alert;
  expect(movedMachineTexts(undefined)).toEqual([]);
  expect(
    movedMachineTexts([
      alert({ kind: 'low' }),
      alert({ kind: 'moved', words: '7,2 km verplaatst, rijdt 45 km/u, in Zeist' }),
    ]),
  ).toEqual(['Kraan 1: 7,2 km verplaatst, rijdt 45 km/u, in Zeist']);
});
