import type { Reading } from '#shared/domain/signal.ts';
import { randomBetween, randomFraction, randomNormal, seedOf } from './seeded-random.ts';

/**
 * Generates readings, for tests of charging forecasts, of a machine that only charges, once a day as on a building site: at varying
 * hours, charge levels and powers, with less power the fuller the battery is, sometimes at a wall socket and sometimes interrupted.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const STEP_MS = MINUTE;
const CAPACITY_KWH = 120;
const VOLTS = 650;
/** Power of the usual charger, and of a wall socket. */
const CHARGER_KW = 22;
const PLUG_KW = 7;
const AT_THE_PLUG = 0.08;
const BROKEN_OFF = 0.12;

/** Returns the readings of a machine. @param name seed of the machine @param days from 1 November 2025 on */
export function noisyChargingReadings(name: string, days: number): Reading[] {
  const seed = seedOf(name);
  const first = Date.parse('2025-11-01T00:00:00Z');
  return Array.from({ length: days }, (_, day) => charge(seed, first + day * DAY, day)).flat();
}

function charge(seed: number, midnight: number, day: number): Reading[] {
  const from = midnight + Math.round(randomBetween(15, 18, seed, 10, day) * 60) * MINUTE;
  const fullKw =
    (randomFraction(seed, 11, day) < AT_THE_PLUG ? PLUG_KW : CHARGER_KW) *
    (1 + 0.06 * randomNormal(seed, 20, day));
  const taperFrom = 84 + 2 * randomNormal(seed, 30, day);
  const taperFloor = 0.16 * (1 + 0.1 * randomNormal(seed, 40, day));
  const stopsAt = randomFraction(seed, 12, day) < BROKEN_OFF ? randomBetween(40, 97, seed, 13, day) : 100;
  const readings: Reading[] = [];
  let percent = randomBetween(12, 72, seed, 14, day);
  let time = from;
  for (; percent < stopsAt && time < from + 0.9 * DAY; time += STEP_MS) {
    const taper = Math.max(taperFloor, Math.min(1, (100 - percent) / (100 - taperFrom)));
    const kW = fullKw * taper * (1 + 0.04 * randomNormal(seed, 50, time / STEP_MS));
    readings.push({ time, signals: signalsAt(percent, kW) });
    percent = Math.min(100, percent + ((kW * STEP_MS) / 3_600_000 / CAPACITY_KWH) * 100);
  }
  for (let after = 0; after < 15; after++)
    readings.push({ time: time + after * STEP_MS, signals: signalsAt(percent, 0) });
  return readings;
}

/** Returns the signals with the charge in whole percents, as most machines report it. */
const signalsAt = (percent: number, kW: number) => ({
  Soc1: Math.floor(percent),
  BatteryCurrent: (-kW * 1000) / VOLTS,
  BatteryVoltage: VOLTS,
  ChargingCurrent: (kW * 1000) / VOLTS,
  ChargingVoltage: VOLTS,
  IsCharging1: kW > 0 ? 1 : 0,
});
