import { chargingKw } from './battery-pack.ts';
import type { Period, Segment } from './day-plan.ts';
import { driveProgress } from './path-geometry.ts';
import { randomBetween, randomFraction } from './seeded-random.ts';

/** Calculates the battery's charge and mean power during one period, in steps of ten seconds. */

export const STEP_MS = 10_000;

export type EnergyLedger = {
  readonly period: Period;
  /** Charge in % at the start of each step, and at the end of the last. */
  readonly soc: Float64Array;
  /** Mean power of each step; positive while discharging. */
  readonly powerKw: Float64Array;
  /** 1 in steps in which the machine works, otherwise 0. */
  readonly working: Uint8Array;
};

export type EnergyDemand = {
  readonly seed: number;
  /** Capacity of all batteries together. */
  readonly capacityKwh: number;
  /** Length of the road between the sites; 0 if the machine is carried. */
  readonly ownRoadKm: number;
  readonly trafficPhase: number;
};

/** Share of the energy that is lost in the battery while charging, and again while discharging: 95 % of a charge can be used. */
export const BATTERY_LOSS_SHARE = 0.025;
/** Mean consumption while working, as a share of the capacity per hour; crews and days differ. */
const WORK_RATE = 0.115;
/** Consumption of a waiting machine (cabin, screens, pumps), as a share of the capacity per hour. */
const WAIT_RATE = 0.006;
/** Consumption per kilometre on its own wheels, as a share of the capacity. */
const ROAD_RATE_PER_KM = 0.004;
/** Charge in % below which the operator stops working; `integrateEnergy` adds the charge that the drive home takes. */
const STOP_BELOW = 15;
const BLOCK_MS = 120_000;
const WAITING_PART = 0.1;

/** Returns the charge and power of each step of a period, which starts with a full battery. */
export function integrateEnergy(period: Period, appetite: EnergyDemand): EnergyLedger {
  const steps = Math.ceil((period.to - period.from) / STEP_MS);
  const soc = new Float64Array(steps + 1).fill(100);
  const powerKw = new Float64Array(steps);
  const working = new Uint8Array(steps);
  const crew =
    randomBetween(0.85, 1.15, appetite.seed, 20, 0) *
    randomBetween(0.88, 1.12, appetite.seed, 21, period.from);
  const stopBelow = STOP_BELOW + 100 * ROAD_RATE_PER_KM * appetite.ownRoadKm;
  const percentPerKwStep = (STEP_MS / 3_600_000 / appetite.capacityKwh) * 100;

  let index = 0;
  for (let step = 0; step < steps; step++) {
    const middle = period.from + (step + 0.5) * STEP_MS;
    while (index + 1 < period.segments.length && period.segments[index]!.to <= middle) index++;
    const segment = period.segments[index]!;
    const charge = soc[step]!;
    let power = 0;
    if (segment.phase === 'charge') {
      const room = (100 - charge) / percentPerKwStep / (1 - BATTERY_LOSS_SHARE);
      const full = chargingKw((segment.chargeRate ?? 0) * appetite.capacityKwh, charge);
      // The last step takes all the missing charge, so that the charge ends at exactly 100 %.
      power = room < 1.5 * full ? -room : -full;
    } else if (segment.phase === 'work') {
      const intensity = charge < stopBelow ? 0 : workIntensity(appetite.seed, middle);
      working[step] = intensity > 0 ? 1 : 0;
      power = appetite.capacityKwh * (intensity > 0 ? WORK_RATE * crew * intensity : WAIT_RATE);
    } else if (segment.phase === 'travel' && appetite.ownRoadKm > 0) {
      power = appetite.capacityKwh * ROAD_RATE_PER_KM * roadSpeed(segment, middle, appetite);
    }
    powerKw[step] = power;
    // Removes the rounding error of a full battery: the next period assumes a start at exactly 100 %.
    const next =
      charge - power * (power < 0 ? 1 - BATTERY_LOSS_SHARE : 1 + BATTERY_LOSS_SHARE) * percentPerKwStep;
    soc[step + 1] = next > 100 - 1e-9 ? 100 : next;
  }
  return { period, soc, powerKw, working };
}

/** Returns the intensity of the work in the two minutes around an instant: 1 on average while working, 0 while waiting. */
function workIntensity(seed: number, timeMs: number): number {
  const block = Math.floor(timeMs / BLOCK_MS);
  if (randomFraction(seed, 22, block) < WAITING_PART) return 0;
  return randomBetween(0.75, 1.25, seed, 23, block);
}

/** Returns the speed on a drive in km/h. */
function roadSpeed(segment: Segment, timeMs: number, { ownRoadKm, trafficPhase }: EnergyDemand): number {
  const duration = segment.to - segment.from;
  const { rate } = driveProgress((timeMs - segment.from) / duration, trafficPhase);
  return (rate * ownRoadKm * 3_600_000) / duration;
}
