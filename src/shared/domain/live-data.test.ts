import { expect, test } from 'vitest';
import { type LatestValue, liveDataOf } from './live-data.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const UNIX = NOW / 1000;
type Named = [string, LatestValue];
const at = (time: number, values: Record<string, number>): Named[] =>
  Object.entries(values).map(([name, value]) => [name, { value, time }]);

test.each<[string, Named[], number | undefined, Record<string, number>]>([
  ['a stream without readings', [], undefined, { LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 }],
  [
    'soc and charging flags in the case of the logger; other signals stay out',
    at(NOW, {
      SOC1: 80,
      soc2: 70,
      IsChargingFast: 1,
      ChargingCurrent: 9,
      ChargingVoltage: 690,
      MotorSpeed: 0,
      Oil: 3,
    }),
    NOW,
    {
      LATITUDE: 0,
      LONGITUDE: 0,
      GMT_UNIX: UNIX,
      SOC1: 80,
      soc2: 70,
      IsChargingFast: 1,
      ChargingCurrent: 9,
      ChargingVoltage: 690,
      MotorSpeed: 0,
    },
  ],
  [
    'a missing longitude is 0',
    at(NOW, { LATITUDE: 52 }),
    NOW,
    { LATITUDE: 52, LONGITUDE: 0, GMT_UNIX: UNIX },
  ],
  [
    'a signal of exactly 5 minutes stays, an older one disappears',
    [...at(NOW - 300_000, { Soc1: 80 }), ...at(NOW - 300_001, { Soc2: 70 })],
    NOW,
    { LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: UNIX, Soc1: 80 },
  ],
  [
    'an old position stays, with the time of its older coordinate',
    [...at(NOW - 7_200_000, { LATITUDE: 52 }), ...at(NOW - 3_600_000, { LONGITUDE: 5 })],
    NOW,
    { LATITUDE: 52, LONGITUDE: 5, GMT_UNIX: UNIX, POSITION_UNIX: UNIX - 7200 },
  ],
  [
    'the logger clock as a signal does not replace the time of the reading',
    at(NOW, { GMT_UNIX: 5 }),
    NOW + 999,
    { LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: UNIX },
  ],
])('liveDataOf returns the live data of a machine: %s (LIVE-03)', (_name, latest, newestMs, expected) => {
  expect(liveDataOf(latest, newestMs)).toEqual(expected);
});
