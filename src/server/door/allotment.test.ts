import { expect, test } from 'vitest';
import { Allotment } from './allotment.ts';

test('INGEST-03 shares are bounded per key and in total, and come back', () => {
  const places = new Allotment({ perKey: 2, total: 3 });
  expect([places.take('a', 1), places.take('a', 1), places.take('a', 1)]).toEqual([true, true, false]);
  expect([places.take('b', 2), places.take('b', 1), places.take('c', 1)]).toEqual([false, true, false]);
  places.giveBack('a', 1);
  expect([places.take('c', 1), places.take('c', 1)]).toEqual([true, false]);
  places.giveBack('a', 1);
  places.giveBack('b', 1);
  places.giveBack('c', 1);
  expect([places.take('d', 2), places.take('e', 1)]).toEqual([true, true]);
});
