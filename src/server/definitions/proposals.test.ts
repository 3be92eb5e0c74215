import { expect, test } from 'vitest';
import { SIGNALS } from '#shared/domain/signal.ts';
import type { ProposalCandidate } from './described-signals.ts';
import { proposeMappings } from './proposals.ts';

const NAMES = SIGNALS.map(({ name }) => name);
const targetsOf = (name: string, unit = '', more: Partial<ProposalCandidate> = {}): string[] =>
  proposeMappings(NAMES, [{ name, unit, bus: 0, message: 'M', ...more }]).map(({ to }) => to);

test.each<[string, string, string[]]>([
  ['BatterySOC', '%', ['Soc1']],
  ['SocDisp', '%', ['Soc1']],
  ['SOCdisp', '', ['Soc1']],
  ['BMS_SOC_2', '%', ['Soc2']],
  ['SocDisp4', '', ['Soc4']],
  ['SocDisp5', '', ['Soc5']],
  ['SocDisp9', '', []],
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
])('a DBC signal %s [%s] is proposed for %j (MEDIT-12)', (name, unit, expected) => {
  expect(targetsOf(name, unit)).toEqual(expected);
});

test('a signal whose name has only words of the quantity is proposed first, one of a cell or a limit never, and at most five are proposed (MEDIT-12)', () => {
  const names = [
    'CellVoltageMaxBatt',
    'BattVoltageLimit',
    'BMS_PackVoltage',
    'BatteryVoltage_V',
    'PackU',
    'HvU',
    'AccuU',
  ];
  const found = proposeMappings(
    ['BatteryVoltage'],
    names.map((name) => ({ name, unit: 'V', bus: 1, message: 'B' })),
  );
  expect(found).toHaveLength(5);
  expect(found.map(({ signal }) => signal).slice(0, 3)).toEqual(['PackU', 'HvU', 'AccuU']);
  expect(found.map(({ signal }) => signal)).not.toContain('CellVoltageMaxBatt');
  expect(found[0]).toEqual({ to: 'BatteryVoltage', bus: 1, message: 'B', signal: 'PackU' });
});

test('a signal with a measured value is proposed before a signal with a requested value (MEDIT-12)', () => {
  const found = proposeMappings(
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

const values = (...names: string[]) => new Map(names.map((name, value) => [value, name]));

test.each<[string, string, string, Partial<ProposalCandidate>, string[]]>([
  // Cases about word boundaries.
  ['a driver is no drive', 'VCFRONT_driverIsLeavingAnySpeed', '', {}, []],
  ['tracks are no track', 'TracksSpeed_UNK', '', { bitCount: 8 }, []],
  ['no accu between two words', 'ACCurrentPossible', '', { bitCount: 8 }, []],
  ['a standstill is no position', 'ESP_vehicleStandstillSts', '', {}, []],
  ['known words that are written as one', 'hvbattvoltage', 'V', {}, ['BatteryVoltage']],
  ['one letter with the unit', 'VBatt', 'V', {}, ['BatteryVoltage']],
  ['one letter without it', 'VBatt', '', {}, []],
  ['a number of the message is no pack', 'SOCUI292', '%', { bitCount: 10 }, ['Soc1']],
  ['the number behind Soc is the pack', 'BMS3_Soc2_v1', '%', {}, ['Soc2']],
  ['the number before Soc, without one behind it', 'BMS3_Soc', '%', {}, ['Soc3']],
  ['all eight packs', 'Soc_Pack_8', '%', {}, ['Soc8']],
  // Cases about units.
  ['km/h for rpm', 'DrvSpeed', 'km/h', {}, []],
  ['rpm for km/h', 'VehicleSpeed', 'rpm', {}, []],
  ['a flag for a speed', 'VehicleSpeed', 'flag', {}, []],
  ['an unknown unit', 'VehicleSpeed', 'MPHKPH', {}, []],
  ['the quantity in another unit', 'VehicleSpeed', 'mph', {}, ['Speed']],
  ['a unit of something for a flag', 'Charger_Status', 'A', {}, []],
  ['a percentage for a code', 'TrackState', '%', {}, []],
  // Cases about size and values.
  ['one bit is no speed', 'VehicleSpeed', '', { bitCount: 1 }, []],
  ['three bits are no state of charge', 'SoC_Fraction', '%', { bitCount: 3 }, []],
  ['a position needs 16 bits', 'Lat', 'deg', { bitCount: 11 }, []],
  [
    'named values are no current',
    'ChargingCurrent',
    '',
    { bitCount: 8, values: values('Max', 'Less', 'Min') },
    [],
  ],
  [
    'one named value means a missing value',
    'VehicleSpeed',
    'km/h',
    { bitCount: 10, values: values('SNA') },
    ['Speed'],
  ],
  ['one bit is a flag', 'ChargerPlugged', '', { bitCount: 1 }, ['IsCharging']],
  [
    'two bits are one too, with error and absent',
    'ChargerPlugged',
    '',
    { bitCount: 2, values: values('Off', 'On', 'Error', 'NotAvailable') },
    ['IsCharging'],
  ],
  ['a byte is one up to 1', 'ChargerPlugged', '', { bitCount: 8, max: 1 }, ['IsCharging']],
  ['a byte of many states is none', 'ChargeStatus', '', { bitCount: 8, max: 255 }, []],
  [
    'three states in two bits are none',
    'ChargeStatus',
    '',
    { bitCount: 2, values: values('None', 'Cable', 'Busy') },
    [],
  ],
  // Cases about comments.
  ['named in the comment', 'Speed_signed', 'rpm', { comment: 'Motor rpm, signed' }, ['MotorSpeed']],
  [
    'current named in the comment',
    'I_AC',
    'A',
    { comment: 'AC charging current (probably)' },
    ['ChargingCurrent'],
  ],
  [
    'voltage named in the comment',
    'V_AC',
    'V',
    { comment: 'AC charging volts (probably)' },
    ['ChargingVoltage'],
  ],
  [
    'named in a sentence',
    'Torque_nr',
    'rpm',
    { comment: 'Often the difference between wanted and actual motor speed' },
    [],
  ],
  ["another part's in the comment", 'leftCurrentHV', 'A', { comment: 'Heater Left Current' }, []],
  // Signals that resemble a proposed one, but belong to another part, such as a pump or the 12 V battery.
  ['a pump', 'DIR_oilPumpMotorSpeed', 'RPM', {}, []],
  ['wipers', 'DAS_wiperSpeed', '', {}, []],
  ['12 V', 'v12vBattVoltage', 'V', {}, []],
  ['12 V by the message', 'BAT_SOC', '%', { message: 'TwelveVolt_Battery' }, []],
  ['steering by the message', 'Speed', '', { message: 'Steering' }, []],
  ['a contactor', 'HVP_packContVoltage', 'V', {}, []],
  ['a lever', 'SpdCtrlLvr_Stat', '', {}, []],
  ['a counter', 'vehicleStatusCounter', '', {}, []],
  ['a seat', 'frontSeatTrackBack', '', {}, []],
  ['labels on a screen', 'UI_showTrackLabels', '', {}, []],
  ['a mode of driving', 'UI_trackPostCooling', '', {}, []],
  ['an unknown signal', 'UNK_U_HV', 'V', {}, []],
  ['a cell', 'BattCellVoltage', 'V', {}, []],
  [
    'a battery in a message about contactors',
    'PackVoltage',
    'V',
    { message: 'Contactor_State' },
    ['BatteryVoltage'],
  ],
  ['a controller of the motor', 'MotorCtrl_Speed', 'rpm', {}, ['MotorSpeed']],
  ['a setting of charging', 'UI_smartAcChargingEnabled', '', { bitCount: 1 }, []],
  // Cases of names for a setpoint or a limit of a quantity, not for its present value.
  ['a limit', 'ChargeCurrentLimit', 'A', {}, []],
  ['a wish', 'SetChargeCurrent', 'A', {}, []],
  // Cases of Dutch names written as one word.
  ['laadstroom', 'Laadstroom', 'A', {}, ['ChargingCurrent']],
  ['accuspanning', 'AccuSpanning', 'V', {}, ['BatteryVoltage']],
])(
  'a signal is proposed or not by the words in its name and comment, %s: %s [%s] (MEDIT-12, 12.A11)',
  (_, name, unit, more, expected) => {
    expect(targetsOf(name, unit, more)).toEqual(expected);
  },
);

test('a comment that names the quantity ranks a signal higher (MEDIT-12, 12.A11)', () => {
  const one = { unit: 'V', bus: 0, message: 'M' };
  const found = proposeMappings(
    ['BatteryVoltage'],
    [
      { ...one, name: 'HvVoltage' },
      { ...one, name: 'PackVoltage', comment: 'HV Battery Voltage' },
    ],
  );
  expect(found.map(({ signal }) => signal)).toEqual(['PackVoltage', 'HvVoltage']);
});

test.each<[string, string, string, Partial<ProposalCandidate>, number | undefined]>([
  ['miles per hour', 'VehicleSpeed', 'MPH', { factor: 0.05 }, 1.609344],
  ['tenths of an ampere', 'PackCurrent', '0.1 A', { factor: 1 }, 0.1],
  ['tenths that the DBC converts', 'PackCurrent', '0.1 A', { factor: 0.1 }, undefined],
  ['millivolts', 'PackVoltage', 'mV', { factor: 1 }, 0.001],
  ['a charge level from 0 to 1', 'BMS_SOC', '', { bitCount: 10, min: 0, max: 1, factor: 0.001 }, 100],
  ['a percentage', 'BMS_SOC', '%', { bitCount: 10, min: 0, max: 100 }, undefined],
])('a proposal of %s converts it: %s [%s] (55.20)', (_, name, unit, more, factor) => {
  const found = proposeMappings(NAMES, [{ name, unit, bus: 0, message: 'M', ...more }]);
  expect(found.map((one) => one.factor)).toEqual([factor]);
});

test('a temperature is not proposed for a voltage (55.20)', () => {
  expect(targetsOf('PackVoltage', '°C')).toEqual([]);
});
