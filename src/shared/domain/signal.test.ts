import { expect, test } from 'vitest';
import { catalogueSpelling, knownSignal, neededSignals, SIGNALS, unmappedSignals } from './signal.ts';

const NAMES = SIGNALS.map(({ name }) => name);

test('every signal of the catalogue except the time occurs once among the mapping targets (MEDIT-12, 11.3)', () => {
  expect(new Set(NAMES).size).toBe(SIGNALS.length);
  expect(new Set(SIGNALS.map(({ column }) => column)).size).toBe(SIGNALS.length);
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
])('a target %s feeds %j (MEDIT-12)', (target, fed) => {
  expect(unmappedSignals([target], 'logger')).toEqual(NAMES.filter((name) => !fed.includes(name)));
});

test('only LMB loggers need Spoor, Spoorstand and Machinestatus (12.A11)', () => {
  const codes = ['Machinestatus', 'Spoor', 'Spoorstand'];
  const others = NAMES.filter((name) => !codes.includes(name));
  expect(neededSignals('logger').map(({ name }) => name)).toEqual(NAMES);
  expect(neededSignals('machine').map(({ name }) => name)).toEqual(others);
  expect(unmappedSignals([], 'logger')).toEqual(NAMES);
  expect(unmappedSignals([], 'machine')).toEqual(others);
});

test.each<[string, string | undefined]>([
  ['MotorSpeed', 'MotorSpeed'],
  ['motorspeed', 'MotorSpeed'],
  ['latitude', 'LATITUDE'],
  ['SOC8', 'Soc8'],
  ['Soc9', undefined],
  ['Soc', undefined],
  ['SocDisp', undefined],
  ['IsCharging', 'IsCharging'],
  ['ISCHARGING', 'IsCharging'],
  ['ischarging1', 'IsCharging1'],
  ['IsCharging_AC', 'IsCharging_AC'],
  ['IsCharging.1', undefined],
  [`IsCharging${'1'.repeat(55)}`, undefined],
  ['NotIsCharging1', undefined],
  ['OilTemperature', undefined],
])('ourSpelling returns for the name %s: %s (MEDIT-12, 12.A11)', (name, ours) => {
  expect(catalogueSpelling(name)).toBe(ours);
});
