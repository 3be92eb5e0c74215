import { expect, test } from 'vitest';
import { hasTimeRangeErrors, rangeErrors, rangeOfDay } from './time-range.ts';

const at = (iso: string) => Date.parse(iso);
const NOW = at('2026-11-21T12:00:30Z');

test.each([
  ['2026-10-25', { from: at('2026-10-24T22:00:00Z'), to: at('2026-10-25T23:00:00Z') }], // 25 hours
  ['2026-11-21', { from: at('2026-11-20T23:00:00Z'), to: at('2026-11-21T12:00:00Z') }],
  ['2026-11-22', { from: at('2026-11-21T23:00:00Z'), to: at('2026-11-21T23:00:00Z') }],
  ['gisteren', undefined],
])('rangeOfDay returns the whole day %s, and for today the past part (MDET-13, LOG-04)', (date, range) => {
  expect(rangeOfDay(date, NOW)).toEqual(range);
});

test.each([
  [0, 0, {}],
  [-60, 0, {}],
  [0, -1, { from: 'De begintijd ligt na de eindtijd.' }],
  [-60, 1, { to: 'De eindtijd ligt in de toekomst.' }],
  [5, 2, { from: 'De begintijd ligt na de eindtijd.', to: 'De eindtijd ligt in de toekomst.' }],
])(
  'rangeErrors checks a range from %i to %i minutes from now (MDET-13, LOG-04, API-03)',
  (from, to, errors) => {
    const found = rangeErrors({ from: NOW + from * 60_000, to: NOW + to * 60_000 }, NOW);
    expect(found).toEqual(errors);
    expect(hasTimeRangeErrors(found)).toBe(Object.keys(errors).length > 0);
  },
);
