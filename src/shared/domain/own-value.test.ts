import { expect, test } from 'vitest';
import { getOwnProperty } from './own-value.ts';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'Soc1'];

test.each(NAMES)(
  'getOwnProperty returns undefined for %s when the object has no entry of its own with that name',
  (name) => {
    expect(getOwnProperty({} as Record<string, number>, name)).toBeUndefined();
    expect(getOwnProperty(undefined, name)).toBeUndefined();
  },
);

test.each(NAMES)('getOwnProperty returns an object’s own entry with the name %s', (name) => {
  expect(getOwnProperty(JSON.parse(`{"${name}":2}`), name)).toBe(2);
});
