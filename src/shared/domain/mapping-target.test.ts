import { expect, test } from 'vitest';
import { mappingTargetError, nameOfSameBattery, packMappedTwiceError } from './mapping-target.ts';
import { SIGNALS } from './signal.ts';

test.each<[string, string]>([
  ['Accu', 'BatteryCurrent (Accustroom), BatteryVoltage (Accuspanning) of Soc1 (Laadtoestand accu 1)'],
  ['Batterij', 'BatteryCurrent (Accustroom), BatteryVoltage (Accuspanning) of Soc1 (Laadtoestand accu 1)'],
  ['Batterijspanning', 'BatteryVoltage (Accuspanning)'],
  ['speed', 'Speed (Snelheid)'],
  ['Snelheid', 'Speed (Snelheid)'],
  ['Motor', 'MotorSpeed (Motortoerental)'],
  ['Motor speed', 'MotorSpeed (Motortoerental)'],
  ['MOTOR_SPEED', 'MotorSpeed (Motortoerental)'],
  ['laadtoestand accu 3', 'Soc3 (Laadtoestand accu 3)'],
  ['isCharging', 'IsCharging (Is aan het laden)'],
  ['Spead', 'Speed (Snelheid)'],
  ['Sneheid', 'Speed (Snelheid)'],
  ['Accuspannign', 'BatteryVoltage (Accuspanning)'],
  ['BatteryVoltages', 'BatteryVoltage (Accuspanning)'],
])('a mapping to %j is refused, and %s is suggested (55.20)', (name, nearest) => {
  expect(mappingTargetError(name)).toBe(
    `${name} is geen signaal van het portaal. Bedoel je ${nearest}? Een eigen naam mag niet op een naam van het portaal lijken.`,
  );
});

test.each([
  ...SIGNALS.map(({ name }) => name),
  'SOC1',
  'SOC',
  'SocDisp',
  'IsCharging1',
  'IsChargingAC',
  'Olietemperatuur',
  'HydraulicPressure',
  'NUMBER_SATELLITES',
  'Celtemperatuur',
  'Accutemperatuur',
  'Speed2',
  'Spoor 2',
  'Torque',
  'Power',
  'Koelwater',
  'V',
  'Äöü',
  '42',
])('a mapping to %j is accepted (55.20)', (name) => {
  expect(mappingTargetError(name)).toBeUndefined();
});

test.each([
  ['soc1', ['Soc1', 'Speed'], 'Soc1'],
  ['SocDisp', ['SocDisp', 'SOC_1'], 'SOC_1'],
  ['soc1', ['soc1', 'Soc2'], undefined],
  ['Soc9', ['Soc1', 'Soc9'], undefined],
  ['Olie', ['Soc1'], undefined],
])('a mapping to %j beside %j feeds the same battery as %s (55.63)', (name, names, other) => {
  expect(nameOfSameBattery(name, names)).toBe(other);
});

test('the warning about two signals of one battery names the signal that counts (55.63)', () => {
  expect(packMappedTwiceError('soc1', 'Soc1')).toContain('Bedoel je Soc1?');
});
