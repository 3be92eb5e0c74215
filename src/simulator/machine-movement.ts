import type { MachinePhase } from './day-plan.ts';
import { type EnergyLedger, STEP_MS } from './energy-ledger.ts';
import { driveProgress, type TravelPath } from './path-geometry.ts';
import { randomFraction, smoothNoise } from './seeded-random.ts';
import type { CycleHabits, CyclePoint } from './work-cycle.ts';

/** Position and speed of a machine. */
export type Movement = {
  readonly phase: MachinePhase;
  readonly lat: number;
  readonly lon: number;
  readonly speedKmh: number;
};

const METRES_PER_DEGREE = 111_195; // of latitude, on a sphere of 6371 km
/** Time that a machine takes to move between its parking place and its work, at the start and end of a shift. */
const WALK_MS = 180_000;
/** Number of steps of the energy ledger in which a machine's driving back and forth at work starts or stops gradually. */
const EASE_STEPS = 3;
const GPS_NOISE_M = 1.5;

/**
 * Returns the movement at an instant. The position of a parked machine does not change, as with a GPS receiver that has static hold;
 * noise in its position would add up to kilometres in a day.
 */
export function movementOf(
  ledger: EnergyLedger,
  path: TravelPath,
  habits: CycleHabits,
  cycle: CyclePoint,
  trafficPhase: number,
  seed: number,
  timeMs: number,
): Movement {
  const segments = ledger.period.segments;
  const segment = segments.find(({ to }) => timeMs < to) ?? segments.at(-1)!;
  const { phase, from, to } = segment;
  if (phase === 'travel') {
    const { done, rate } = driveProgress((timeMs - from) / (to - from), trafficPhase);
    const point = path.at(path.lengthKm * (segment.site === 0 ? done : 1 - done));
    return { phase, ...point, speedKmh: (rate * path.lengthKm * 3_600_000) / (to - from) };
  }

  const parked = path.at(segment.site === 0 ? 0 : path.lengthKm);
  if (phase !== 'work') return { phase, ...parked, speedKmh: 0 };
  const away = Math.min(1, (timeMs - from) / WALK_MS, (to - timeMs) / WALK_MS);
  const ease = activity(ledger, timeMs);
  const heading = 2 * Math.PI * randomFraction(seed, 50, 0);
  const shuttle = cycle.shuttle * habits.shuttleM * ease * away;
  const drift = (salt: number): number =>
    away *
    (habits.siteRadiusM * smoothNoise(seed, salt, timeMs / 900_000) +
      GPS_NOISE_M * smoothNoise(seed, salt + 1, timeMs / 20_000));
  const north = drift(51) + shuttle * Math.cos(heading);
  const east = drift(53) + shuttle * Math.sin(heading);
  return {
    phase,
    lat: parked.lat + north / METRES_PER_DEGREE,
    lon: parked.lon + east / (METRES_PER_DEGREE * Math.cos((parked.lat * Math.PI) / 180)),
    speedKmh: cycle.speedKmh * ease * away,
  };
}

/** Returns the amplitude of driving back and forth at work: 1 while working, decreasing to 0 before the machine waits. */
function activity({ working, period }: EnergyLedger, timeMs: number): number {
  const x = (timeMs - period.from) / STEP_MS;
  const step = Math.floor(x);
  if (working[step] !== 1) return 0;
  let ease = 1;
  for (let near = 1; near <= EASE_STEPS; near++) {
    if (working[step - near] !== 1) ease = Math.min(ease, (x - (step - near + 1)) / EASE_STEPS);
    if (working[step + near] !== 1) ease = Math.min(ease, (step + near - x) / EASE_STEPS);
  }
  return ease;
}
