import { expect, test } from 'vitest';
import { formatExactNumber, formatNumber } from './nl.ts';
import { parseTypedNumber } from './typed-number.ts';

test.each([
  ['1.234', 1234],
  ['1.234,5', 1234.5],
  ['1234,5', 1234.5],
  ['1234.5', 1234.5],
  ['1,234', 1.234],
  ['1.234.567', 1_234_567],
  ['1.234.567,89', 1_234_567.89],
  ['12.345', 12_345],
  ['1 234', 1234],
  ['1\u00a0234\u202f567,5', 1_234_567.5],
  ['1,234.5', 1234.5],
  ['1,234,567', 1_234_567],
  ['0.234', 0.234],
  ['0,5', 0.5],
  ['12.34', 12.34],
  ['1234.567', 1234.567],
  ['01.234', 1.234],
  ['0001234', 1234],
  ['1.2345', 1.2345],
  [' 90.25 ', 90.25],
  ['5,', 5],
  [',5', 0.5],
  ['0', 0],
])('parseTypedNumber reads %j as %j (52.9)', (text, value) => expect(parseTypedNumber(text)).toBe(value));

test.each([
  '',
  ' ',
  '.',
  ',',
  '1.2.3',
  '1.234.5',
  '12,34,5',
  '1.23,4',
  '1234.567,8',
  '1 23',
  '1. 234',
  '.234,5',
])('parseTypedNumber returns undefined for %j (52.9)', (text) =>
  expect(parseTypedNumber(text)).toBeUndefined(),
);

test.each(['-1', '+1', '1e3', '12abc', '1.234 uur', '0x10', 'Infinity', '١٢', '１２', '1\n2', "1'234"])(
  'parseTypedNumber returns undefined for %j where a number of 0 or more is asked (52.9)',
  (text) => expect(parseTypedNumber(text)).toBeUndefined(),
);

test.each([
  ['1.234', 1.234],
  ['-40.125', -40.125],
  ['−0,1', -0.1],
  ['–5', -5],
  ['+5', 5],
  ['-0', 0],
  ['1e-7', 1e-7],
  ['1,5E3', 1500],
  ['1e999', undefined],
  ['1.234,5', 1234.5],
  ['1.234.567', 1_234_567],
])(
  'parseTypedNumber reads %j as %j in a signed field where a dot is the decimal sign (52.9)',
  (text, value) => expect(parseTypedNumber(text, { dot: 'decimal', isSigned: true })).toBe(value),
);

test.each([0, 1, 90.5, 1.234, 123456.75, 1234, 1000, 0.001])(
  'parseTypedNumber reads back %d as the portal writes it (52.9)',
  (number) => {
    expect(parseTypedNumber(formatExactNumber(number))).toBe(number);
    expect(parseTypedNumber(formatExactNumber(number), { dot: 'decimal' })).toBe(number);
    expect(parseTypedNumber(formatNumber(number))).toBe(number);
  },
);

test.each([1e-7, -0.0039, 1e21])(
  'parseTypedNumber reads back the factor %d as the portal writes it (52.9)',
  (factor) =>
    expect(parseTypedNumber(formatExactNumber(factor), { dot: 'decimal', isSigned: true })).toBe(factor),
);
