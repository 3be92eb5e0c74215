import { expect, test } from 'vitest';
import { falseZeros } from './false-zeros.ts';
import { findIntervals, NEW_FIGURES_STATE } from './figures.ts';
import type { Reading } from './signal.ts';
import { falseZeros as oracle } from './test/oracle/counting.ts';
import { Random } from './test/oracle/random-machine.ts';
import { markUnused } from './unused-values.ts';

const T = Date.UTC(2026, 10, 20, 8);
/** Returns readings with charge levels of one pack, at minutes after T. */
const levels = (...values: readonly (readonly [minute: number, percent: number])[]): Reading[] =>
  values.map(([minute, Soc1]) => ({ time: T + minute * 60_000, signals: { Soc1 } }));
const leftOut = (readings: readonly Reading[]): number[] =>
  [...falseZeros(readings).names.keys()].map((n) => ((readings[n] as Reading).time - T) / 60_000);

test.each([
  ['at waking', levels([0, 0], [1, 64], [2, 63.9]), [0]],
  ['for a minute at waking', levels([0, 0], [0.5, 0], [1, 64]), [0, 0.5]],
  ['at falling asleep', levels([0, 73], [1, 0], [2, 0]), [1, 2]],
  ['between 64 and 64', levels([0, 64], [1, 0], [2, 64]), [1]],
  ['during charging', levels([0, 41], [1, 0], [2, 42]), [1]],
])('a charge level of 0 does not count %s (52.5)', (_, readings, expected) => {
  expect(leftOut(readings)).toEqual(expected);
});

test.each([
  [
    'of a battery that goes from 12 to 0 % in 24 minutes',
    levels(...Array.from({ length: 25 }, (_, n) => [n, 12 - n / 2] as const)),
  ],
  ['after 5 %', levels([0, 5], [0.1, 0], [30, 0])],
  ['of a machine that is empty all day', levels([0, 0], [4, 0], [8, 0])],
  ['before an exchange of packs: 0 for long, then 95', levels([0, 2], [1, 0], [2, 0], [6, 95])],
  ['6 minutes before 64', levels([0, 0], [6, 64])],
])('a charge level of 0 counts %s (52.5)', (_, readings) => {
  expect(leftOut(readings)).toEqual([]);
});

test('the charge levels around an exchange of packs, from 5 to 95 % in 4 minutes, are used (52.5)', () => {
  const readings = levels([0, 5], [4, 95]);
  expect(markUnused(readings).readings).toEqual(readings);
});

test('a false zero of one pack leaves the zeros of another pack as they are (52.5)', () => {
  const both = [0, 64, 64].map((Soc1, n) => ({ time: T + n * 60_000, signals: { Soc1, Soc2: 0 } }));
  expect(markUnused(both).readings.map(({ signals }) => signals)).toEqual([
    { 'Unused.Soc1': 0, Soc2: 0 },
    { Soc1: 64, Soc2: 0 },
    { Soc1: 64, Soc2: 0 },
  ]);
});

test('markUnused finds the same false zeros as the oracle in 300 random streams, whatever the size of the batches (52.5)', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = new Random(seed);
    const readings: Reading[] = [];
    let [time, percent] = [T, random.between(0, 100)];
    for (let n = 0; n < 40; n += 1) {
      time += random.chance(0.1) ? 400_000 : random.whole(5_000, 120_000);
      percent += random.chance(0.05) ? random.between(-30, 30) : random.between(-3, 1);
      percent = Math.max(0, Math.min(100, percent));
      const Soc1 = random.chance(0.25) ? 0 : Math.round(percent * 2) / 2;
      readings.push({ time, signals: { Soc1, SOC2: random.chance(0.5) ? 0 : 30 } });
    }
    const expected = oracle(readings);
    const ours = falseZeros(readings);
    for (const name of ['Soc1', 'SOC2'])
      expect(readings.filter((_, n) => ours.names.get(n)?.includes(name)).map((one) => one.time)).toEqual([
        ...(expected.get(name) ?? []),
      ]);
    // If the readings are computed in two batches, the second batch has the same false zeros, or `looksBack` asks to compute
    // all readings again.
    const half = random.whole(1, 38);
    const first = markUnused(readings.slice(0, half), NEW_FIGURES_STATE);
    const { track } = findIntervals(first.readings, NEW_FIGURES_STATE);
    const second = markUnused(readings.slice(half), track);
    if (!second.looksBack)
      expect([...first.readings, ...second.readings]).toEqual(markUnused(readings).readings);
  }
});
