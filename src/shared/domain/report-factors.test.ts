import { expect, test } from 'vitest';
import {
  co2FactorOn,
  dieselFactorOn,
  type Factors,
  NO_FACTORS,
  type PowerClass,
  powerClassesOverlap,
} from './report-factors.ts';

const source = 'co2emissiefactoren.nl';
const diesel = (litresPerHour: number, firstDay: string, fromKw: number, belowKw: number | null) => ({
  litresPerHour,
  firstDay,
  fromKw,
  belowKw,
  comparedTo: 'Graafmachine Stage V',
  source,
});
const FACTORS: Factors = {
  co2: [
    { kgPerKwh: 0.27, firstDay: '2026-01-01', source },
    { kgPerKwh: 0.33, firstDay: '2025-01-01', source },
    { kgPerKwh: 0, firstDay: '2026-07-01', source },
  ],
  diesel: [
    diesel(4, '2025-01-01', 0, 56),
    diesel(9, '2025-01-01', 56, 130),
    diesel(15, '2025-01-01', 130, null),
    diesel(8, '2026-01-01', 56, 100),
  ],
};

test.each([
  ['2024-12-31', undefined],
  ['2025-01-01', 0.33],
  ['2025-12-31', 0.33],
  ['2026-01-01', 0.27],
  ['2026-06-30', 0.27],
  ['2026-07-01', 0],
  ['2099-01-01', 0],
])('on %s the newest CO2 factor applies: %s (14.3r)', (day, kg) => {
  expect(co2FactorOn(FACTORS, day)?.kgPerKwh).toBe(kg);
  expect(co2FactorOn(NO_FACTORS, day)).toBeUndefined();
});

test.each([
  ['2025-06-01', 55.9, 4],
  ['2025-06-01', 56, 9],
  ['2025-06-01', 129.99, 9],
  ['2025-06-01', 130, 15],
  ['2025-06-01', 2000, 15],
  ['2026-06-01', 56, 8],
  ['2026-06-01', 99.9, 8],
  // Powers outside the newer class still have the older factor.
  ['2026-06-01', 100, 9],
  ['2026-06-01', 20, 4],
  ['2024-06-01', 20, undefined],
  ['2026-06-01', null, undefined],
])('on %s a machine of %s kW is compared with %s l/h (14.3r)', (day, powerKw, litres) => {
  expect(dieselFactorOn(FACTORS, day, powerKw)?.litresPerHour).toBe(litres);
});

test.each<[PowerClass, PowerClass, boolean]>([
  [{ fromKw: 0, belowKw: 56 }, { fromKw: 56, belowKw: 130 }, false],
  [{ fromKw: 0, belowKw: 56.1 }, { fromKw: 56, belowKw: 130 }, true],
  [{ fromKw: 56, belowKw: null }, { fromKw: 0, belowKw: 56 }, false],
  [{ fromKw: 56, belowKw: null }, { fromKw: 500, belowKw: 501 }, true],
  [{ fromKw: 0, belowKw: null }, { fromKw: 0, belowKw: null }, true],
  [{ fromKw: 10, belowKw: 20 }, { fromKw: 12, belowKw: 13 }, true],
])('classesMeet recognizes overlapping power classes, case %# (14.3s)', (one, other, meet) => {
  expect(powerClassesOverlap(one, other)).toBe(meet);
  expect(powerClassesOverlap(other, one)).toBe(meet);
});
