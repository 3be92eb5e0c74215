import { expect, test } from 'vitest';
import { DEFAULT_NIGHT_HOURS } from '#shared/domain/periods.ts';
import { customSignalsInAddress, last24Hours, QUICK_RANGES, rangeText } from './history-view.ts';

const at = (iso: string): number => Date.parse(iso);
const NOW = at('2026-11-21T15:20:30Z');

test('the default range is the last 24 hours (MDET-13)', () => {
  expect(rangeText(last24Hours(NOW))).toBe('20-11-26, 16:20 tot 21-11-26, 16:20');
});

test.each([
  ['Laatste 24 uur', NOW, undefined],
  ['Vandaag', NOW, '21-11-26, 00:00 tot 21-11-26, 16:20'],
  ['Gisteren', NOW, '20-11-26, 00:00 tot 21-11-26, 00:00'],
  ['Gisteren', at('2026-10-26T00:30Z'), '25-10-26, 00:00 tot 26-10-26, 00:00'], // 25 hours
  ['Gisteren', at('2026-03-30T21:30Z'), '29-03-26, 00:00 tot 30-03-26, 00:00'], // 23 hours
  ['Afgelopen nacht', NOW, '20-11-26, 18:00 tot 21-11-26, 06:00'],
  ['Afgelopen nacht', at('2026-11-21T02:30Z'), '20-11-26, 18:00 tot 21-11-26, 03:30'],
  ['Laatste 7 dagen', NOW, '14-11-26, 16:20 tot 21-11-26, 16:20'],
])('the quick range %s has the right start and end in Amsterdam (MDET-13, APP-12)', (label, now, text) => {
  const range = QUICK_RANGES.find((quick) => quick.label === label)!.rangeAt(now, DEFAULT_NIGHT_HOURS);
  expect(range && rangeText(range)).toBe(text);
});

test.each([
  ['', []],
  ['signal=Olie+druk&route=on&signal=%3Cb%3E', ['Olie druk', '<b>']],
  ['signal=A&signal=B&signal=A', ['A', 'B']],
  [
    Array.from({ length: 5_000 }, (_, n) => `signal=S${n}`).join('&'),
    ['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7'],
  ],
])('at most eight signals are read from the address, each once: case %# (12.C3)', (search, names) => {
  expect(customSignalsInAddress(new URLSearchParams(search))).toEqual(names);
});
