import { expect, test } from 'vitest';
import { SIGNALS } from '#shared/domain/signal.ts';
import { unitFit } from './signal-units.ts';

test.each<[string, string, ReturnType<typeof unitFit>]>([
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
])('MEDIT-12 12.A11 for %s the unit %j is %s', (to, unit, fit) => {
  expect(unitFit(to, unit)).toBe(fit);
});

test('MEDIT-12 12.A11 every signal of the catalogue has units of its own', () => {
  const written = ['deg', 'rpm', 'A', 'V', 'km/h', '%', 'flag', 'code'];
  for (const { name } of SIGNALS)
    expect(written.filter((unit) => unitFit(name, unit) === 'own')).toHaveLength(1);
});
