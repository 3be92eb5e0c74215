import { expect, test } from 'vitest';
import { isCustomSignal } from './custom-signals.ts';

test.each([
  ['OilTemp', true],
  ['Motor.Soc1', true], // a kept signal, with the name of its message
  ['Motor.IsCharging', true],
  ['Soc9', true], // belongs to no pack
  ['MotorSpeed', false],
  ['Soc1', false],
  ['SocDisp', false],
  ['IsChargingAC', false],
])('whether %s is a custom signal: %s (12.C3)', (name, is) => {
  expect(isCustomSignal(name)).toBe(is);
});
