import { expect, test } from 'vitest';
import { isRunning, type MachineStatus, machineStatus, type SignalValues } from './machine-status.ts';

const cases: [string, SignalValues, MachineStatus][] = [
  ['nothing known', {}, 'off'],
  ['flag and current', { IsCharging: 1, ChargingCurrent: 1.01 }, 'charging'],
  ['any of several flags', { IsCharging1: 0, IsChargingFast: 2, ChargingCurrent: 40 }, 'charging'],
  ['flag 0.5', { IsCharging1: 0.5, ChargingCurrent: 40 }, 'off'],
  ['current exactly 1', { IsCharging1: 1, ChargingCurrent: 1 }, 'off'],
  ['current without a flag', { ChargingCurrent: 40 }, 'off'],
  ['flag without a current', { IsCharging1: 1 }, 'off'],
  ['negative current', { IsCharging1: 1, ChargingCurrent: -40 }, 'off'],
  ['speed exactly 150', { MotorSpeed: 150 }, 'off'],
  ['speed above 150', { MotorSpeed: 150.5 }, 'running'],
  ['turning backwards', { MotorSpeed: -2000 }, 'off'],
  ['charging wins over running', { IsCharging1: 1, ChargingCurrent: 2, MotorSpeed: 900 }, 'charging'],
  [
    'running while the charge has not begun',
    { IsCharging1: 1, ChargingCurrent: 0, MotorSpeed: 900 },
    'running',
  ],
  ['NaN is not set', { IsCharging1: Number.NaN, ChargingCurrent: Number.NaN, MotorSpeed: Number.NaN }, 'off'],
  ['undefined is not set', { IsCharging1: undefined, ChargingCurrent: 5, MotorSpeed: undefined }, 'off'],
];

test.each(cases)(
  'machineStatus returns the status of a machine: %s (LIVE-05)',
  (_name, signals, expected) => {
    expect(machineStatus(signals)).toBe(expected);
  },
);

test('operating hours count while the motor of a machine on the charging cable runs', () => {
  expect(isRunning({ IsCharging1: 1, ChargingCurrent: 2, MotorSpeed: 900 })).toBe(true);
});
