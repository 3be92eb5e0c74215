import { expect, test } from 'vitest';
import { SIGNALS } from '#shared/domain/signal.ts';
import { proposals } from './proposals.ts';

const targetsOf = (name: string, unit = ''): string[] =>
  proposals(
    SIGNALS.map(({ name }) => name),
    [{ name, unit, bus: 0, message: 'M' }],
  ).map(({ to }) => to);

test.each<[string, string, string[]]>([
  ['BatterySOC', '%', ['Soc1']],
  ['SocDisp', '%', ['Soc1']],
  ['SOCdisp', '', ['Soc1']],
  ['BMS_SOC_2', '%', ['Soc2']],
  ['SocDisp4', '', ['Soc4']],
  ['SocDisp5', '', []],
  ['StateOfCharge', '%', ['Soc1']],
  ['Motor_Speed', '', ['MotorSpeed']],
  ['motorRPM', 'rpm', ['MotorSpeed']],
  ['DrvRpm', 'rpm', ['MotorSpeed']],
  ['MotorSpeed', 'km/h', []],
  ['ChrgCurr', 'A', ['ChargingCurrent']],
  ['ChgU', 'V', ['ChargingVoltage']],
  ['OBC_OutputVoltage', 'V', ['ChargingVoltage']],
  ['BMS_PackVoltage', 'V', ['BatteryVoltage']],
  ['PackI', 'A', ['BatteryCurrent']],
  ['HV_Batt_Current', 'A', ['BatteryCurrent']],
  ['BMS_PackVoltage', 'A', []],
  ['VehicleSpeed', 'km/h', ['Speed']],
  ['Snelheid', '', ['Speed']],
  ['ChgPlug1', '', ['IsCharging']],
  ['Charger_Active', '', ['IsCharging']],
  ['VehicleState', '', ['Machinestatus']],
  ['GPS_Latitude', 'deg', ['LATITUDE']],
  ['gps_lon', '', ['LONGITUDE']],
  ['Spoor', '', ['Spoor']],
  ['Spoorstand', '', ['Spoorstand']],
  ['LAT_ACCEL_STAT', '', []],
  ['OilTemperature', 'degC', []],
  ['Associated', '', []],
  ['', '', []],
])('MEDIT-12 a DBC signal %s [%s] is proposed for %j', (name, unit, expected) => {
  expect(targetsOf(name, unit)).toEqual(expected);
});

test('MEDIT-12 the quantity itself comes before what is only about it, and five are enough', () => {
  const names = [
    'CellVoltageMaxBatt',
    'BattVoltageLimit',
    'BMS_PackVoltage',
    'BatteryVoltage_V',
    'PackU',
    'HvU',
    'AccuU',
  ];
  const found = proposals(
    ['BatteryVoltage'],
    names.map((name) => ({ name, unit: 'V', bus: 1, message: 'B' })),
  );
  expect(found).toHaveLength(5);
  expect(found.map(({ signal }) => signal).slice(0, 3)).toEqual(['PackU', 'HvU', 'AccuU']);
  expect(found.map(({ signal }) => signal)).not.toContain('CellVoltageMaxBatt');
  expect(found[0]).toEqual({ to: 'BatteryVoltage', bus: 1, message: 'B', signal: 'PackU' });
});

test('MEDIT-12 what is measured comes before what is asked for', () => {
  const found = proposals(
    ['Speed'],
    ['DAS_setSpeed', 'ESP_vehicleSpeed', 'WheelSpeedFL'].map((name) => ({
      name,
      unit: 'km/h',
      bus: 0,
      message: 'M',
    })),
  );
  expect(found.map(({ signal }) => signal)).toEqual(['ESP_vehicleSpeed', 'DAS_setSpeed', 'WheelSpeedFL']);
});
