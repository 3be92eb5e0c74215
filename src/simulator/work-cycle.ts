import type { MachineKind } from '#shared/demo/models.ts';
import { smoothNoise } from './seeded-random.ts';

/** How machines work in repeated cycles: dig, swing, dump, swing back; or load, carry, tip, return. */

export type CycleHabits = {
  /** Duration of a cycle. Not close to a divisor of 5 or 60 s, because samples would then always hit the same part of the cycle. */
  readonly periodS: number;
  /** Distance driven back and forth in a cycle. */
  readonly shuttleM: number;
  /** Radius of the work around the middle of the site. */
  readonly siteRadiusM: number;
  /**
   * Load at equal steps through the cycle, 1 on average; negative where energy is fed back (lowering a boom, braking downhill).
   */
  readonly load: readonly number[];
};

export const CYCLE_HABITS: Readonly<Record<MachineKind, CycleHabits>> = {
  excavator: {
    periodS: 22.9,
    shuttleM: 0,
    siteRadiusM: 35,
    load: [1.9, 2.2, 1.7, 1.3, 0.6, -0.5, 0.5, 0.3],
  },
  'mini-excavator': {
    periodS: 17.7,
    shuttleM: 0,
    siteRadiusM: 18,
    load: [1.4, 1.7, 1.5, 1.2, 0.8, 0.2, 0.5, 0.7],
  },
  'wheel-loader': {
    periodS: 34.3,
    shuttleM: 26,
    siteRadiusM: 70,
    load: [1.6, 2.3, 1.8, 1.2, 0.9, -0.6, 0.3, 0.5],
  },
  'rail-crane': {
    periodS: 27.1,
    shuttleM: 4,
    siteRadiusM: 25,
    load: [1.5, 1.8, 1.6, 1.2, 0.8, -0.3, 0.6, 0.8],
  },
  dumper: {
    periodS: 171,
    shuttleM: 220,
    siteRadiusM: 40,
    load: [1.9, 2, 1.7, 0.8, -0.6, -0.4, 1.2, 1.4],
  },
};

export type CyclePoint = {
  /** Load relative to its mean. */
  readonly load: number;
  /** Position on the shuttle path, -0.5 to 0.5. */
  readonly shuttle: number;
  /** Speed on the shuttle path. */
  readonly speedKmh: number;
};

/** Returns the point in its cycle that a working machine has reached at an instant. The duration of cycles varies. */
export function cyclePoint(habits: CycleHabits, seed: number, timeMs: number): CyclePoint {
  const seconds = timeMs / 1000;
  const turns = seconds / habits.periodS + 0.25 * smoothNoise(seed, 30, seconds / (4 * habits.periodS));
  const phase = turns - Math.floor(turns);
  const x = phase * habits.load.length;
  const knot = Math.floor(x);
  const a = habits.load[knot]!;
  const b = habits.load[(knot + 1) % habits.load.length]!;
  const angle = 2 * Math.PI * phase;
  const metresPerSecond = (Math.PI * habits.shuttleM * Math.abs(Math.cos(angle))) / habits.periodS;
  return { load: a + (b - a) * (x - knot), shuttle: Math.sin(angle) / 2, speedKmh: metresPerSecond * 3.6 };
}
