import { expect, test } from 'vitest';
import { type BatteryState, batteriesOf } from './battery.ts';

import {
  chargeLastsUntilText,
  forecastStillAhead,
  fullBetweenText,
  hoursToForecastMiddle,
  missingPackData,
  whyChargeTimeUnknown,
  whyChargeUntilUnknown,
  whyWorkTimeUnknown,
} from './time-left.ts';

/** 06:45 in Amsterdam. */
const NOW = Date.UTC(2026, 10, 23, 5, 45);
const FRESH = { GMT_UNIX: NOW / 1000, Soc1: 60, Soc2: 40 };
const CHARGES = { IsCharging1: 1, ChargingCurrent: 20, ChargingVoltage: 400 };
const packs = (signals: Record<string, number>, ...capacities: (number | null)[]): readonly BatteryState[] =>
  batteriesOf(
    signals,
    capacities.map((capacity) => ({ capacity })),
  );
const known = (signals: Record<string, number> = {}, capacities: (number | null)[] = [20, 30]) => {
  const liveData = { ...FRESH, ...signals };
  return { batteries: packs(liveData, ...capacities), liveData, isStale: liveData.GMT_UNIX < 1e6 };
};
const POWER = { AvgPower: 4, known: 1 };

test.each([
  ["meldt geen accu's", packs({})],
  ['capaciteit niet ingevuld', packs({ Soc1: 60 }, null)],
  ['capaciteit van accu 2 niet ingevuld', packs(FRESH, 20)],
  ['accu 3 zwijgt', packs(FRESH, 20, 20, 20)],
  ['accu 2, 3 en 4 zwijgen', packs({ Soc1: 60 }, 20, 20, 20, 20)],
  [undefined, packs(FRESH, 20, 20)],
])('the text about missing data of the batteries: %s (15.5d)', (words, batteries) => {
  expect(missingPackData(batteries)).toBe(words);
});

test.each([
  ['gegevens te oud', known({ GMT_UNIX: 5 }), POWER],
  ['nog geen gegevens', known({ GMT_UNIX: 0 }), POWER],
  ['accu 3 zwijgt', known({}, [1, 2, 3]), POWER],
  ['vermogen nog niet geladen', known(), undefined],
  ['draaide 30 dagen niet', known(), { AvgPower: null, known: null }],
  ['accustroom niet gemeten', known(), { AvgPower: null, known: 0 }],
  ['gebruikte geen vermogen', known(), { AvgPower: -1, known: 1 }],
])('the text about why there is no work time: %s (15.5d)', (words, machine, power) => {
  expect(whyWorkTimeUnknown(machine, power)).toBe(words);
});

test.each([
  ['gegevens te oud', known({ ...CHARGES, GMT_UNIX: 5 })],
  ['capaciteit van accu 1 niet ingevuld', known(CHARGES, [null, 20])],
  ['geen laadvermogen gemeten', known({ ...CHARGES, ChargingVoltage: 0 })],
])('the text about why there is no time until full: %s (15.5d)', (words, machine) => {
  expect(whyChargeTimeUnknown(machine)).toBe(words);
});

test.each([
  ['a clock time, never too late', '2026-11-23T12:34:59Z', 'tot ca. 13:30'],
  ['a time further than half a day ahead, with its day', '2026-11-23T23:09:00Z', 'tot ca. 24-11-26, 00:05'],
  ['no time', null, 'hele dag'],
])('the text about until when the charge lasts: %s (15.5b)', (_, until, words) => {
  expect(chargeLastsUntilText(until, NOW)).toBe(words);
});

test.each([
  ['laadt', known(CHARGES)],
  ['gegevens te oud', known({ GMT_UNIX: 5 })],
  ["meldt geen accu's", known({ Soc1: Number.NaN, Soc2: Number.NaN }, [])],
  ['maandag niet bekend', known({})],
])('the text that explains why it is unknown until when the charge lasts: %s (15.5b)', (words, machine) => {
  expect(whyChargeUntilUnknown(machine, NOW)).toBe(words);
});

test('hoursToForecastMiddle returns the hours to the middle of the remaining forecast range, above 0 until the range ends (53.3)', () => {
  const forecast = { from: '2026-11-23T07:00:00Z', to: '2026-11-23T08:00:00Z' };
  const at = (clock: string) => Date.parse(`2026-11-23T${clock}:00Z`);
  expect(hoursToForecastMiddle(forecast, at('06:00'))).toBe(1.5);
  expect(hoursToForecastMiddle(forecast, at('07:00'))).toBe(0.5);
  expect(hoursToForecastMiddle(forecast, at('07:40'))).toBeCloseTo(1 / 6, 9);
});

test('a forecast range that has passed is ignored (53.3)', () => {
  const forecast = { from: '2026-11-23T05:50:00Z', to: '2026-11-23T06:00:00Z' };
  expect(fullBetweenText(forecast, NOW)).toBe('vol ca. 06:50 tot 07:00');
  expect(forecastStillAhead(forecast, NOW)).toBe(forecast);
  expect(forecastStillAhead(forecast, NOW + 15 * 60_000)).toBeUndefined();
  expect(forecastStillAhead(null, NOW)).toBeUndefined();
});
