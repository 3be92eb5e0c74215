import type { Signals } from '#shared/domain/signal.ts';

/** Seconds between two readings of a bench machine. */
export const READING_INTERVAL_SECONDS = 2;

/** R2 sequence (M. Roberts, 2018), which spreads any number of points evenly over a square. */
const R2 = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3] as const;
const share = (machine: number, axis: 0 | 1): number => (0.5 + machine * R2[axis]) % 1;

/**
 * Returns the 20 signals of bench machine `machine` at its reading `step`, as an excavator with two batteries
 * sends them: 12 have a column, 8 have none, and the JSON with the time has some 384 bytes. Machines stand all
 * over the Netherlands and move some 40 m per step. Of every five machines three work, one is off and one
 * charges.
 */
export function benchMachineSignals(machine: number, step: number): Signals {
  const turn = step / 5 + machine;
  const state = machine % 5;
  const load = state < 3 ? (1 + Math.sin(turn)) / 2 : 0;
  const charging = state === 4;
  const soc = 30 + 60 * share(machine, 0) - (step % 400) / 20;
  return {
    LATITUDE: rounded(51.4 + 1.8 * share(machine, 0) + 0.002 * Math.sin(turn), 6),
    LONGITUDE: rounded(4.4 + 2.4 * share(machine, 1) + 0.003 * Math.cos(turn), 6),
    Speed: rounded(6 * load, 1),
    MotorSpeed: state < 3 ? Math.round(800 + 900 * load) : 0,
    BatteryCurrent: rounded(charging ? -60 : 220 * load, 1),
    BatteryVoltage: rounded(690 + 20 * share(machine, 1) - 12 * load, 1),
    ChargingCurrent: charging ? 62.5 : 0,
    ChargingVoltage: charging ? 702.5 : 0,
    Soc1: rounded(soc, 1),
    Soc2: rounded(soc - 0.7, 1),
    IsCharging: charging ? 1 : 0,
    Machinestatus: state,
    OilTemperature: rounded(55 + 8 * load, 1),
    PumpPressure: Math.round(35 + 180 * load),
    PackTemp1: rounded(24 + 4 * load, 1),
    PackTemp2: rounded(25 + 3 * load, 1),
    OutsideTemp: rounded(11 + 2 * share(machine, 1), 1),
    HydraulicFlow: rounded(60 * load, 1),
    NUMBER_SATELLITES: 9 + (machine % 6),
    ErrorCode: 0,
  };
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Returns the signals of a machine at second `s` since 1970. The machine works from 6:00 to 16:00 UTC, moves around its site, and
 * sometimes moves to another site. It charges for three hours after work and is off until the next morning. It reports all day.
 */
export function workdaySignals(s: number): Signals {
  const hour = Math.floor(s / HOUR) % 24;
  const [works, charges] = [hour >= 6 && hour < 16, hour >= 16 && hour < 19];
  const workedHours = Math.floor(s / DAY) * 10 + Math.min(Math.max((s % DAY) / HOUR - 6, 0), 10);
  const soc = 55 + 40 * Math.cos((s / DAY) * 2 * Math.PI);
  return {
    LATITUDE: rounded(51.4 + 0.02 * Math.sin(workedHours / 9) + 0.002 * Math.sin(workedHours * 5), 6),
    LONGITUDE: rounded(4.4 + 0.03 * Math.cos(workedHours / 7) + 0.003 * Math.cos(workedHours * 4), 6),
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

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;
