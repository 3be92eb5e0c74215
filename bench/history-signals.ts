import type { Signals } from '#shared/domain/signal.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * What a machine reports at second `s` since 1970: from six to four it works, wandering over its site and now and then
 * to another; then it charges three hours, then it is off. It reports all day.
 */
export function machineSignals(s: number): Signals {
  const hour = Math.floor(s / HOUR) % 24;
  const [works, charges] = [hour >= 6 && hour < 16, hour >= 16 && hour < 19];
  // Hours of work until then.
  const worked = Math.floor(s / DAY) * 10 + Math.min(Math.max((s % DAY) / HOUR - 6, 0), 10);
  const soc = 55 + 40 * Math.cos((s / DAY) * 2 * Math.PI);
  return {
    LATITUDE: rounded(51.4 + 0.02 * Math.sin(worked / 9) + 0.002 * Math.sin(worked * 5), 6),
    LONGITUDE: rounded(4.4 + 0.03 * Math.cos(worked / 7) + 0.003 * Math.cos(worked * 4), 6),
    MotorSpeed: works ? 1200 : 0,
    ChargingCurrent: charges ? 62.5 : 0,
    ChargingVoltage: 702.5,
    BatteryCurrent: works ? rounded(60 + 120 * Math.sin(s / 40), 1) : charges ? -60 : 0.5,
    BatteryVoltage: 690,
    Speed: works ? rounded(3 + 3 * Math.sin(s / 90), 1) : 0,
    Machinestatus: works ? 1 : 3,
    Spoor: 0,
    Spoorstand: 0,
    IsCharging: charges ? 1 : 0,
    Soc1: rounded(soc, 1),
    Soc2: rounded(soc - 0.7, 1),
    OilTemperature: 61.5,
    PumpPressure: 180,
    NUMBER_SATELLITES: 11,
  };
}

/**
 * What an LMB logger reports at second `s` (tenths count): to and fro on its track all day, at another speed every
 * tenth of a second, its codes holding for minutes; and once in three hours a peak that lasts one reading.
 */
export function railSignals(s: number): Signals {
  const run = 6.5 * Math.sin(s / 900);
  const peak = Math.round(s * 10) % (3 * HOUR * 10) === 12_345;
  return {
    LATITUDE: rounded(52.15 + 0.02 * run, 6),
    LONGITUDE: rounded(5.38 + 0.002 * Math.sin(s / 300), 6),
    Speed: peak ? RAIL_PEAK : rounded(Math.abs(18 * Math.cos(s / 900)) + Math.sin(s * 3), 1),
    Machinestatus: Math.floor(s / 420) % 5,
    Spoor: Math.floor(s / 900) % 2,
    Spoorstand: Math.floor(s / 600) % 3,
  };
}

/** km/h; nothing else of railSignals comes near. */
export const RAIL_PEAK = 40;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;
