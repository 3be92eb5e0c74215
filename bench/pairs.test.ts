import { expect, test } from 'vitest';
import { compare, inPairs } from './pairs.ts';

test('ours and the reference take turns to be first', async () => {
  const order: string[] = [];
  const run = (name: string) => async () => {
    order.push(name);
    return order.length;
  };
  const pairs = await inPairs(3, run('ours'), run('reference'));
  expect(order).toEqual(['ours', 'reference', 'reference', 'ours', 'ours', 'reference']);
  expect(pairs[1]).toEqual({ ours: 4, reference: 3 });
});

test('the ratio is the median of the pairs, not the ratio of the medians', () => {
  const pairs = [
    { ours: 10, reference: 100 },
    { ours: 60, reference: 60 },
    { ours: 30, reference: 50 },
  ];
  expect(compare(pairs, (value) => value)).toEqual({
    ours: 30,
    reference: 60,
    ratio: 0.6,
    rounds: '10/100=0.10  60/60=1.00  30/50=0.60',
  });
});
