import { expect, test } from 'vitest';
import {
  averagePercent,
  type BatteryState,
  batteriesOf,
  hoursUntilFull,
  powerKw,
  remainingKwh,
  usableKwh,
  workHoursLeft,
} from './battery.ts';
import type { SignalValues } from './machine-status.ts';
import { hoursAsClock } from './nl.ts';

const packs = (...capacities: (number | null)[]) => capacities.map((capacity) => ({ capacity }));
const state = (number: number, percent?: number, capacityKwh?: number): BatteryState => ({
  number,
  percent,
  capacityKwh,
});

const fields: [string, SignalValues, (number | null)[], BatteryState[]][] = [
  ['none', { MotorSpeed: 900 }, [], []],
  ['one per field', { Soc2: 40, Soc1: 80 }, [], [state(1, 80), state(2, 40)]],
  ['any case', { SOC1: 10, soc2: 20, sOc3: 30 }, [], [state(1, 10), state(2, 20), state(3, 30)]],
  ['eight packs, and Soc9 is none', { Soc9: 9, Soc8: 8, Soc2: 2 }, [], [state(2, 2), state(8, 8)]],
  ['exactly soc and a number wins', { SocDisp1: 55, Soc1: 60, Soc01: 50 }, [], [state(1, 60)]],
  ['digits anywhere in the name', { Soc_Pack3_Disp: 7 }, [], [state(3, 7)]],
  ['no digits is battery 1', { soc: 55 }, [100], [state(1, 55, 100)]],
  ['digits win over none', { SOC: 55, Soc1: 60 }, [], [state(1, 60)]],
  ['the same in the other key order', { Soc1: 60, SOC: 55 }, [], [state(1, 60)]],
  ['no digits fills in for NaN', { Soc1: Number.NaN, SOC: 55 }, [], [state(1, 55)]],
  ['NaN is unknown', { Soc1: Number.NaN }, [100], [state(1, undefined, 100)]],
  ['a listed pack without a field', { Soc1: 80 }, [100, 50], [state(1, 80, 100), state(2, undefined, 50)]],
  ['capacity null and zero are not entered', { Soc1: 80, Soc2: 1 }, [null, 0], [state(1, 80), state(2, 1)]],
  ['outside 0-100 stays as measured', { Soc1: 120, Soc2: -3 }, [], [state(1, 120), state(2, -3)]],
  ['0 % is a value', { Soc1: 0, SOC: 9 }, [], [state(1, 0)]],
];

test.each(fields)(
  'batteriesOf returns the batteries of a machine: %s (LIVE-04, 12.A5)',
  (_name, liveData, capacities, expected) => {
    expect(batteriesOf(liveData, packs(...capacities))).toEqual(expected);
  },
);

test.each<[string, BatteryState[], number | undefined]>([
  ['no batteries', [], undefined],
  ['none known', [state(1)], undefined],
  ['plain mean, whatever the capacities', [state(1, 80, 100), state(2, 40, 10)], 60],
  ['the silent one does not count', [state(1, 80), state(2)], 80],
  ['0 % counts', [state(1, 80), state(2, 0)], 40],
])('averagePercent returns the mean charge level: %s (APP-09, MDET-04)', (_name, batteries, expected) => {
  expect(averagePercent(batteries)).toBe(expected);
});

test.each<[string, BatteryState[], number | undefined, number | undefined]>([
  ['no batteries', [], undefined, undefined],
  ['one', [state(1, 50, 100)], 40, 80],
  ['weighted by capacity', [state(1, 50, 100), state(2, 100, 10)], 48, 88],
  ['empty', [state(1, 0, 100)], 0, 80],
  ['a percentage missing', [state(1, 50, 100), state(2, undefined, 10)], undefined, 88],
  ['a capacity missing', [state(1, 50, 100), state(2, 50)], undefined, undefined],
])(
  'the remaining and the usable energy of batteries are computed: %s (MDET-05, MDET-06)',
  (_name, batteries, remaining, usable) => {
    expect(remainingKwh(batteries)).toBe(remaining);
    expect(usableKwh(batteries)).toBe(usable);
  },
);

test.each<[string, number | undefined, number | undefined, number | undefined]>([
  ['discharging', 50, 640, 32],
  ['charging or braking', -50, 640, -32],
  ['no voltage: 700 V', 50, undefined, 35],
  ['no current', undefined, 640, undefined],
  ['a current of 0', 0, undefined, 0],
  ['a voltage of 0 is a voltage', 50, 0, 0],
  ['NaN', Number.NaN, 640, undefined],
])('powerKw multiplies current by voltage: %s (MDET-05)', (_name, amps, volts, expected) => {
  expect(powerKw(amps, volts)).toBe(expected);
});

const charging: [string, SignalValues, (number | null)[], string][] = [
  ['40 of 80 kWh at 700 V x 20 A', { Soc1: 50, ChargingCurrent: 20 }, [100], '02:51'],
  ['its own voltage', { Soc1: 50, ChargingCurrent: 20, ChargingVoltage: 400 }, [100], '05:00'],
  ['two packs', { Soc1: 50, Soc2: 100, ChargingCurrent: 20, ChargingVoltage: 400 }, [100, 50], '05:00'],
  ['full', { Soc1: 100, ChargingCurrent: 20 }, [77.7], '00:00'],
  ['above full', { Soc1: 104, ChargingCurrent: 20 }, [100], '00:00'],
  ['no current', { Soc1: 50 }, [100], '--:--'],
  ['current exactly 1: not charging', { Soc1: 50, ChargingCurrent: 1 }, [100], '--:--'],
  ['negative current', { Soc1: 50, ChargingCurrent: -20 }, [100], '--:--'],
  ['both negative', { Soc1: 50, ChargingCurrent: -20, ChargingVoltage: -400 }, [100], '--:--'],
  ['zero power', { Soc1: 50, ChargingCurrent: 20, ChargingVoltage: 0 }, [100], '--:--'],
  ['capacity missing', { Soc1: 50, ChargingCurrent: 20 }, [null], '--:--'],
  ['no capacity listed', { Soc1: 50, ChargingCurrent: 20 }, [], '--:--'],
  ['percentage missing', { Soc1: 50, ChargingCurrent: 20 }, [100, 100], '--:--'],
  ['NaN', { Soc1: 50, ChargingCurrent: Number.NaN }, [100], '--:--'],
];

test.each(charging)(
  'hoursUntilFull returns the time until full: %s (MDET-06)',
  (_name, liveData, capacities, expected) => {
    const batteries = batteriesOf(liveData, packs(...capacities));
    const hours = hoursUntilFull(batteries, liveData);
    expect(hoursAsClock(hours)).toBe(expected);
    expect(hours === undefined).toBe(expected === '--:--');
  },
);

test.each<[string, number | undefined, number | undefined, number | undefined]>([
  ['40 kWh at 16 kW', 40, 16, 2.5],
  ['empty', 0, 16, 0],
  ['below empty', -1, 16, 0],
  ['power zero', 40, 0, undefined],
  ['power negative', 40, -5, undefined],
  ['power unknown', 40, undefined, undefined],
  ['remaining unknown', undefined, 16, undefined],
  ['power NaN', 40, Number.NaN, undefined],
  ['remaining NaN', Number.NaN, 16, undefined],
  ['power next to nothing', 40, Number.MIN_VALUE, undefined],
])('the remaining work time is computed: %s (MDET-05)', (_name, remaining, power, expected) => {
  expect(workHoursLeft(remaining, power)).toBe(expected);
});
