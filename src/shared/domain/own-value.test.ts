import { expect, test } from 'vitest';
import { ownValue } from './own-value.ts';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'Soc1'];

test.each(NAMES)('returns no value for %s of an object without an own entry', (name) => {
  expect(ownValue({} as Record<string, number>, name)).toBeUndefined();
  expect(ownValue(undefined, name)).toBeUndefined();
});

test.each(NAMES)('reads an own entry with the name %s', (name) => {
  expect(ownValue(JSON.parse(`{"${name}":2}`), name)).toBe(2);
});
