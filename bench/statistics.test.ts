import { expect, test } from 'vitest';
import { comparePairs, median, percentile, runInPairs } from './statistics.ts';

test.each([
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
  [[10, 9, 100], 10], // by value, not by text
] as const)('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test.each([
  [[40, 10, 30, 20], 0.5, 20],
  [[40, 10, 30, 20], 0.51, 30],
  [[40, 10, 30, 20], 1, 40],
] as const)('percentile of %j at %d is %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test('median and percentile throw for an empty list', () => {
  expect(() => median([])).toThrow('No values');
  expect(() => percentile([], 0.5)).toThrow('No values');
});

test('runInPairs alternates between running ours first and the reference first', async () => {
  const order: string[] = [];
  const run = (name: string) => async () => order.push(name);
  const pairs = await runInPairs(3, run('ours'), run('reference'));
  expect(order).toEqual(['ours', 'reference', 'reference', 'ours', 'ours', 'reference']);
  expect(pairs[1]).toEqual({ ours: 4, reference: 3 });
});

test('comparePairs returns the median of the ratios of the pairs, not the ratio of the medians', () => {
  const pairs = [
    { ours: 10, reference: 100 },
    { ours: 60, reference: 60 },
    { ours: 30, reference: 50 },
  ];
  expect(comparePairs(pairs)).toEqual({
    ours: 30,
    reference: 60,
    ratio: 0.6,
    rounds: '10/100=0.10  60/60=1.00  30/50=0.60',
  });
});
