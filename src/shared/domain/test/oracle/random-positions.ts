import type { Reading } from '#shared/domain/signal.ts';
import { Random } from './random-machine.ts';

/** Readings of a machine that stands, works, drives and is carried, from a noisy receiver that is sometimes wrong. */

const METRES_PER_DEGREE = 111_195;
const START = Date.UTC(2026, 5, 1, 6);

type Phase = 'stands' | 'works' | 'drives' | 'is carried';
const SPEEDS: Readonly<Record<Phase, number>> = { stands: 0, works: 1, drives: 6, 'is carried': 25 };

/** A position in metres east (x) and north (y) of the middle. */
type Spot = { x: number; y: number };

export function randomPositions(seed: number): Reading[] {
  const random = new Random(seed);
  const hasMotor = random.chance(0.7);
  const hasSpeed = random.chance(0.5);
  const noise = random.pick([0, 1, 2.5, 5, 10]);
  const wrong = random.pick([0, 0.01, 0.05, 0.3]);
  const stepMs = random.pick([500, 1000, 3000, 10_000, 30_000, 90_000, 290_000]);
  const around = (metres: number): number => random.between(-metres, metres);
  const at: Spot = { x: 0, y: 0 };
  const middle = { lat: random.between(51, 53), lon: random.between(4, 7) };
  const readings = new Map<number, Reading>();
  let time = START + random.whole(0, 600_000);
  let bad: { spot: Spot; left: number } | undefined;
  for (let phases = random.whole(2, 5); phases > 0; phases -= 1) {
    const phase = random.pick<Phase>(['stands', 'works', 'drives', 'is carried']);
    const [heading, count] = [random.between(0, 7), random.whole(3, 60)];
    for (let n = 0; n < count; n += 1) {
      const turned = phase === 'works' && Math.floor(n / 5) % 2 === 1 ? Math.PI : 0;
      at.x += Math.cos(heading + turned) * SPEEDS[phase] * (stepMs / 1000);
      at.y += Math.sin(heading + turned) * SPEEDS[phase] * (stepMs / 1000);
      time += random.chance(0.02) ? random.whole(60_000, 400_000) : random.chance(0.1) ? 1 : stepMs;
      const runs = phase === 'works' || phase === 'drives';
      const signals: Record<string, number> = {};
      if (hasMotor && random.chance(phase === 'is carried' ? 0.2 : 0.8)) signals.MotorSpeed = runs ? 900 : 0;
      if (hasSpeed && random.chance(0.8)) signals.Speed = SPEEDS[phase] * 3.6;
      if (bad === undefined && random.chance(wrong))
        bad = { spot: { x: around(400_000), y: around(400_000) }, left: random.pick([1, 1, 1, 2, 3, 4, 30]) };
      const { x, y } = bad?.spot ?? at;
      if (bad) bad.left -= 1;
      if (bad?.left === 0) {
        // Sometimes the machine really moved to the position that seemed wrong, and stays there.
        if (random.chance(0.1)) Object.assign(at, bad.spot);
        bad = undefined;
      }
      if (random.chance(wrong / 2)) signals.NEW_SEGMENT = 1;
      if (random.chance(0.9)) {
        signals.LATITUDE = middle.lat + (y + around(noise)) / METRES_PER_DEGREE;
        signals.LONGITUDE = middle.lon + (x + around(noise)) / METRES_PER_DEGREE / 0.6;
        if (random.chance(wrong / 4)) Object.assign(signals, { LATITUDE: 0.001, LONGITUDE: -0.002 });
        if (random.chance(wrong / 2))
          Object.assign(
            signals,
            random.pick<Record<string, number>>([
              { QUALITY: 0 },
              { NUMBER_SATELLITES: 3 },
              { HORIZONTAL_ACCURACY: 100.5 },
            ]),
          );
        else if (random.chance(0.2)) Object.assign(signals, { QUALITY: 1, NUMBER_SATELLITES: 4 });
      }
      readings.set(time, { time, signals });
    }
  }
  return [...readings.values()];
}
