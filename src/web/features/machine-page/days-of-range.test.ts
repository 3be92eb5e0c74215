import { expect, test } from 'vitest';
import { daysOfRange } from './days-of-range.ts';

const range = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });

test.each([
  [
    'the six whole days and today, for the last seven days',
    '2026-11-14T16:20+01:00',
    '2026-11-21T16:20+01:00',
    15,
    21,
  ],
  [
    'also the first day, for a range from midnight',
    '2026-11-14T00:00+01:00',
    '2026-11-21T00:00+01:00',
    14,
    20,
  ],
  [
    'every day, for a range with a day of 25 hours',
    '2026-10-23T12:00+02:00',
    '2026-10-28T12:00+01:00',
    24,
    28,
  ],
])('daysOfRange returns %s (15.5j)', (_, from, to, first, last) => {
  const days = daysOfRange(range(from, to));
  expect(days.map((day) => Number(day.slice(8)))).toEqual(
    Array.from({ length: last - first + 1 }, (_, n) => first + n),
  );
});

test.each([
  ['a day', '2026-11-20T16:20+01:00', '2026-11-21T16:20+01:00'],
  ['two days', '2026-11-19T00:00+01:00', '2026-11-21T00:00+01:00'],
  ['fifteen days', '2026-11-01T00:00+01:00', '2026-11-16T00:00+01:00'],
  ['ten years', '2016-11-01T00:00+01:00', '2026-11-16T00:00+01:00'],
])('daysOfRange returns no days for a range of %s (15.5j)', (_, from, to) => {
  expect(daysOfRange(range(from, to))).toEqual([]);
});
