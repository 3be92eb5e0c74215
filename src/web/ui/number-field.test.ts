import { expect, test } from 'vitest';
import { parsedText } from './number-field.tsx';

test.each([
  ['1.234', 'Gelezen als 1234 uur'],
  ['1.234,5', 'Gelezen als 1234,5 uur'],
  ['1234,5', 'Gelezen als 1234,5 uur'],
  ['1234.5', 'Gelezen als 1234,5 uur'],
  ['1,234', 'Gelezen als 1,234 uur'],
  ['1234', undefined],
  [' ', undefined],
  ['veel', undefined],
])('a number field with %j shows %j (52.9)', (text, expected) =>
  expect(parsedText(text, undefined, 'uur')).toBe(expected),
);

test('a number field shows the number as its own rules parse it (52.9)', () => {
  expect(parsedText('1.234', { dot: 'decimal' })).toBe('Gelezen als 1,234');
  expect(parsedText('-5', { isSigned: true })).toBe('Gelezen als -5');
});
