import { expect, test } from 'vitest';
import { sumReadings } from './figures.ts';
import type { Reading } from './signal.ts';
import {
  backAndForth,
  driveMovement,
  movementLength,
  noisyReadingsOfMovement,
  parkedMovement,
  type SimulatedMovement,
} from './test/noisy-ways.ts';

/** Checks the tables of docs/decisions/0062: the distance by the size of the noise and the time between positions. */

const metresOf = (readings: readonly Reading[]): number =>
  [...sumReadings(readings).buckets.values()].reduce((sum, { distanceMm }) => sum + distanceMm / 1000, 0);

type Receiver = { readonly everyS: number; readonly sigma: number; readonly memoryS: number };
const receivers = (everies: readonly number[], sigmas: readonly number[]): Receiver[] =>
  everies.flatMap((everyS) =>
    sigmas.flatMap((sigma) => [0, 60].map((memoryS) => ({ everyS, sigma, memoryS }))),
  );

test.each(receivers([1, 5, 10, 30, 60], [1, 2.5]))(
  'a machine parked for 8 hours moves at most 50 m: %o (42.22)',
  (receiver) => {
    expect(metresOf(noisyReadingsOfMovement(parkedMovement(8 * 3600), receiver))).toBeLessThanOrEqual(50);
  },
);

/** Returns the error of the computed distance, too long or too short, as a share of the exact length. */
const errorOf = (way: SimulatedMovement, receiver: Receiver): number =>
  Math.abs(metresOf(noisyReadingsOfMovement(way, receiver)) / movementLength(way) - 1);

test.each(receivers([1, 5, 10, 30], [1, 2.5]))(
  'the distance of 10 km at 30 km/h is right within 2 percent: %o (42.22)',
  (receiver) => {
    expect(errorOf(driveMovement(10_000, 8.33), receiver)).toBeLessThan(0.02);
  },
);

test.each(receivers([10], [1, 2.5]))(
  'the distance of 10 km at 7 km/h is right within 2 percent: %o (42.22)',
  (receiver) => {
    expect(errorOf(driveMovement(10_000, 2), receiver)).toBeLessThan(0.02);
  },
);

test.each(receivers([10], [1, 2.5]))(
  'the distance of work back and forth over 20 m is right within 10 percent: %o (42.22)',
  (receiver) => {
    for (const speed of [0.5, 1])
      expect(errorOf(backAndForth(4 * 3600, 20, speed), receiver)).toBeLessThan(0.1);
  },
);
