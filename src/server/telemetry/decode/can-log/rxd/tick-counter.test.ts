import { describe, expect, test } from 'vitest';
import { TickCounter } from './tick-counter.ts';

const TURN = 2 ** 32;
const HOUR = 360_000_000;

/** Returns the unwrapped ticks of records that one counter receives in this order. */
const counted = (records: readonly (readonly [uid: number, tick: number])[]): number[] => {
  const counter = new TickCounter(8);
  return records.map(([uid, tick]) => counter.count(uid, tick));
};

describe('the tick counter of 32 bits (43.1)', () => {
  test.each<[string, [number, number][], number[]]>([
    [
      'continues after it wraps around',
      [
        [1, TURN - 5],
        [1, 3],
        [1, 9],
      ],
      [TURN - 5, TURN + 3, TURN + 9],
    ],
    [
      'accepts a small step backwards',
      [
        [1, 900],
        [1, 600],
        [1, 901],
      ],
      [900, 600, 901],
    ],
    [
      'accepts a step back over a wrap-around',
      [
        [1, TURN - 5],
        [1, 3],
        [1, TURN - 4],
        [1, 4],
      ],
      [TURN - 5, TURN + 3, TURN - 4, TURN + 4],
    ],
    [
      'may begin just after a wrap-around and step back over it',
      [
        [1, 3],
        [2, TURN - 4],
      ],
      [3, -4],
    ],
    [
      'is right after ten hours of silence',
      [
        [1, 7],
        [1, 10 * HOUR],
      ],
      [7, 10 * HOUR],
    ],
    [
      'wraps around during ten hours of silence',
      [
        [1, TURN - HOUR],
        [1, 9 * HOUR],
      ],
      [TURN - HOUR, TURN + 9 * HOUR],
    ],
    [
      'wraps around before a uid has its first record',
      [
        [1, TURN - 5],
        [1, 3],
        [2, 8],
      ],
      [TURN - 5, TURN + 3, TURN + 8],
    ],
    [
      'wraps around for each of several uids at another record',
      [
        [1, TURN - 5],
        [2, TURN - 2],
        [1, 3],
        [2, TURN - 1],
        [2, 6],
      ],
      [TURN - 5, TURN - 2, TURN + 3, TURN - 1, TURN + 6],
    ],
  ])('the tick counter %s', (_, records, expected) => {
    expect(counted(records)).toEqual(expected);
  });

  test('the tick counter is right for a block (uid) of the .rxd file that was silent while the counter wrapped around more than once', () => {
    const others = Array.from({ length: 30 }, (_, n): [number, number] => [1, (n * HOUR) % TURN]);
    expect(counted([[2, 40], ...others, [2, (29 * HOUR + 50) % TURN]]).at(-1)).toBe(29 * HOUR + 50);
  });

  test('the tick counter stays right for the other blocks (uids) of an .rxd file when one block has an impossible tick', () => {
    expect(
      counted([
        [1, 100],
        [2, 101],
        [1, 5 * HOUR],
        [2, 104],
        [2, 105],
      ]),
    ).toEqual([100, 101, 5 * HOUR, 104, 105]);
  });
});
