import { expect, test } from 'vitest';
import { MAPPABLE_SIGNALS, unmappedSignals } from './mappable-signals.ts';

test('MEDIT-12 every signal of ours but the time can be mapped', () => {
  expect(MAPPABLE_SIGNALS).toHaveLength(16);
  expect(MAPPABLE_SIGNALS).not.toContain('GMT_UNIX');
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
  expect(unmappedSignals([target])).toEqual(MAPPABLE_SIGNALS.filter((name) => !fed.includes(name)));
});
