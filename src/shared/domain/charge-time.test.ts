import { expect, test } from 'vitest';
import { batteriesOf } from './battery.ts';
import { hoursUntilFull } from './charge-time.ts';
import type { SignalValues } from './machine-status.ts';
import { hoursAsClock } from './nl.ts';

const cases: [string, SignalValues, (number | null)[], string][] = [
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

test.each(cases)('MDET-06 remaining charge time: %s', (_name, liveData, capacities, expected) => {
  const batteries = batteriesOf(
    liveData,
    capacities.map((capacity) => ({ capacity })),
  );
  const hours = hoursUntilFull(batteries, liveData);
  expect(hoursAsClock(hours)).toBe(expected);
  expect(hours === undefined).toBe(expected === '--:--');
});
