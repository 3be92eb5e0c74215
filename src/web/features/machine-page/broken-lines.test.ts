import { expect, test } from 'vitest';
import { brokenAtHoles, nearestIndex } from './broken-lines.ts';

test('MDET-04 a hole in the readings is a hole in the line, in every column', () => {
  const { times, columns } = brokenAtHoles(
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

test('MDET-04 without readings there is nothing', () => {
  expect(brokenAtHoles([], [[]], 90)).toEqual({ times: [], columns: [[]] });
});

test.each([
  [[], 5, -1],
  [[10], 99, 0],
  [[10, 20, 30], 5, 0],
  [[10, 20, 30], 14, 0],
  [[10, 20, 30], 15, 0], // in the middle: the earlier
  [[10, 20, 30], 16, 1],
  [[10, 20, 30], 30, 2],
  [[10, 20, 30], 99, 2],
])('MDET-12 nearest in %j to %i is %i', (times, time, index) => {
  expect(nearestIndex(times, time)).toBe(index);
});
