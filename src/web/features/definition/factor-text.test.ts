import { expect, test } from 'vitest';
import { factorFault, numberText, offsetFault, readNumber } from './factor-text.ts';

test.each<[string, number | undefined]>([
  ['0,1', 0.1],
  [' 0.1 ', 0.1],
  ['-40', -40],
  ['−40', -40],
  ['+2', 2],
  ['1,', 1],
  [',5', 0.5],
  ['1e-7', 1e-7],
  ['1,5E3', 1500],
  ['', undefined],
  ['-', undefined],
  [',', undefined],
  ['1.000,5', undefined],
  ['12abc', undefined],
  ['0x10', undefined],
  ['1e999', undefined],
  ['Infinity', undefined],
])('MEDIT-12 a factor typed as %j is %s', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test.each([0.1, -40, 1e-7, 1.5e22, 0.0039, 3])('MEDIT-12 %d is read back as it was shown', (value) => {
  expect(readNumber(numberText(value))).toBe(value);
});

test.each([
  ['', undefined, undefined],
  ['2,5', undefined, undefined],
  ['0', /niet 0/, undefined],
  ['0,000', /niet 0/, undefined],
  ['1e-400', /niet 0/, undefined],
  ['veel', /getal/, /getal/],
] as const)('MEDIT-12 %j as a factor and as an offset', (text, factor, offset) => {
  for (const [fault, expected] of [
    [factorFault(text), factor],
    [offsetFault(text), offset],
  ] as const) {
    if (expected) expect(fault).toMatch(expected);
    else expect(fault).toBeUndefined();
  }
});
