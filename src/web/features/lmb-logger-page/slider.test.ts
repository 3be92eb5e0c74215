import { expect, test } from 'vitest';
import { positionAt } from './slider.ts';

test('LOG-03 a pointer outside the range is at its end', () => {
  const range = { from: 1_000, to: 2_000 };
  expect([0, 1_000, 1_500.4, 2_000, 9_999].map((instant) => positionAt(range, instant))).toEqual([
    0, 0, 500, 1000, 1000,
  ]);
  expect(positionAt({ from: 5, to: 5 }, 5)).toBe(0);
});
