import { expect, test } from 'vitest';
import { ownValue } from './own-value.ts';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'Soc1'];

test.each(NAMES)('an object without an entry of its own has no value for %s', (name) => {
  expect(ownValue({} as Record<string, number>, name)).toBeUndefined();
  expect(ownValue(undefined, name)).toBeUndefined();
});

test.each(NAMES)('an entry of its own is read under the name %s', (name) => {
  expect(ownValue(JSON.parse(`{"${name}":2}`), name)).toBe(2);
});
