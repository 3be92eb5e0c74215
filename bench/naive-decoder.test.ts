import { expect, test } from 'vitest';
import { scaleOf } from './naive-decoder.ts';

test.each([
  [1, 0, { factor: 1n, offset: 0n, decimals: 0 }],
  [0.25, -40, { factor: 25n, offset: -4000n, decimals: 2 }],
  [100, 0.5, { factor: 1000n, offset: 5n, decimals: 1 }],
  [1e-7, 0, { factor: 1n, offset: 0n, decimals: 7 }],
  [1.5e-7, 1e21, { factor: 15n, offset: 10n ** 29n, decimals: 8 }],
  [-0.1, 0, { factor: -1n, offset: 0n, decimals: 1 }],
])('factor %d and offset %d as whole numbers', (factor, offset, expected) => {
  expect(scaleOf(factor, offset)).toEqual(expected);
});
