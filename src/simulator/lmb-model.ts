import {
  DEMO_MACHINE_STATUS_CODES,
  DEMO_RAIL_GEAR_CODES,
  DEMO_TRACK_CODES,
} from '#shared/demo/rail-codes.ts';
import type { SignalsAt } from './machine-model.ts';
import { driveProgress } from './path-geometry.ts';
import { AMERSFOORT_ZWOLLE } from './rail-line.ts';
import { randomBetween, randomFraction, seedOf, smoothNoise } from './seeded-random.ts';

/** Model of a rail vehicle with an LMB logger, which drives out along the line, works slowly and drives back. */

export type LmbHabits = {
  /** End of the line where the vehicle is stabled. */
  readonly home: 'amersfoort' | 'zwolle';
  /** Start of the vehicle's cycle, as a share (0 to 1) of the three hours of a cycle: with different offsets, two vehicles alternate. */
  readonly cycleOffset: number;
};

type Leg = {
  readonly status: number;
  readonly track: number;
  readonly position: number;
  /** Time in ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** Distance from home along the line at the leg's start and end. */
  readonly fromKm: number;
  readonly toKm: number;
};

const MINUTE = 60_000;
const CYCLE_MS = 180 * MINUTE;
const RUN_KMH = 55;
const WORK_KMH = 3;
const REST_PART = 0.2;

/** Returns the model of an LMB logger: the signals at an instant in ms since 1970, a pure function of loggerid and time. */
export function lmbModel(loggerid: string, habits: LmbHabits): SignalsAt {
  const seed = seedOf(loggerid);
  let known: { readonly cycle: number; readonly legs: readonly Leg[] } | undefined;
  return (timeMs) => {
    const cycle = Math.floor(timeMs / CYCLE_MS - habits.cycleOffset);
    if (known?.cycle !== cycle)
      known = { cycle, legs: legsOf(cycle, (cycle + habits.cycleOffset) * CYCLE_MS, seed) };
    const leg = known.legs.find(({ from, to }) => from <= timeMs && timeMs < to);
    return leg ? moving(leg, habits, seed, timeMs) : stabled(habits);
  };
}

/** Returns the legs of a vehicle's trip in the cycle that starts at `start`; none if it stays stabled, as before and after a trip. */
function legsOf(cycle: number, start: number, seed: number): Leg[] {
  if (randomFraction(seed, 60, cycle) < REST_PART) return [];
  const targetKm = randomBetween(8, 34, seed, 61, cycle);
  const workMs = randomBetween(35, 65, seed, 62, cycle) * MINUTE;
  const workedKm = ((workMs / 3_600_000) * WORK_KMH) / 2;
  const fault = randomFraction(seed, 63, cycle) < 0.3;
  const onTrack = DEMO_RAIL_GEAR_CODES.opSpoor;
  const legs: Leg[] = [];
  let from = start + randomBetween(5, 12, seed, 64, cycle) * MINUTE;
  let km = 0;
  const add = (status: number, track: number, position: number, lasts: number, byKm = 0): void => {
    legs.push({ status, track, position, from, to: from + lasts, fromKm: km, toKm: km + byKm });
    from += lasts;
    km += byKm;
  };
  const runMs = (distance: number): number => (distance / RUN_KMH) * 3_600_000;
  const { stationair, rijden, werken, storing } = DEMO_MACHINE_STATUS_CODES;
  add(stationair, DEMO_TRACK_CODES.opstelspoor, DEMO_RAIL_GEAR_CODES.inSporen, 4 * MINUTE);
  add(stationair, DEMO_TRACK_CODES.opstelspoor, onTrack, 4 * MINUTE);
  add(rijden, DEMO_TRACK_CODES.rechterspoor, onTrack, runMs(targetKm), targetKm);
  add(werken, DEMO_TRACK_CODES.rechterspoor, onTrack, workMs / 2, workedKm);
  add(fault ? storing : stationair, DEMO_TRACK_CODES.rechterspoor, onTrack, 7 * MINUTE);
  add(werken, DEMO_TRACK_CODES.rechterspoor, onTrack, workMs / 2, workedKm);
  add(rijden, DEMO_TRACK_CODES.linkerspoor, onTrack, runMs(km), -km);
  add(stationair, DEMO_TRACK_CODES.opstelspoor, DEMO_RAIL_GEAR_CODES.inSporen, 4 * MINUTE);
  return legs;
}

function moving(leg: Leg, { home }: LmbHabits, seed: number, timeMs: number): Record<string, number> {
  const lasts = leg.to - leg.from;
  const { done, rate } = driveProgress((timeMs - leg.from) / lasts, seed);
  const byKm = leg.toKm - leg.fromKm;
  const speedKmh = (rate * Math.abs(byKm) * 3_600_000) / lasts;
  return {
    ...placeAt(leg.fromKm + byKm * done, home),
    Speed: Math.round(speedKmh * 10) / 10,
    Machinestatus: leg.status,
    Spoor: leg.track,
    Spoorstand: leg.position,
    MotorSpeed: Math.round(motorRpm(leg.status, speedKmh) + 25 * smoothNoise(seed, 65, timeMs / 7_000)),
  };
}

function motorRpm(status: number, speedKmh: number): number {
  if (status === DEMO_MACHINE_STATUS_CODES.werken) return 1650;
  return status === DEMO_MACHINE_STATUS_CODES.rijden ? 850 + 14 * speedKmh : 700;
}

function stabled({ home }: LmbHabits): Record<string, number> {
  return {
    ...placeAt(0, home),
    Speed: 0,
    Machinestatus: DEMO_MACHINE_STATUS_CODES.uit,
    Spoor: DEMO_TRACK_CODES.opstelspoor,
    Spoorstand: DEMO_RAIL_GEAR_CODES.geheven,
    MotorSpeed: 0,
  };
}

function placeAt(kmFromHome: number, home: LmbHabits['home']): { LATITUDE: number; LONGITUDE: number } {
  const line = AMERSFOORT_ZWOLLE;
  const { lat, lon } = line.at(home === 'amersfoort' ? kmFromHome : line.lengthKm - kmFromHome);
  return { LATITUDE: Number(lat.toFixed(6)), LONGITUDE: Number(lon.toFixed(6)) };
}
