import { expect, test } from 'vitest';
import { bucketsOf, NEW_FIGURES_STATE, SUM_NAMES, sumReadings } from './figures.ts';
import type { Reading } from './signal.ts';
import { deserializeFiguresState, serializeFiguresState } from './stored-track.ts';
import { computeBuckets } from './test/oracle/buckets.ts';
import { unusedPositionReasons } from './test/oracle/counting.ts';
import { randomPositions } from './test/oracle/random-positions.ts';
import { markUnused } from './unused-values.ts';
import { unusedPositionOf } from './usable-positions.ts';

const SEEDS = Array.from({ length: 300 }, (_, n) => n + 1);
const GROUPS = Array.from({ length: 10 }, (_, n) => SEEDS.slice(30 * n, 30 * n + 30));
const NAMES = ['distanceMm', 'carriedMm', 'unusedNoFix', 'unusedNullIsland', 'unusedJumps'] as const;

type Sums = Readonly<Record<(typeof NAMES)[number], number>>;
const picked = (buckets: ReadonlyMap<number, Sums>) =>
  new Map(
    [...buckets]
      .sort(([a], [b]) => a - b)
      .map(([start, sums]) => [start, NAMES.map((name) => sums[name])] as const),
  );
const expected = (readings: readonly Reading[]) => picked(computeBuckets(readings));

test('the random machines drive, are carried and send unused positions of every kind (42.20)', () => {
  const sums = SEEDS.flatMap((seed) => [...computeBuckets(randomPositions(seed)).values()]);
  for (const name of NAMES) expect(sums.filter((one) => one[name] > 0).length).toBeGreaterThan(300);
  expect(sums.filter(({ distanceMm, carriedMm }) => distanceMm > carriedMm).length).toBeGreaterThan(300);
});

test.each(GROUPS)(
  'distance, carried distance and unused positions are those of the oracle: machines from %i on (42.20)',
  (...seeds) => {
    for (const seed of seeds) agrees(seed);
  },
);

function agrees(seed: number): void {
  const readings = randomPositions(seed);
  const { readings: marked } = markUnused(readings);
  expect(picked(bucketsOf(marked))).toEqual(expected(readings));
  const unused = marked.filter(({ signals }) => unusedPositionOf(signals)).map(({ time }) => time);
  expect(new Set(unused)).toEqual(new Set(unusedPositionReasons(readings).keys()));
}

test.each(GROUPS)(
  'adding up positions in batches gives the oracle’s sums, or asks for earlier readings: machines from %i on (42.20)',
  (...seeds) => {
    for (const seed of seeds) agreesInBatches(seed);
  },
);

function agreesInBatches(seed: number): void {
  const readings = randomPositions(seed);
  let track = NEW_FIGURES_STATE;
  const sums = new Map<number, Record<string, number>>();
  for (let n = 0, from = 0; from < readings.length; n += 1) {
    const to = from + 1 + ((n * 5 + seed) % 7);
    const one = sumReadings(readings.slice(from, to), track);
    if (one.looksBack) sums.clear();
    const { buckets, track: after } = one.looksBack ? sumReadings(readings.slice(0, to)) : one;
    // Packed and parsed, because the database stores the state as JSON.
    track = deserializeFiguresState(JSON.parse(JSON.stringify(serializeFiguresState(after))));
    for (const [start, bucket] of buckets) {
      const before = sums.get(start);
      sums.set(
        start,
        Object.fromEntries(SUM_NAMES.map((name) => [name, (before?.[name] ?? 0) + bucket[name]])),
      );
    }
    from = to;
    if (n % 4 === 0 || to >= readings.length)
      expect(picked(sums as never)).toEqual(expected(readings.slice(0, to)));
  }
}
