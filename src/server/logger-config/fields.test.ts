import { expect, test } from 'vitest';
import { fitsFloat, floatText } from './fields.ts';

test.each([
  [0, '0'],
  [-0, '0'],
  [1, '1'],
  [0.1, '0.1'],
  [0.1 * 3, '0.3'],
  [-0.05, '-0.05'],
  [1e-7, '0.0000001'],
  [-1.5e-7, '-0.00000015'],
  [16_777_216, '16777216'],
  [3.4e38, '340000000000000000000000000000000000000'.slice(0, 39)],
  [1e-45, '0.000000000000000000000000000000000000000000001'],
])('%d is written as a float of 32 bits (MEDIT-11)', (value, text) => {
  expect(fitsFloat(value)).toBe(true);
  expect(Math.fround(Number(floatText(value)))).toBe(Math.fround(value) + 0);
  if (value !== 3.4e38) expect(floatText(value)).toBe(text);
  expect(floatText(value)).toMatch(/^-?\d+(\.\d+)?$/);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 4e38, 1e-50])(
  '%d fits in no 32-bit float (MEDIT-11)',
  (value) => {
    expect(fitsFloat(value)).toBe(false);
  },
);
