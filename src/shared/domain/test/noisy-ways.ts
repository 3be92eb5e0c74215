import type { Reading } from '#shared/domain/signal.ts';
import { Random } from './oracle/random-machine.ts';

/** Exact movements of a machine, and the positions that a receiver with noise reports of them, to test computed distances. */

const START = Date.UTC(2026, 5, 1, 6);
const METRES_PER_DEGREE = (6_371_000 * Math.PI) / 180;
const MIDDLE = { lat: 52, lon: 5 };

/** A movement: `at` returns the position in metres from the middle, by seconds since the start. */
export type SimulatedMovement = {
  readonly seconds: number;
  readonly at: (seconds: number) => readonly [x: number, y: number];
};

/** Returns the exact length of a movement, m. */
export function movementLength({ seconds, at }: SimulatedMovement): number {
  let metres = 0;
  for (let n = 0.1; n <= seconds; n += 0.1) {
    const [[x, y], [a, b]] = [at(n), at(n - 0.1)];
    metres += Math.hypot(x - a, y - b);
  }
  return metres;
}

export const parkedMovement = (seconds: number): SimulatedMovement => ({ seconds, at: () => [0, 0] });

/** Returns a drive along a winding road. @param metres length @param speed m/s */
export const driveMovement = (metres: number, speed: number): SimulatedMovement => ({
  seconds: metres / speed / 1.02,
  at: (s) => [speed * s, 60 * Math.sin((speed * s) / 300)],
});

/** Returns a movement back and forth over `span` metres. */
export const backAndForth = (seconds: number, span: number, speed: number): SimulatedMovement => ({
  seconds,
  at: (s) => {
    const along = (speed * s) % (2 * span);
    return [along < span ? along : 2 * span - along, 0];
  },
});

/**
 * Returns the readings with the positions that a receiver with noise reports of a movement.
 * @param sigma standard deviation of the receiver's error on each axis, m
 * @param memoryS time after which 1 / e of an error remains; 0: each position has an error of its own
 */
export function noisyReadingsOfMovement(
  { seconds, at }: SimulatedMovement,
  {
    everyS,
    sigma,
    memoryS = 0,
    seed = 1,
  }: {
    readonly everyS: number;
    readonly sigma: number;
    readonly memoryS?: number;
    readonly seed?: number;
  },
): Reading[] {
  const random = new Random(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const keeps = memoryS > 0 ? Math.exp(-everyS / memoryS) : 0;
  let error = [normal(), normal()] as const;
  const readings: Reading[] = [];
  for (let s = 0; s <= seconds; s += everyS) {
    const [x, y] = at(s);
    const fresh = Math.sqrt(1 - keeps * keeps);
    error = [keeps * error[0] + fresh * normal(), keeps * error[1] + fresh * normal()];
    const north = y + sigma * error[1];
    const east = x + sigma * error[0];
    readings.push({
      time: START + s * 1000,
      signals: {
        LATITUDE: MIDDLE.lat + north / METRES_PER_DEGREE,
        LONGITUDE: MIDDLE.lon + east / METRES_PER_DEGREE / Math.cos((MIDDLE.lat * Math.PI) / 180),
      },
    });
  }
  return readings;
}
