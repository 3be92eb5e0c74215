import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsciiText } from './ascii-text.ts';

const textOf = (write: (text: AsciiText) => void): string => {
  const text = new AsciiText(1);
  write(text);
  return text.toBytes().toString('latin1');
};

/** Generates numbers with few digits, arbitrary numbers, and numbers at the limits of what addNumber() writes digit by digit. */
const anyNumber = fc.oneof(
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 9 })).map(([whole, decimals]) => whole / 10 ** decimals),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    -0,
    1e-6,
    9.9e-7,
    1e-7,
    99_999_999.999_999_9,
    1e8,
    1e8 - 1e-7,
    2 ** 53,
    0.1 + 0.2,
    5e-324,
    1e21,
  ),
);

test('numbers are written in the notation of JavaScript, with any decimal point (MDET-12, 14.4a)', () => {
  fc.assert(
    fc.property(fc.array(anyNumber), (numbers) => {
      const written = (point?: number) =>
        textOf((text) => {
          for (const value of numbers) text.addNumber(value, point).add(';');
        });
      const expected = numbers.map((value) => `${value};`).join('');
      expect(written()).toBe(expected);
      expect(written(','.charCodeAt(0))).toBe(expected.replaceAll('.', ','));
    }),
    { numRuns: 500 },
  );
});

test('addDigits pads a number with zeros to the given number of digits (MDET-12)', () => {
  expect(textOf((text) => text.addDigits(7, 3).addDigits(59, 2).addDigits(0, 1))).toBe('007590');
});
