import { describe, expect, test } from 'vitest';
import type { Reading } from '#shared/domain/signal.ts';
import { merge } from './accept.ts';
import { type Bucket, bucketSums, type Sums } from './buckets.ts';
import { batteryStretches, chargerOnlyStretches, energies, workSums } from './energy.ts';
import { hours } from './hours.ts';
import { distanceMm } from './path.ts';
import { Random, randomMachine } from './random-machine.ts';
import { statusSums, timeline } from './status.ts';
import { bucketOf, cable, FIVE_MINUTES, isIn, length, overlapOf, type Range, Stream } from './track.ts';

/** What docs/figures.md says of every machine, over machines drawn at random. */

const SEEDS = Array.from({ length: 20 }, (_, n) => n + 1);
const machines = SEEDS.map((seed) => randomMachine(seed, { size: 1000 }));

const total = (buckets: readonly Bucket[], key: keyof Sums): number =>
  buckets.reduce((sum, bucket) => sum + bucket[key], 0);

/** All sums of a range, under the names of a bucket's. */
function sumsIn(readings: readonly Reading[], range: Range): Omit<Sums, 'chargingMs'> {
  const { outMj, fedBackMj, chargedMj, knownMs, heardMs } = energies(readings, range);
  const { runOutMj, runInMj, runKnownMs, runningMs, cableMs } = workSums(readings, range);
  return {
    ...{ outMj, inMj: fedBackMj, chargedMj, knownMs, heardMs },
    ...{ runOutMj, runInMj, runKnownMs, runningMs, cableMs },
    distanceMm: distanceMm(readings, range),
  };
}

describe('the machines', () => {
  test('one seed is always the same machine', () => {
    expect(randomMachine(7, { size: 500 })).toEqual(randomMachine(7, { size: 500 }));
    expect(randomMachine(8, { size: 500 }).stored).not.toEqual(randomMachine(7, { size: 500 }).stored);
  });

  test('together they hold everything that is to be checked', () => {
    const gaps = machines.flatMap(({ stored }) =>
      stored.slice(1).map(({ time }, n) => time - (stored[n]?.time ?? 0)),
    );
    const cables = machines.flatMap(({ stored }) => {
      const stream = new Stream(stored);
      return stored.map(({ time }) => cable(stream, time));
    });
    const names = new Set(
      machines.flatMap(({ stored }) => stored.flatMap(({ signals }) => Object.keys(signals))),
    );
    expect(gaps).toEqual(expect.arrayContaining([FIVE_MINUTES, FIVE_MINUTES + 1]));
    expect(new Set(cables)).toEqual(new Set(['charging', 'perhaps', 'no']));
    for (const name of ['IsChargingAC', 'IsChargingDC', 'Soc1', 'LATITUDE', 'MotorSpeed', 'Speed']) {
      expect(names).toContain(name);
    }
    expect(machines.some(({ ownership }) => ownership.length > 1)).toBe(true);
    expect(machines.some(({ accepted }) => accepted.some(({ refused }) => refused.length > 0))).toBe(true);
    expect(machines.some(({ accepted, deliveries }) => accepted.length < deliveries.length)).toBe(true);
    expect(machines.some(({ batches }) => batches.some((batch) => batch.length > 10))).toBe(true);
  });

  test('ownership has no hole', () => {
    for (const { ownership } of machines) {
      for (const [n, { from, to }] of ownership.entries()) {
        expect(from).toBeLessThan(to);
        if (n > 0) expect(from).toBe(ownership[n - 1]?.to);
      }
    }
  });
});

test.each(machines)(
  'order of arrival and repeats decide nothing: seed $seed',
  ({ seed, accepted, stored }) => {
    const readings = accepted.map(({ reading }) => reading);
    const random = new Random(seed);
    expect(merge(random.shuffled([...readings, ...readings.slice(0, 100)]))).toEqual(stored);
  },
);

test.each(machines)('buckets add up to the range: seed $seed', ({ stored, ranges }) => {
  const buckets = bucketSums(stored);
  const aligned = ranges.map(({ from, to }) => ({ from: bucketOf(from), to: bucketOf(to) + FIVE_MINUTES }));
  for (const range of aligned) {
    const inside = [...buckets].flatMap(([start, bucket]) =>
      range.from <= start && start < range.to ? [bucket] : [],
    );
    const sums = sumsIn(stored, range);
    expect(sums).toEqual(
      Object.fromEntries(Object.keys(sums).map((key) => [key, total(inside, key as keyof Sums)])),
    );
    const { noDataMs, chargingMs, runningMs } = statusSums(stored, range);
    expect(total(inside, 'chargingMs')).toBe(chargingMs);
    expect(hours(stored, range).runningMs).toBe(runningMs);
    const silent = timeline(stored, range).filter(({ status }) => status === 'no data');
    expect(silent.reduce((sum, part) => sum + length(part), 0)).toBe(noDataMs);
  }
});

test.each(machines)(
  'a range is the sum of its parts, up to the rounding of one piece: seed $seed',
  (machine) => {
    const { stored, intervals } = machine;
    for (const { from, to } of machine.ranges) {
      const middle = Math.floor((from + to) / 2);
      const [whole, first, second] = [
        { from, to },
        { from, to: middle },
        { from: middle, to },
      ].map((range) => energies(stored, range, intervals));
      for (const key of ['outMj', 'fedBackMj', 'chargedMj'] as const) {
        const difference = (whole?.[key] ?? 0) - (first?.[key] ?? 0) - (second?.[key] ?? 0);
        expect(Math.abs(difference)).toBeLessThanOrEqual(1);
      }
      expect(whole?.knownMs).toBe((first?.knownMs ?? 0) + (second?.knownMs ?? 0));
      expect(whole?.heardMs).toBe((first?.heardMs ?? 0) + (second?.heardMs ?? 0));
    }
  },
);

test.each(machines)('buckets away from the ends of ownership are the caller’s own: seed $seed', (machine) => {
  const { stored, intervals } = machine;
  const buckets = [...bucketSums(stored)];
  for (const interval of intervals) {
    const isWhole = (start: number) =>
      start >= interval.from + 2 * FIVE_MINUTES && start + 2 * FIVE_MINUTES <= interval.to;
    const whole = buckets.filter(([start]) => isWhole(start));
    const own = bucketSums(stored.filter(({ time }) => isIn(interval, time)));
    expect(whole).toEqual([...own].filter(([start]) => isWhole(start)));
  }
});

test.each(machines)('nothing is charged twice: seed $seed', ({ stored }) => {
  const stream = new Stream(stored);
  const battery = batteryStretches(stream);
  for (const charger of chargerOnlyStretches(stream)) {
    expect(battery.filter((stretch) => overlapOf(stretch, charger) !== undefined)).toEqual([]);
  }
});

test.each(machines)(
  'R1 a value at u changes no bucket outside u - 5 .. u + 10 min: seed $seed',
  (machine) => {
    const { stored, seed } = machine;
    const random = new Random(seed);
    const before = bucketSums(stored);
    for (let n = 0; n < 5; n++) {
      const at = random.whole(0, stored.length - 1);
      const reading = stored[at] ?? { time: 0, signals: {} };
      const names = Object.keys(reading.signals);
      const name = names[random.whole(0, names.length - 1)];
      const isPosition = name === 'LATITUDE' || name === 'LONGITUDE';
      const others = Object.entries(reading.signals).filter(
        ([other]) => other !== name && !(isPosition && (other === 'LATITUDE' || other === 'LONGITUDE')),
      );
      // As it was before that value came, or before the reading came.
      const without = stored.toSpliced(
        at,
        1,
        ...(random.chance(0.5) ? [{ time: reading.time, signals: Object.fromEntries(others) }] : []),
      );
      const u = reading.time;
      const isRepaired = (start: number) =>
        start >= bucketOf(u - FIVE_MINUTES) && start <= bucketOf(u + 2 * FIVE_MINUTES);
      const outside = (buckets: ReadonlyMap<number, Bucket>) =>
        [...buckets].filter(([start]) => !isRepaired(start));
      expect(outside(bucketSums(without))).toEqual(outside(before));

      const from = bucketOf(u) - 3 * FIVE_MINUTES;
      const to = bucketOf(u) + 4 * FIVE_MINUTES;
      const repaired = bucketSums(stored.filter(({ time }) => from <= time && time <= to));
      const inside = (buckets: ReadonlyMap<number, Bucket>) =>
        [...buckets].filter(([start]) => isRepaired(start));
      expect(inside(repaired)).toEqual(inside(before));
    }
  },
);
