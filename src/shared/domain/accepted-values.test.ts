import { expect, test } from 'vitest';
import { acceptedValue, valueLimitsOf } from './accepted-values.ts';
import { acceptedValue as theirs } from './test/oracle/accept.ts';

const NAMES = [
  'MotorSpeed',
  'BatteryCurrent',
  'ChargingCurrent',
  'BatteryVoltage',
  'ChargingVoltage',
  'Speed',
  'Soc1',
  'SOC',
  'SOC_1.MotorSpeed',
  'IsCharging1',
  'Oil',
];
const VALUES = [
  -0,
  1e-10,
  -1e-10,
  5e-324,
  -1,
  -1.01,
  100.5,
  101,
  101.6,
  127.5,
  400,
  -400.1,
  1_999,
  2_000.1,
  -3_000,
  3_001,
  30_000,
  -30_001,
  3_276.75,
  1e6,
  1e6 + 1,
  -1e308,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

test.each(NAMES)(
  'acceptedValue returns only values of %s inside the limits of the signal (INGEST-03, 12.A10)',
  (name) => {
    for (const value of VALUES)
      expect(acceptedValue(value, valueLimitsOf(name)), String(value)).toBe(theirs(name, value));
  },
);

// Example S5 of docs/figures.md section 1.
test.each([
  ['Soc1', 127.5, undefined],
  ['Soc1', 100.5, 100.5],
  ['Soc1', 1e308, undefined],
  ['BatteryVoltage', 3276.75, undefined],
])('acceptedValue returns for a %s of %d: %s (INGEST-03, 12.A10)', (name, value, expected) => {
  expect(acceptedValue(value, valueLimitsOf(name))).toBe(expected);
});
