import { expect, test } from 'vitest';
import { customSignalChart, extremesText, ownValueText } from './custom-signal-series.ts';

const series = (time: number[], mean: number[], count = mean.map(() => 1)) => ({
  name: 'Olie',
  time,
  min: mean.map((value) => value - 1),
  mean,
  max: mean.map((value) => value + 1),
  count,
});
const RANGE = { from: 0, to: 3_600_000 };

test.each<[string, number[], number, number[]]>([
  ['5 minutes without a value are no gap', [0, 300], 0, [0, 300]],
  ['a longer time is a gap', [0, 301], 0, [0, 150, 301]],
  ['a gap between the middles of buckets is a gap', [0, 60, 420], 60, [30, 90, 240, 450]],
  ['consecutive wider buckets have no gap', [0, 3_600, 7_200], 3_600, [1_800, 5_400, 9_000]],
])('the line is broken at gaps only: %s (12.C3)', (_, time, bucketSeconds, expected) => {
  const { times, lines } = customSignalChart(series(time, time), bucketSeconds, RANGE);
  expect(times).toEqual(expected);
  const holes = lines.at(-1)?.values.filter((value) => value === null);
  expect(holes).toHaveLength(expected.length - time.length);
});

test('the chart draws buckets with their lowest and highest values, and single values as one line (12.C3)', () => {
  const values = series([0, 60], [4, 6]);
  expect(customSignalChart(values, 60, RANGE).lines.map(({ label }) => label)).toEqual([
    'Laagst',
    'Hoogst',
    'Gemiddeld',
  ]);
  expect(customSignalChart(values, 0, RANGE).lines.map(({ label }) => label)).toEqual(['Gemiddeld']);
  expect(customSignalChart(values, 60, RANGE).axis).toMatchObject({ min: 2.8, max: 7.2 });
  const flat = { ...values, min: [5, 5], max: [5, 5] };
  expect(customSignalChart(flat, 60, RANGE).axis).toMatchObject({ min: 4.75, max: 5.25 });
});

test('a sentence gives the lowest, mean and highest of all values (12.C3)', () => {
  expect(extremesText(series([0, 60], [4, 6], [3, 1]), 'bar')).toBe(
    'Laagst 3 bar, gemiddeld 4,5 bar, hoogst 7 bar.',
  );
  expect(extremesText(series([0], [1_500.25]), null)).toBe(
    'Laagst 1.499,25, gemiddeld 1.500,25, hoogst 1.501,25.',
  );
  expect(extremesText(series([], []), null)).toBeUndefined();
});

test.each([
  [30_000, 60, '4 bar (gemiddeld van 01:00 tot 01:01)'],
  [95_000, 60, '6 bar (gemiddeld van 01:01 tot 01:02)'],
  [10_000, 15, '4 bar (gemiddeld van 01:00:00 tot 01:00:15)'],
  [160_000, 0, '6 bar'],
  [211_000, 0, undefined],
])('the readout at %i ms in buckets of %i s is %s (12.C3, 15.5f)', (ms, bucketSeconds, expected) => {
  expect(ownValueText(series([0, 60], [4, 6]), 'bar', { bucketSeconds, range: RANGE }, ms)).toBe(expected);
});
