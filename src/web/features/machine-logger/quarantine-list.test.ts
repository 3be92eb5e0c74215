import { expect, test } from 'vitest';
import type { QuarantinedReadings } from '#shared/contract/writers.ts';
import { heldInWords, summaryOf } from './quarantine-list.tsx';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 13, minute)).toISOString();
const held = (
  from: number,
  to: number,
  readings: number,
  into: QuarantinedReadings['into'],
): QuarantinedReadings => ({
  from: at(from),
  to: at(to),
  readings,
  isGone: false,
  into,
});
const crane = { serial: 'K-1', organization: 'Klant BV', isDeleted: false };
const sold = { serial: 'K-2', organization: 'Koper BV', isDeleted: true };

test.each([
  [
    'one reading',
    [held(10, 10, 1, [crane])],
    ['1 meting', 'op 20-11-26, 14:10', 'machine K-1 van organisatie Klant BV'],
  ],
  [
    'a log of two machines',
    [held(10, 40, 1200, [crane, sold])],
    [
      '1.200 metingen',
      'van 20-11-26, 14:10 tot 20-11-26, 14:40',
      'machine K-1 van organisatie Klant BV, machine K-2 van organisatie Koper BV (verwijderd)',
    ],
  ],
  [
    'all of a logger',
    [held(30, 40, 2, [crane]), held(5, 20, 3, [crane])],
    ['5 metingen', 'van 20-11-26, 14:05 tot 20-11-26, 14:40', 'machine K-1 van organisatie Klant BV'],
  ],
])(
  '12.B6 before it is taken over it says how many, from when to when, and into what: %s',
  (_, all, words) => {
    const { readings, period, into } = summaryOf(all);
    expect([readings, period, into]).toEqual(words);
  },
);

test('12.B6 what cannot be taken over any more says why', () => {
  const one = held(10, 10, 1, [crane]);
  const words = '1 meting, op 20-11-26, 14:10';
  expect([one, { ...one, isGone: true }, { ...one, into: [] }].map(heldInWords)).toEqual([
    `${words}, van machine K-1 van organisatie Klant BV.`,
    `${words}, van machine K-1 van organisatie Klant BV. Het logbestand is er niet meer: overnemen kan niet.`,
    `${words}. De machine van toen is er niet meer.`,
  ]);
});
