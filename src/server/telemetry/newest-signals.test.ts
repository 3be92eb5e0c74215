import { expect, test } from 'vitest';
import { MOST_NAMES, mergeNewest, type NewestSignals } from './newest-signals.ts';

const at = (time: number, signals: Record<string, number>, since = time) => ({ time, since, signals });

test.each<[string, NewestSignals, ReturnType<typeof at>[], NewestSignals]>([
  ['a later value', { Oil: [1, 10] }, [at(20, { Oil: 2 })], { Oil: [2, 20] }],
  ['an earlier one stays out', { Oil: [1, 10] }, [at(5, { Oil: 2, Air: 3 })], { Oil: [1, 10], Air: [3, 5] }],
  ['of one instant what was there stays', { Oil: [1, 10] }, [at(10, { Oil: 2 })], { Oil: [1, 10] }],
  [
    'but the larger flag counts',
    { IsCharging1: [0, 10] },
    [at(10, { IsCharging1: 1 })],
    { IsCharging1: [1, 10] },
  ],
  // L1: ahead of its clock with 20, a second later right with 80.
  [
    'what ran ahead counts from when it came in',
    { Soc1: [20, 10] },
    [at(11, { Soc1: 80 })],
    { Soc1: [80, 11] },
  ],
  [
    'two that ran ahead, received at once: the later',
    {},
    [at(90, { Soc1: 1 }, 10), at(80, { Soc1: 2 }, 10)],
    { Soc1: [2, 10] },
  ],
])('%s (LIVE-03, 12.A9)', (_, known, heard, expected) => {
  expect(mergeNewest(known, heard)).toEqual({ signals: expected, leftOut: 0 });
});

test('of more names than have a place ours stay, and then the newest (INGEST-03)', () => {
  const many = Object.fromEntries(Array.from({ length: MOST_NAMES }, (_, n) => [`Name ${n}`, n]));
  const { signals, leftOut } = mergeNewest({ Soc1: [80, 1] }, [at(2, many)]);
  expect(leftOut).toBe(1);
  expect(Object.keys(signals)).toHaveLength(MOST_NAMES);
  expect(signals.Soc1).toEqual([80, 1]);
});
