import { expect, test } from 'vitest';
import { understoodAs } from './number-field.tsx';

test.each([
  ['1.234', 'Gelezen als 1234 uur'],
  ['1.234,5', 'Gelezen als 1234,5 uur'],
  ['1234,5', 'Gelezen als 1234,5 uur'],
  ['1234.5', 'Gelezen als 1234,5 uur'],
  ['1,234', 'Gelezen als 1,234 uur'],
  ['1234', undefined],
  [' ', undefined],
  ['veel', undefined],
])('52.9 a number field says of %j %j', (text, words) =>
  expect(understoodAs(text, undefined, 'uur')).toBe(words),
);

test('52.9 a number field says what its own rules make of a dot', () => {
  expect(understoodAs('1.234', { dot: 'decimal' })).toBe('Gelezen als 1,234');
  expect(understoodAs('-5', { isSigned: true })).toBe('Gelezen als -5');
});
