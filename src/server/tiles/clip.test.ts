import { expect, test } from 'vitest';
import { clipLine, clipRing } from './clip.ts';

const BOX = { minX: 0, minY: 0, maxX: 10, maxY: 10 };

/** Twice the surface of a ring would be this over 1; the shoelace formula. */
function surface(ring: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += ring[at]! * ring[next + 1]! - ring[next]! * ring[at + 1]!;
  }
  return Math.abs(twice) / 2;
}

test.each([
  ['inside', [2, 2, 8, 2, 8, 8, 2, 8], 36],
  ['around the box', [-5, -5, 15, -5, 15, 15, -5, 15], 100],
  ['across one side', [5, 2, 15, 2, 15, 8, 5, 8], 30],
  ['across a corner', [5, 5, 15, 5, 15, 15, 5, 15], 25],
  ['a diamond over all sides', [5, -3, 13, 5, 5, 13, -3, 5], 100 - 4 * 2],
  ['beside the box', [11, 0, 20, 0, 20, 10, 11, 10], 0],
  ['nothing', [], 0],
])('MAP-02 a ring %s keeps the surface that is in the box', (_, ring, expected) => {
  const cut = clipRing(ring, BOX);
  expect(surface(cut)).toBeCloseTo(expected, 9);
  expect(cut.every((value) => value >= 0 && value <= 10)).toBe(true);
});

test.each([
  ['inside stays one piece', [1, 1, 5, 5, 9, 1], [[1, 1, 5, 5, 9, 1]]],
  ['crossing is cut at both sides', [-5, 5, 15, 5], [[0, 5, 10, 5]]],
  [
    'leaving and coming back is two pieces',
    [5, 5, 15, 5, 15, 8, 5, 8],
    [
      [5, 5, 10, 5],
      [10, 8, 5, 8],
    ],
  ],
  ['passing a corner outside is none', [-3, 2, 2, -3], []],
  ['beside the box is none', [11, 0, 11, 10], []],
])('MAP-02 a line %s', (_, line, pieces) => {
  expect(clipLine(line, BOX)).toEqual(pieces);
});
