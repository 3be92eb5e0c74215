import { expect, test } from 'vitest';
import { powerKw } from './power.ts';

test.each<[string, number | undefined, number | undefined, number | undefined]>([
  ['discharging', 50, 640, 32],
  ['charging or braking', -50, 640, -32],
  ['no voltage: 700 V', 50, undefined, 35],
  ['no current', undefined, 640, undefined],
  ['a current of 0', 0, undefined, 0],
  ['a voltage of 0 is a voltage', 50, 0, 0],
  ['NaN', Number.NaN, 640, undefined],
])('MDET-05 power: %s', (_name, amps, volts, expected) => {
  expect(powerKw(amps, volts)).toBe(expected);
});
