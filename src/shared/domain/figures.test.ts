import { expect, test } from 'vitest';
import type { Box } from './area.ts';
import { bucketsOf, NEW_FIGURES_STATE, type StoredBucket, SUM_NAMES, sumReadings } from './figures.ts';
import type { Reading } from './signal.ts';
import { deserializeFiguresState, serializeFiguresState } from './stored-track.ts';
import { computeBuckets } from './test/oracle/buckets.ts';
import { ORACLE_SEED_NUMBERS, randomMachine } from './test/oracle/random-machine.ts';
import { markUnused } from './unused-values.ts';

/** Returns the readings of a random machine: signals at different rates, in several files and with gaps. */
const readingsOf = (seed: number): Reading[] =>
  randomMachine(seed).stored.toSorted((a, b) => a.time - b.time);

/** Brings the portal's buckets into the shape of the oracle's. */
const ours = (buckets: ReadonlyMap<number, StoredBucket>) =>
  [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([start, { packs, speedMin, speedMax, ...sums }]) => ({
      start,
      ...sums,
      packs: Array.from({ length: 8 }, (_, pack) => packs[pack]),
      speed: speedMin === undefined ? undefined : { min: speedMin, max: speedMax },
    }));
const theirs = (readings: readonly Reading[]) =>
  [...computeBuckets(readings)].sort(([a], [b]) => a - b).map(([start, bucket]) => ({ start, ...bucket }));

test.each(ORACLE_SEED_NUMBERS)('every bucket of machine %i agrees with the oracle (12.A3)', (seed) => {
  const readings = readingsOf(seed);
  expect(ours(bucketsOf(markUnused(readings).readings))).toEqual(theirs(readings));
});

test.each(ORACLE_SEED_NUMBERS)(
  'adding up machine %i in batches gives the same buckets, or reports that earlier readings are needed (12.A3)',
  (seed) => {
    const readings = readingsOf(seed);
    let track = NEW_FIGURES_STATE;
    let from = 0;
    const sums = new Map<number, StoredBucket>();
    for (let n = 0; from < readings.length; n++) {
      const batch = readings.slice(from, from + 1 + ((n * 7) % 30));
      from += batch.length;
      const { buckets, looksBack, track: after } = sumReadings(batch, track);
      if (looksBack) {
        // Adds up all readings so far again, as the server does.
        sums.clear();
        const all = sumReadings(readings.slice(0, from));
        for (const [start, bucket] of all.buckets) sums.set(start, bucket);
        track = all.track;
        continue;
      }
      // The database stores the state as JSON.
      track = deserializeFiguresState(JSON.parse(JSON.stringify(serializeFiguresState(after))));
      for (const [start, bucket] of buckets) sums.set(start, added(sums.get(start), bucket));
    }
    expect(ours(sums)).toEqual(theirs(readings));
  },
);

const joined = (a: Box, b: Box): Box => ({
  south: Math.min(a.south, b.south),
  west: Math.min(a.west, b.west),
  north: Math.max(a.north, b.north),
  east: Math.max(a.east, b.east),
});

function added(before: StoredBucket | undefined, bucket: StoredBucket): StoredBucket {
  if (!before) return bucket;
  const sums = Object.fromEntries(SUM_NAMES.map((name) => [name, before[name] + bucket[name]]));
  const pick = (of: (...values: number[]) => number, a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? (a ?? b) : of(a, b);
  type Borders = StoredBucket['chargingFlag'];
  const widened = (a: Borders, b: Borders): Borders =>
    a && b ? { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) } : (a ?? b);
  return {
    ...before,
    ...sums,
    chargingCurrent: widened(before.chargingCurrent, bucket.chargingCurrent),
    chargingFlag: widened(before.chargingFlag, bucket.chargingFlag),
    packs: bucket.packs.length > 0 ? bucket.packs : before.packs,
    speedMin: pick(Math.min, before.speedMin, bucket.speedMin),
    speedMax: pick(Math.max, before.speedMax, bucket.speedMax),
    chargeWatts: pick(Math.max, before.chargeWatts, bucket.chargeWatts),
    box: !before.box || !bucket.box ? (before.box ?? bucket.box) : joined(before.box, bucket.box),
  };
}

test('invented signal names do not make the stored state of a stream long (12.A4)', () => {
  let track = NEW_FIGURES_STATE;
  for (let n = 0; n < 20; n++) {
    const names = Array.from({ length: 100 }, (_, i) => [`IsCharging${n}_${i}`, 1]);
    const packs = Array.from({ length: 100 }, (_, i) => [`Soc1_${n}_${i}`, 50]);
    const signals = { ...Object.fromEntries([...names, ...packs]), MotorSpeed: 900 };
    track = sumReadings([{ time: n * 1000, signals }], track).track;
  }
  expect(Object.keys(track.last)).toHaveLength(15 + 32 + 1);
  expect(track.last.MotorSpeed).toEqual([900, 19_000]);
});
