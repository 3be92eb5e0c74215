import { expect, test } from 'vitest';
import { workHoursLeft } from './work-time.ts';

test.each<[string, number | undefined, number | undefined, number | undefined]>([
  ['40 kWh at 16 kW', 40, 16, 2.5],
  ['empty', 0, 16, 0],
  ['below empty', -1, 16, 0],
  ['power zero', 40, 0, undefined],
  ['power negative', 40, -5, undefined],
  ['power unknown', 40, undefined, undefined],
  ['remaining unknown', undefined, 16, undefined],
  ['power NaN', 40, Number.NaN, undefined],
  ['remaining NaN', Number.NaN, 16, undefined],
  ['power next to nothing', 40, Number.MIN_VALUE, undefined],
])('MDET-05 remaining work time: %s', (_name, remaining, power, expected) => {
  expect(workHoursLeft(remaining, power)).toBe(expected);
});
