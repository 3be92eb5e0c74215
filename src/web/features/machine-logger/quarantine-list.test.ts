import { expect, test } from 'vitest';
import type { QuarantinedReadings } from '#shared/contract/writers.ts';
import { quarantinedText, quarantineSummaryOf } from './quarantine-list.tsx';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 13, minute)).toISOString();
const quarantined = (
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
    [quarantined(10, 10, 1, [crane])],
    ['1 meting', 'op 20-11-26, 14:10', 'machine K-1 van organisatie Klant BV'],
  ],
  [
    'a log of two machines',
    [quarantined(10, 40, 1200, [crane, sold])],
    [
      '1.200 metingen',
      'van 20-11-26, 14:10 tot 20-11-26, 14:40',
      'machine K-1 van organisatie Klant BV, machine K-2 van organisatie Koper BV (verwijderd)',
    ],
  ],
  [
    'all files of a logger',
    [quarantined(30, 40, 2, [crane]), quarantined(5, 20, 3, [crane])],
    ['5 metingen', 'van 20-11-26, 14:05 tot 20-11-26, 14:40', 'machine K-1 van organisatie Klant BV'],
  ],
])('quarantined readings are summarized by number, period and machine: %s (12.B6)', (_, all, texts) => {
  const { readings, period, into } = quarantineSummaryOf(all);
  expect([readings, period, into]).toEqual(texts);
});

test('the text says why quarantined readings can no longer be adopted (12.B6)', () => {
  const one = quarantined(10, 10, 1, [crane]);
  const text = '1 meting, op 20-11-26, 14:10';
  expect([one, { ...one, isGone: true }, { ...one, into: [] }].map(quarantinedText)).toEqual([
    `${text}, van machine K-1 van organisatie Klant BV.`,
    `${text}, van machine K-1 van organisatie Klant BV. Het logbestand is er niet meer: overnemen kan niet.`,
    `${text}. De machine van toen is er niet meer.`,
  ]);
});
