import { expect, test } from 'vitest';
import { isOwnSignal } from './own-signals.ts';

test.each([
  ['OilTemp', true],
  ['Motor.Soc1', true], // kept, with its message's name
  ['Motor.IsCharging', true],
  ['Soc9', true], // of no pack
  ['MotorSpeed', false],
  ['Soc1', false],
  ['SocDisp', false],
  ['IsChargingAC', false],
])('%s is a signal under its own name: %s (12.C3)', (name, is) => {
  expect(isOwnSignal(name)).toBe(is);
});
