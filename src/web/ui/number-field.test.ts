import { expect, test } from 'vitest';
import { parsedNumberText } from './number-field.tsx';

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
  expect(parsedNumberText(text, undefined, 'uur')).toBe(expected),
);

test('a number field shows how its own parsing rules read a typed number (52.9)', () => {
  expect(parsedNumberText('1.234', { dot: 'decimal' })).toBe('Gelezen als 1,234');
  expect(parsedNumberText('-5', { isSigned: true })).toBe('Gelezen als -5');
});
