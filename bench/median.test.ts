import { expect, test } from 'vitest';
import { median, percentile } from './median.ts';

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
  [[10, 9, 100], 10], // by value, not by text
] as const)('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test.each([
  [[7], 0.99, 7],
  [[40, 10, 30, 20], 0.5, 20],
  [[40, 10, 30, 20], 0.51, 30],
  [[40, 10, 30, 20], 1, 40],
] as const)('of %j the share %d does not exceed %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test('nothing has neither', () => {
  expect(() => median([])).toThrow('nothing');
  expect(() => percentile([], 0.5)).toThrow('nothing');
});
