import { expect, test } from 'vitest';
import { isEnumeration, isFlagSignal } from './signal-shape.ts';

const values = (...names: string[]) => new Map(names.map((name, value) => [value, name]));

test.each<[string, Omit<Parameters<typeof isFlagSignal>[0], 'unit'>, boolean]>([
  ['of an unknown size', {}, true],
  ['one bit', { bitCount: 1, max: 1 }, true],
  ['two bits', { bitCount: 2, max: 3 }, true],
  [
    'two bits, two of whose values mean a missing value',
    { bitCount: 2, values: values('Off', 'On', 'Error', 'SNA') },
    true,
  ],
  ['two bits with three states', { bitCount: 2, values: values('None', 'AC', 'DC') }, false],
  ['two bits, of which 2 is on', { bitCount: 2, values: values('UNKNOWN', 'Off', 'On') }, false],
  ['a byte up to 1', { bitCount: 8, max: 1 }, true],
  ['a byte', { bitCount: 8, max: 255 }, false],
  ['a byte without a range', { bitCount: 8, max: 0 }, false],
])('isFlag says whether the values of a signal mean on and off: %s (12.A11)', (_, shape, expected) => {
  expect(isFlagSignal({ unit: '', ...shape })).toBe(expected);
});

test.each<[string, Parameters<typeof isEnumeration>[0], boolean]>([
  ['no names', { unit: '' }, false],
  ['three states', { unit: '', values: values('Maximum', 'Reduced', 'Minimum') }, true],
  ['a name for a missing value', { unit: '', values: values('ESP_VEHICLE_SPEED_SNA') }, false],
  ['names beside a unit', { unit: 'km/h', values: values('NONE', 'STANDSTILL') }, false],
])(
  'isEnumeration says whether the values of a signal are named states: %s (12.A11)',
  (_, signal, expected) => {
    expect(isEnumeration(signal)).toBe(expected);
  },
);
