import { describe, expect, test } from 'vitest';
import { sumReadings } from './figures.ts';
import type { Reading, Signals } from './signal.ts';
import {
  backAndForth,
  driveMovement,
  movementLength,
  noisyReadingsOfMovement,
  parkedMovement,
  type SimulatedMovement,
} from './test/noisy-ways.ts';

const HOUR = 3600;

/** Returns how far the machine drove and was carried, in metres. */
function movedOf(readings: readonly Reading[]): { driven: number; carried: number } {
  const buckets = [...sumReadings(readings).buckets.values()];
  const [distance, carried] = [
    buckets.reduce((sum, { distanceMm }) => sum + distanceMm / 1000, 0),
    buckets.reduce((sum, { carriedMm }) => sum + carriedMm / 1000, 0),
  ];
  return { driven: distance - carried, carried };
}
const drivenOf = (readings: readonly Reading[]): number => movedOf(readings).driven;
const saying = (readings: readonly Reading[], signals: Signals): Reading[] =>
  readings.map((one) => ({ ...one, signals: { ...one.signals, ...signals } }));
/** Returns the share by which the computed distance is too long; negative: too short. */
const errorOf = (way: SimulatedMovement, readings: readonly Reading[]): number =>
  drivenOf(readings) / movementLength(way) - 1;

const SEEDS = [1, 2, 3, 4, 5];

describe('distance in spite of noise (42.22)', () => {
  test.each(SEEDS)(
    'a machine parked for 8 hours with 2.5 m of noise every 10 s moves at most 50 m: seed %i',
    (seed) => {
      expect(
        drivenOf(noisyReadingsOfMovement(parkedMovement(8 * HOUR), { everyS: 10, sigma: 2.5, seed })),
      ).toBeLessThanOrEqual(50);
    },
  );

  test.each(SEEDS)('the distance of 10 km with 2.5 m of noise is right within 2 percent: seed %i', (seed) => {
    for (const speed of [2, 4, 8, 14]) {
      const way = driveMovement(10_000, speed);
      expect(
        Math.abs(errorOf(way, noisyReadingsOfMovement(way, { everyS: 10, sigma: 2.5, seed }))),
      ).toBeLessThan(0.02);
    }
  });

  test.each(SEEDS)(
    'the distance of slow work back and forth over 20 m is right within 10 percent: seed %i',
    (seed) => {
      for (const speed of [0.5, 1]) {
        const way = backAndForth(4 * HOUR, 20, speed);
        expect(
          Math.abs(errorOf(way, noisyReadingsOfMovement(way, { everyS: 10, sigma: 2.5, seed }))),
        ).toBeLessThan(0.1);
      }
    },
  );

  test('a receiver that wanders by 60 m adds no distance while the motor stands', () => {
    const wander = noisyReadingsOfMovement(parkedMovement(8 * HOUR), { everyS: 30, sigma: 30, memoryS: 600 });
    expect(movedOf(saying(wander, { MotorSpeed: 0 }))).toEqual({ driven: 0, carried: 0 });
  });

  test('a wrong position at the end of a bucket adds no distance to the next bucket', () => {
    const aside: SimulatedMovement = { seconds: 600, at: (s) => [s === 290 ? 40 : 0, 0] };
    const [, second] = sumReadings(noisyReadingsOfMovement(aside, { everyS: 10, sigma: 1 })).buckets.values();
    expect(second?.distanceMm).toBe(0);
  });

  test('a receiver that repeats its last position adds no distance', () => {
    expect(drivenOf(noisyReadingsOfMovement(parkedMovement(HOUR), { everyS: 1, sigma: 0 }))).toBe(0);
  });
});

describe('a drive that ends shortly after a bucket begins (52.3)', () => {
  test.each(SEEDS)(
    'the end of a drive 30 s after a bucket begins adds its distance to that bucket: seed %i',
    (seed) => {
      const end: SimulatedMovement = { seconds: 330, at: (s) => [s, 0] };
      const [, second] = sumReadings(
        noisyReadingsOfMovement(end, { everyS: 10, sigma: 1, seed }),
      ).buckets.values();
      expect((second?.distanceMm ?? 0) / 1000).toBeCloseTo(40, -1);
    },
  );
});

describe('driven or carried (42.23)', () => {
  const way = driveMovement(20_000, 20);
  const readings = noisyReadingsOfMovement(way, { everyS: 10, sigma: 2.5 });

  test.each<[string, Signals, 'driven' | 'carried']>([
    ['its motor runs', { MotorSpeed: 900 }, 'driven'],
    ['its motor stands', { MotorSpeed: 0 }, 'carried'],
    ['its motor stands, whatever the receiver says of its speed', { MotorSpeed: 0, Speed: 72 }, 'carried'],
    ['no MotorSpeed ever, and 72 km/h', { Speed: 72 }, 'driven'],
    ['no MotorSpeed ever, and 140 km/h on a train', { Speed: 140 }, 'carried'],
    ['no MotorSpeed ever, and a speed of 0 on a ferry', { Speed: 0 }, 'carried'],
    ['nothing but positions is known', {}, 'driven'],
  ])('20 km count as driven or carried if %s: %o', (_name, signals, how) => {
    const moved = movedOf(saying(readings, signals));
    expect(Math.abs(moved[how] / movementLength(way) - 1)).toBeLessThan(0.02);
    expect(moved[how === 'driven' ? 'carried' : 'driven']).toBe(0);
  });

  test('a machine whose CAN bus sleeps on the trailer is carried from 5 minutes after its last MotorSpeed on', () => {
    const [first, ...others] = readings as [Reading, ...Reading[]];
    const { carried, driven } = movedOf([...saying([first], { MotorSpeed: 900 }), ...others]);
    expect(driven).toBeGreaterThan(0);
    expect(driven).toBeLessThanOrEqual(310 * 20.5);
    expect(carried + driven).toBeGreaterThan(19_000);
  });

  test('less than 250 m with a standing motor adds no distance', () => {
    const near = driveMovement(240, 2);
    expect(
      movedOf(saying(noisyReadingsOfMovement(near, { everyS: 10, sigma: 0 }), { MotorSpeed: 0 })),
    ).toEqual({
      driven: 0,
      carried: 0,
    });
  });

  test('a jump to a place where the machine stays counts as carried, the driving before and after it as driven', () => {
    const there: SimulatedMovement = { seconds: 1200, at: (s) => [s < 600 ? 5 * s : 5 * s + 50_000, 0] };
    const moved = movedOf(
      saying(noisyReadingsOfMovement(there, { everyS: 10, sigma: 0 }), { MotorSpeed: 900 }),
    );
    expect(moved.carried).toBeCloseTo(50_050, -2);
    expect(moved.driven).toBeCloseTo(5_900, -2);
  });
});
