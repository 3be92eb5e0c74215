import { expect, test } from 'vitest';
import { tickLabel, timeTicks } from './time-ticks.ts';

const at = (iso: string): number => Date.parse(iso) / 1000;
const labels = (from: string, to: string, count: number): string[] => {
  const ticks = timeTicks(at(from), at(to), count);
  return ticks.map((time) => tickLabel(time, (ticks[1] ?? time) - (ticks[0] ?? time)));
};

test.each([
  ['a day', '2026-11-20T15:20Z', '2026-11-21T15:20Z', 6, ['18:00', '21-11', '06:00', '12:00']],
  ['an hour', '2026-07-01T10:00Z', '2026-07-01T11:00Z', 4, ['12:00', '12:15', '12:30', '12:45', '13:00']],
  [
    'a minute',
    '2026-07-01T10:00:05Z',
    '2026-07-01T10:01:05Z',
    4,
    ['12:00:15', '12:00:30', '12:00:45', '12:01:00'],
  ],
  ['spring', '2026-03-28T23:00Z', '2026-03-29T22:00Z', 6, ['29-03', '06:00', '12:00', '18:00', '30-03']],
  ['autumn', '2026-10-24T22:00Z', '2026-10-25T23:00Z', 5, ['25-10', '06:00', '12:00', '18:00', '26-10']],
  ['a week', '2026-11-14T12:00Z', '2026-11-21T12:00Z', 4, ['16-11', '18-11', '20-11']],
  ['a point', '2026-11-21T12:00Z', '2026-11-21T12:00Z', 4, ['13:00']],
])('the ticks of %s are round times in Amsterdam (APP-12)', (_, from, to, count, expected) => {
  expect(labels(from, to, count)).toEqual(expected);
});

test('an axis of ten years has few ticks, whose labels contain the year (APP-12)', () => {
  const marks = labels('2016-11-21T00:00Z', '2026-11-21T00:00Z', 8);
  expect(marks.length).toBeLessThanOrEqual(9);
  expect(marks[0]).toMatch(/^\d\d-\d\d-\d\d$/);
});
