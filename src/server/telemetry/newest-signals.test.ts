import { expect, test } from 'vitest';
import { MAX_LATEST_SIGNALS, mergeNewest, type NewestSignals } from './newest-signals.ts';

const at = (time: number, signals: Record<string, number>, since = time) => ({ time, since, signals });

test.each<[string, NewestSignals, ReturnType<typeof at>[], NewestSignals]>([
  ['a later value', { Oil: [1, 10] }, [at(20, { Oil: 2 })], { Oil: [2, 20] }],
  [
    'an earlier value is ignored',
    { Oil: [1, 10] },
    [at(5, { Oil: 2, Air: 3 })],
    { Oil: [1, 10], Air: [3, 5] },
  ],
  ['of one instant the stored value stays', { Oil: [1, 10] }, [at(10, { Oil: 2 })], { Oil: [1, 10] }],
  [
    'but the larger flag counts',
    { IsCharging1: [0, 10] },
    [at(10, { IsCharging1: 1 })],
    { IsCharging1: [1, 10] },
  ],
  // The logger's clock was fast when it sent the value 20, and correct a second later when it sent 80.
  [
    'a value from the future counts from when it was received',
    { Soc1: [20, 10] },
    [at(11, { Soc1: 80 })],
    { Soc1: [80, 11] },
  ],
  [
    'of two values from the future that were received together the later counts',
    {},
    [at(90, { Soc1: 1 }, 10), at(80, { Soc1: 2 }, 10)],
    { Soc1: [2, 10] },
  ],
])('the newest value of each signal is kept: %s (LIVE-03, 12.A9)', (_, known, received, expected) => {
  expect(mergeNewest(known, received)).toEqual({ signals: expected, leftOut: 0 });
});

test("when there are too many signals, the portal's are kept, followed by the newest ones (INGEST-03)", () => {
  const many = Object.fromEntries(Array.from({ length: MAX_LATEST_SIGNALS }, (_, n) => [`Name ${n}`, n]));
  const { signals, leftOut } = mergeNewest({ Soc1: [80, 1] }, [at(2, many)]);
  expect(leftOut).toBe(1);
  expect(Object.keys(signals)).toHaveLength(MAX_LATEST_SIGNALS);
  expect(signals.Soc1).toEqual([80, 1]);
});
