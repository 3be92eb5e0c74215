import { expect, test } from 'vitest';
import { daysOfRange } from './days-of-range.ts';

const range = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });

test.each([
  [
    'the last seven days: the six whole ones and today',
    '2026-11-14T16:20+01:00',
    '2026-11-21T16:20+01:00',
    15,
    21,
  ],
  ['from a midnight that day too', '2026-11-14T00:00+01:00', '2026-11-21T00:00+01:00', 14, 20],
  ['where a day has 25 hours', '2026-10-23T12:00+02:00', '2026-10-28T12:00+01:00', 24, 28],
])('15.5j %s', (_, from, to, first, last) => {
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
])('15.5j %s have no bars', (_, from, to) => {
  expect(daysOfRange(range(from, to))).toEqual([]);
});
