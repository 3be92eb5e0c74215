import { expect, test } from 'vitest';
import { SIGNALS } from './signal.ts';
import { conversionText, matchUnit, type SignalScale, type UnitMatch, unitWarning } from './signal-units.ts';

test.each<[string, string, UnitMatch['kind']]>([
  ['MotorSpeed', 'rpm', 'own'],
  ['MotorSpeed', 'RPM', 'own'],
  ['MotorSpeed', '1 / min', 'own'],
  ['MotorSpeed', 'km/h', 'another'],
  ['MotorSpeed', 'flag', 'another'],
  ['Speed', 'km/h', 'own'],
  ['Speed', 'KPH', 'own'],
  ['Speed', 'MPH', 'scaled'],
  ['Speed', 'm/s', 'scaled'],
  ['Speed', 'm/s^2', 'another'],
  ['Speed', 'rpm', 'another'],
  ['Speed', 'MPHKPH', 'unknown'],
  ['Speed', '', 'none'],
  ['Speed', '-', 'none'],
  ['BatteryCurrent', 'A', 'own'],
  ['BatteryCurrent', 'Ah', 'another'],
  ['ChargingCurrent', 'mA', 'scaled'],
  ['BatteryVoltage', ' V ', 'own'],
  ['ChargingVoltage', 'A', 'another'],
  ['LATITUDE', 'Deg', 'own'],
  ['LATITUDE', 'degC', 'another'],
  ['LONGITUDE', '°', 'own'],
  ['Soc3', '%', 'own'],
  ['Soc3', 'V', 'another'],
  ['IsCharging', 'flag', 'own'],
  ['IsCharging2', 'bool', 'own'],
  ['IsCharging2', 'A', 'another'],
  ['Spoor', '%', 'another'],
  ['Spoor', '', 'none'],
  ['Machinestatus', 'rpm', 'another'],
  ['OilTemperature', 'degF', 'none'],
])('for %s the unit %j is %s (MEDIT-12, 12.A11)', (to, unit, fit) => {
  expect(matchUnit(to, { unit }).kind).toBe(fit);
});

test('every signal of the catalogue has a list of units (MEDIT-12, 12.A11)', () => {
  const written = ['deg', 'rpm', 'A', 'V', 'km/h', '%', 'flag', 'code'];
  for (const { name } of SIGNALS)
    expect(written.filter((unit) => matchUnit(name, { unit }).kind === 'own')).toHaveLength(1);
});

test.each<[string, string, number]>([
  ['Speed', 'MPH', 1.609344],
  ['Speed', 'm/s', 3.6],
  ['Speed', 'kn', 1.852],
  ['Speed', 'cm/s', 0.036],
  ['BatteryCurrent', 'mA', 0.001],
  ['BatteryCurrent', 'kA', 1000],
  ['BatteryCurrent', 'dA', 0.1],
  ['BatteryCurrent', '0.1 A', 0.1],
  ['BatteryCurrent', '0,1 A', 0.1],
  ['BatteryCurrent', '10 mA', 0.01],
  ['BatteryVoltage', '0.1V', 0.1],
  ['BatteryVoltage', 'x0.1 V', 0.1],
  ['BatteryVoltage', '0.05 V/bit', 0.05],
  ['BatteryVoltage', '1/100 V', 0.01],
  ['BatteryVoltage', 'mV', 0.001],
  ['BatteryVoltage', 'MV', 0.001],
  ['BatteryVoltage', 'kV', 1000],
  ['BatteryVoltage', '0.1 mV', 0.0001],
  ['MotorSpeed', '0.25 rpm', 0.25],
  ['MotorSpeed', 'rps', 60],
  ['LATITUDE', '1e-7 deg', 1e-7],
  ['Soc1', '0.5 %', 0.5],
  ['Soc1', '‰', 0.1],
  ['Soc1', 'p.u.', 100],
])('for %s a value in %j is multiplied by %d (55.20)', (to, unit, factor) => {
  expect(matchUnit(to, { unit, factor: 1 })).toEqual({ kind: 'scaled', factor });
  expect(conversionText(to, { unit })).toBe(`omgerekend van ${unit.trim()}`);
});

test.each<[string, string, SignalScale, UnitMatch]>([
  ['the DBC converts to our unit by itself', 'Speed', { unit: 'km/h', factor: 1.609344 }, { kind: 'own' }],
  [
    'the step in the unit is the factor of the DBC',
    'BatteryCurrent',
    { unit: '0.1 A', factor: 0.1 },
    { kind: 'own' },
  ],
  [
    'the same in milliampere',
    'BatteryCurrent',
    { unit: '10 mA', factor: 10 },
    { kind: 'scaled', factor: 0.001 },
  ],
  [
    'the step in the unit is not the factor of the DBC',
    'BatteryCurrent',
    { unit: '0.1 A', factor: 0.5 },
    { kind: 'unknown' },
  ],
  ['a step of a unit of another quantity', 'BatteryVoltage', { unit: '0.1 A' }, { kind: 'another' }],
  ['a step of one', 'BatteryVoltage', { unit: '1 V' }, { kind: 'own' }],
  [
    'a charge level up to 1 without a unit',
    'Soc1',
    { unit: '', min: 0, max: 1 },
    { kind: 'none', factor: 100 },
  ],
  [
    'a charge level up to 1 of a unit 1',
    'Soc1',
    { unit: '1', min: 0, max: 1 },
    { kind: 'none', factor: 100 },
  ],
  ['a charge level up to 100 without a unit', 'Soc1', { unit: '', min: 0, max: 100 }, { kind: 'none' }],
  ['a charge level without a range', 'Soc1', { unit: '', min: 0, max: 0 }, { kind: 'none' }],
  ['a voltage up to 1 without a unit', 'BatteryVoltage', { unit: '', min: 0, max: 1 }, { kind: 'none' }],
  ['a percentage that goes up to 1', 'Soc1', { unit: '%', min: 0, max: 1 }, { kind: 'own' }],
])('matchUnit judges %s (55.20)', (_, to, signal, fit) => {
  expect(matchUnit(to, signal)).toEqual(fit);
});

test.each<[string, SignalScale, number, RegExp | undefined]>([
  [
    'BatteryVoltage',
    { unit: '°C' },
    1,
    /^De eenheid past niet: het DBC-signaal is in °C, Accuspanning is in V\.$/,
  ],
  ['BatteryCurrent', { unit: 'kW' }, 2, /is in kW, Accustroom is in A\.$/],
  ['IsCharging2', { unit: 'A' }, 1, /is in A, Is aan het laden is 0 of 1\.$/],
  ['Spoor', { unit: '%' }, 1, /is in %, Spoor is een code\.$/],
  [
    'Speed',
    { unit: 'MPHKPH' },
    1,
    /kent de eenheid MPHKPH niet, en Snelheid is in km\/h\. Controleer de factor\.$/,
  ],
  ['Speed', { unit: 'mph' }, 1, /is in mph, en Snelheid is in km\/h: daar hoort factor 1,609344 bij\.$/],
  ['Speed', { unit: 'mph' }, 1.6093, undefined],
  ['BatteryCurrent', { unit: 'mA' }, -0.001, undefined],
  ['BatteryCurrent', { unit: 'A' }, -1, undefined],
  [
    'SOC2',
    { unit: '', max: 1 },
    1,
    /loopt van 0 tot 1, en Laadtoestand accu 2 is in %: daar hoort factor 100 bij/,
  ],
  ['Soc1', { unit: '%', max: 1 }, 1, /is het signaal in %, maar loopt het van 0 tot 1\./],
  ['Soc1', { unit: '%', max: 1 }, 100, undefined],
  ['Soc1', { unit: '%', max: 100 }, 1, undefined],
  ['Speed', { unit: '' }, 1, undefined],
  ['OilTemperature', { unit: '°F' }, 1, undefined],
])('the text of the warning when signal %s is fed by %j x %d (55.20)', (to, signal, factor, warning) => {
  const found = unitWarning(to, signal, factor);
  if (warning) expect(found).toMatch(warning);
  else expect(found).toBeUndefined();
});
