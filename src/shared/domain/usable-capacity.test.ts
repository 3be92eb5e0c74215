import { describe, expect, test } from 'vitest';
import { levelRisePoints, roundTripEfficiency, usableCapacity } from './usable-capacity.ts';

describe('usable capacity (14.2f)', () => {
  test.each([
    ['equal weights without capacities', [20, 40], [60, 60], [null, null], 30],
    ['by the entered capacities', [20, 40], [60, 60], [300, 100], 35],
    ['equal weights where one is not entered', [20, 40], [60, 60], [300, null], 30],
    ['a machine without a list of batteries', [20], [60], [], 40],
    ['down is below 0', [90], [30], [88], -60],
    ['a listed pack that is silent', [20, null], [60, null], [100, 100], undefined],
    ['a pack that is known at one end only', [20, 40], [60, null], [], undefined],
    ['no pack', [], [], [], undefined],
  ])(
    'pointsBetween returns the change of the state of charge: %s (14.2f)',
    (_, from, to, capacities, points) => {
      expect(levelRisePoints(from, to, capacities)).toBe(points);
    },
  );

  const changes = (...of: [kWh: number, points: number][]) => of.map(([kWh, points]) => ({ kWh, points }));

  test.each([
    // 100, 98, 102, 97 and 110 kWh have the weights 3600, 2500, 400, 400 and 900: half of all weight, 3900, is reached at 100 kWh.
    [
      'U1, five changes',
      changes([60, 60], [49, 50], [20.4, 20], [19.4, 20], [33, 30]),
      { middle: 100, low: 98, high: 100, count: 5 },
    ],
    [
      'U2, four changes and a small one are not enough',
      changes([60, 60], [49, 50], [20, 20], [20, 20], [19, 19.9]),
      undefined,
    ],
    [
      'U3, a change in the other direction does not count',
      changes(...Array<[number, number]>(5).fill([20, -40])),
      undefined,
    ],
    [
      'U3b, a change without energy does not count',
      changes(...Array<[number, number]>(5).fill([0, 40])),
      undefined,
    ],
    [
      'U4, one long change outweighs four short ones that are wrong',
      changes([80, 80], [10, 20], [10, 20], [30, 20], [30, 20]),
      { middle: 100, low: 100, high: 100, count: 5 },
    ],
    ['no changes', [], undefined],
  ])('the usable capacity is computed from changes of the charge level: %s (14.2f)', (_, of, expected) => {
    expect(usableCapacity(of)).toEqual(expected);
  });

  test('the round-trip efficiency is unknown without charges or discharges, and its range spans every pair of a charge and a discharge in their ranges (14.2g)', () => {
    const charge = { middle: 100, low: 95, high: 105, count: 9 };
    const discharge = { middle: 94, low: 92, high: 96, count: 6 };
    expect(roundTripEfficiency(discharge, charge)).toEqual({
      middle: 0.94,
      low: 92 / 105,
      high: 96 / 95,
      count: 6,
    });
    expect(roundTripEfficiency(discharge, undefined)).toBeUndefined();
    expect(roundTripEfficiency(undefined, charge)).toBeUndefined();
  });
});
