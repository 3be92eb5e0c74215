import type { Reading } from '#shared/domain/signal.ts';
import { amsterdamDay, amsterdamInstant, weekday } from './amsterdam-time.ts';
import { randomBetween, randomFraction, randomNormal, seedOf } from './seeded-random.ts';

/**
 * Generates readings of a machine on a building site with a routine for each weekday. Single days differ from the routine: in the
 * amount of work and its start, or without a charge at lunch, without a charge in the night before, or without work.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STEP_MS = 5 * MINUTE;
const VOLTS = 650;
/** Times of the shift in minutes after midnight, and the length of the lunch in minutes. */
const BEGIN = 7 * 60;
const LUNCH = 12 * 60;
const LUNCH_MINUTES = 45;
const END = 16 * 60 + 30;
const WATCHED = { FROM: 6 * 60 + 30, TO: 17 * 60 };
const FRIDAY = 4;
const SATURDAY = 5;
const OFF = 0.05;
const NOT_PLUGGED_IN = 0.05;
const LUNCH_FORGOTTEN = 0.07;
/** Standard deviation of a day's consumption, as a share of the usual consumption of that weekday. */
const DAYS_DIFFER = 0.08;

type Routine = {
  readonly capacityKwh: number;
  /** Consumption in percentage points of charge per hour of work, Monday first. */
  readonly perHour: readonly number[];
  /** Percentage points charged at lunch; 0 if the machine is not plugged in. */
  readonly lunch: number;
  readonly endsAtLunchOnFriday: boolean;
};

function routineOf(seed: number): Routine {
  const usual = randomBetween(4, 11, seed, 1, 0);
  return {
    capacityKwh: randomBetween(40, 300, seed, 2, 0),
    perHour: Array.from({ length: SATURDAY }, (_, day) => usual * randomBetween(0.8, 1.2, seed, 3, day)),
    lunch: randomFraction(seed, 4, 0) < 0.6 ? randomBetween(8, 25, seed, 5, 0) : 0,
    endsAtLunchOnFriday: randomFraction(seed, 6, 0) < 0.4,
  };
}

/**
 * Returns a reading per five minutes from 06:30 to 17:00, Monday to Friday.
 * @param name seed of the machine
 * @param days number of days before `until`
 * @param until ms since 1970
 */
export function noisyShiftReadings(name: string, days: number, until: number): Reading[] {
  const seed = seedOf(name);
  const routine = routineOf(seed);
  const readings: Reading[] = [];
  const last = amsterdamDay(until);
  let evening = 100;
  for (let day = last - days; day < last; day += 1) {
    if (weekday(day) >= SATURDAY) {
      evening = 100;
      continue;
    }
    const morning = randomFraction(seed, 10, day) < NOT_PLUGGED_IN ? evening : 100;
    const shift = shiftOn(seed, day, morning, routine);
    readings.push(...shift);
    evening = shift.at(-1)?.signals.Soc1 ?? 100;
  }
  return readings;
}

function shiftOn(seed: number, day: number, morning: number, routine: Routine): Reading[] {
  const isOff = randomFraction(seed, 11, day) < OFF;
  const perHour = (routine.perHour[weekday(day)] ?? 0) * (1 + DAYS_DIFFER * randomNormal(seed, 20, day));
  const begin = BEGIN + randomBetween(-10, 10, seed, 12, day);
  const end =
    routine.endsAtLunchOnFriday && weekday(day) === FRIDAY
      ? LUNCH
      : END + randomBetween(-15, 15, seed, 13, day);
  const lunch = randomFraction(seed, 14, day) < LUNCH_FORGOTTEN ? 0 : routine.lunch;
  const readings: Reading[] = [];
  let percent = morning;
  for (let minute = WATCHED.FROM; minute <= WATCHED.TO; minute += STEP_MS / MINUTE) {
    const isLunch = minute >= LUNCH && minute < LUNCH + LUNCH_MINUTES;
    const works = !isOff && !isLunch && minute >= begin && minute < end && percent > 0;
    const charges = !isOff && isLunch && end > LUNCH && lunch > 0 && percent < 100;
    const points = works
      ? -perHour * randomBetween(0.6, 1.4, seed, 15, day * 1_000 + minute)
      : charges
        ? (lunch * 60) / LUNCH_MINUTES
        : 0;
    const kW = (-points * routine.capacityKwh) / 100;
    readings.push({
      time: amsterdamInstant(day, minute),
      signals: {
        Soc1: Math.floor(2 * percent) / 2,
        MotorSpeed: works ? 1500 : 0,
        BatteryCurrent: (kW * 1000) / VOLTS,
        BatteryVoltage: VOLTS,
        ChargingCurrent: charges ? (-kW * 1000) / VOLTS : 0,
        ChargingVoltage: VOLTS,
        IsCharging1: charges ? 1 : 0,
      },
    });
    percent = Math.max(0, Math.min(100, percent + (points * STEP_MS) / HOUR));
  }
  return readings;
}
