import { expect, test } from 'vitest';
import {
  chargingKw,
  openCircuitVolts,
  packLevelsPercent,
  terminalCurrentAndVoltage,
} from './battery-pack.ts';

const pack = { capacityKwh: 390, nominalVolts: 700 };

test.each([0, 45, 120, -25, -175])('terminal current x voltage equals the power of %d kW', (powerKw) => {
  for (const soc of [8, 50, 95]) {
    const { amps, volts } = terminalCurrentAndVoltage(pack, soc, powerKw);
    expect((amps * volts) / 1000).toBeCloseTo(powerKw, 6);
    expect(Math.sign(amps)).toBe(Math.sign(powerKw));
    if (powerKw > 0) expect(volts).toBeLessThan(openCircuitVolts(pack, soc));
    if (powerKw < 0) expect(volts).toBeGreaterThan(openCircuitVolts(pack, soc));
  }
});

test('the open-circuit voltage rises with the charge level', () => {
  for (let soc = 5; soc < 100; soc++)
    expect(openCircuitVolts(pack, soc + 1)).toBeGreaterThan(openCircuitVolts(pack, soc));
});

test.each([
  [20, 50],
  [90, 50],
  [95, 25],
  [99.5, 5],
  [100, 0],
])('at %d %% a 50 kW charger gives %d kW', (soc, kw) => {
  expect(chargingKw(50, soc)).toBeCloseTo(kw, 9);
});

test.each([[[130, 130, 130]], [[72, 72]], [[100, 50]], [[46]]])(
  'the charge levels of batteries of %j kWh differ, but their weighted mean is the charge level of the machine',
  (kwh) => {
    const charges = packLevelsPercent(kwh, 40, 1);
    const total = kwh.reduce((sum, capacity) => sum + capacity, 0);
    expect(charges.reduce((sum, percent, i) => sum + percent * kwh[i]!, 0) / total).toBeCloseTo(40, 9);
    expect(new Set(charges).size).toBe(kwh.length);
    expect(packLevelsPercent(kwh, 100, 1)).toEqual(kwh.map(() => 100));
  },
);
