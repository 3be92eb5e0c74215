import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampRangeToLimits, pinchedRange, scaleRange } from './zoom-range.ts';

const LIMITS = { from: 0, to: 1000 };

test.each([
  [
    { from: 200, to: 300 },
    { from: 200, to: 300 },
  ],
  [
    { from: -50, to: 50 },
    { from: 0, to: 100 },
  ],
  [
    { from: 950, to: 1050 },
    { from: 900, to: 1000 },
  ],
  [{ from: -500, to: 5000 }, LIMITS],
  [
    { from: 500, to: 501 },
    { from: 495.5, to: 505.5 },
  ], // never shorter than 10
])('the range %j within the limits is %j (LOG-03)', (range, expected) => {
  expect(clampRangeToLimits(range, LIMITS, 10)).toEqual(expected);
});

test('zooming around a time keeps that time at the same place in the chart (LOG-03)', () => {
  expect(scaleRange({ from: 100, to: 300 }, 0.5, 150)).toEqual({ from: 125, to: 225 });
  expect(scaleRange({ from: 125, to: 225 }, 2, 150)).toEqual({ from: 100, to: 300 });
});

test('a zoom with two fingers keeps the times that the fingers first touched below the fingers (LOG-03)', () => {
  expect(pinchedRange([400, 600], [0.25, 0.75])).toEqual({ from: 300, to: 700 });
  expect(pinchedRange([400, 600], [0.75, 0.25])).toBeUndefined();
  expect(pinchedRange([400, 400], [0.5, 0.5])).toBeUndefined();
});

test('a zoomed range stays within the limits, in order, and at least as long as the minimum (LOG-03)', () => {
  const number = fc.integer({ min: -2_000, max: 3_000 });
  fc.assert(
    fc.property(number, number, (a, b) => {
      const { from, to } = clampRangeToLimits({ from: Math.min(a, b), to: Math.max(a, b) }, LIMITS, 10);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(1000 + 1e-9);
      expect(to - from).toBeGreaterThanOrEqual(10 - 1e-9);
    }),
  );
});
