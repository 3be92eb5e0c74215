import { expect, test } from 'vitest';
import type { DayChart } from '#shared/contract/history.ts';
import { figuresOf, periodsOf, seriesOf, valuesAt } from './day-series.ts';

const pack = (name: string, mean: (number | null)[]) => ({
  name,
  min: mean,
  mean,
  max: mean,
  first: mean[0] === null ? null : 81,
  last: mean[0] === null ? null : 39,
});
const CHART: DayChart = {
  time: [0, 300, 600, 3_000],
  bucketSeconds: 300,
  packs: [
    pack('SOC', [80, 75, null, 40]),
    pack('Soc10', [1, 2, 3, 4]),
    pack('Soc2', [null, null, null, null]),
  ],
  bands: [
    { kind: 'charging', from: 3_000, to: 3_600 },
    { kind: 'running', from: -500, to: 600 },
    { kind: 'running', from: 9_000, to: 9_100 },
  ],
  seconds: { running: 600, charging: 600, off: 0, unknown: 0 },
  lastDay: null,
};
const RANGE = { from: 0, to: 3_300_000 };

test('MDET-04 a line per battery in order of number, told apart by more than colour, broken where there is nothing', () => {
  const { times, lines, bands } = seriesOf(CHART);
  expect(lines.map(({ label }) => label)).toEqual(['Accu 1', 'Accu 2', 'Accu 10']);
  expect(new Set(lines.map(({ dash }) => String(dash))).size).toBe(3);
  expect(times).toEqual([0, 300, 600, 825, 3_000]);
  expect(lines[0]!.values).toEqual([80, 75, null, null, 40]);
  expect(bands.map(({ hatched }) => hatched)).toEqual([true, false, false]);
});

test('MDET-04 the text beside the chart: periods inside the range, first and last value, extremes', () => {
  const periods = periodsOf(CHART, RANGE);
  expect(periods).toEqual([
    { kind: 'running', from: 0, to: 600 },
    { kind: 'charging', from: 3_000, to: 3_300 },
  ]);
  expect(figuresOf(CHART).slice(0, 1)).toEqual([
    { label: 'Accu 1', first: 81, lowest: 40, highest: 80, last: 39 },
  ]);
  expect(figuresOf(CHART)[1]).toEqual({
    label: 'Accu 2',
    first: undefined,
    lowest: undefined,
    highest: undefined,
    last: undefined,
  });
});

test.each([
  [0, 'Accu 1 80%, Accu 2 --, Accu 10 1%'],
  [310_000, 'Accu 1 75%, Accu 2 --, Accu 10 2%'],
  [3_299_000, 'Accu 1 40%, Accu 2 --, Accu 10 4%'],
  [1_800_000, undefined],
])('MDET-12 at %i ms: %s', (ms, words) => expect(valuesAt(CHART, ms)).toBe(words));
