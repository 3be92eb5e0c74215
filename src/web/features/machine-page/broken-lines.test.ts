import { expect, test } from 'vitest';
import { breakAtGaps, nearestIndex } from './broken-lines.ts';

test('the line of every column is broken at a gap in the readings (MDET-04)', () => {
  const { times, columns } = breakAtGaps(
    [0, 60, 120, 600, 660],
    [
      [1, 2, 3, 4, 5],
      [9, null, 7, 6, 5],
    ],
    90,
  );
  expect(times).toEqual([0, 60, 120, 165, 600, 660]);
  expect(columns).toEqual([
    [1, 2, 3, null, 4, 5],
    [9, null, 7, null, 6, 5],
  ]);
});

test('a chart without readings has no points (MDET-04)', () => {
  expect(breakAtGaps([], [[]], 90)).toEqual({ times: [], columns: [[]] });
});

test.each([
  [[], 5, -1],
  [[10], 99, 0],
  [[10, 20, 30], 5, 0],
  [[10, 20, 30], 14, 0],
  [[10, 20, 30], 15, 0], // in the middle, the earlier one counts
  [[10, 20, 30], 16, 1],
  [[10, 20, 30], 30, 2],
  [[10, 20, 30], 99, 2],
])('the time in %j that is nearest to %i has index %i (MDET-12)', (times, time, index) => {
  expect(nearestIndex(times, time)).toBe(index);
});
