import { expect, test } from 'vitest';
import { knownSignal, SIGNALS, unmappedSignals } from './signal.ts';

const NAMES = SIGNALS.map(({ name }) => name);

test('MEDIT-12 11.3 every signal of the catalogue but the time can be mapped, each once', () => {
  expect(new Set(NAMES).size).toBe(16);
  expect(new Set(SIGNALS.map(({ column }) => column)).size).toBe(16);
  expect(NAMES).not.toContain('GMT_UNIX');
  expect(knownSignal('GMT_UNIX')).toBeUndefined();
});

test.each<[string, string[]]>([
  ['MotorSpeed', ['MotorSpeed']],
  ['Soc2', ['Soc2']],
  ['SOC1', ['Soc1']],
  ['soc', ['Soc1']],
  ['IsCharging', ['IsCharging']],
  ['IsChargingAC', ['IsCharging']],
  ['OilTemperature', []],
])('MEDIT-12 a target %s feeds %j', (target, fed) => {
  expect(unmappedSignals([target])).toEqual(NAMES.filter((name) => !fed.includes(name)));
});
