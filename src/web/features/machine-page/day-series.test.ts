import { expect, test } from 'vitest';
import type { DayChart } from '#shared/contract/history.ts';
import { dateAndSecond } from '#shared/domain/nl.ts';
import {
  activityPeriodsOf,
  bucketText,
  dayChartSeries,
  levelsReadoutAt,
  packFiguresOf,
} from './day-series.ts';

type Pack = DayChart['packs'][number];

const pack = (
  name: string,
  mean: (number | null)[],
  [first, firstTime, last, lastTime]: [number, number, number, number] | null[] = [null, null, null, null],
): Pack => ({
  name,
  min: mean,
  mean,
  max: mean,
  first: first ?? null,
  firstTime: firstTime ?? null,
  last: last ?? null,
  lastTime: lastTime ?? null,
});
const CHART: DayChart = {
  time: [0, 300, 600, 3_000],
  bucketSeconds: 300,
  packs: [
    pack('SOC', [80, 75, null, 40], [81, 10, 39, 3_280.5]),
    // The first value is measured after the middle of its bucket, and the last value before the middle of its bucket.
    pack('Soc10', [1, 2, 3, 4], [0, 200, 5, 3_100]),
    pack('Soc2', [null, null, null, null]),
  ],
  bands: [
    { kind: 'charging', from: 3_000, to: 3_600 },
    { kind: 'running', from: -500, to: 600 },
    { kind: 'running', from: 9_000, to: 9_100 },
  ],
  seconds: { running: 600, charging: 600, off: 0, unknown: 0 },
  distance: 0,
  carried: 0,
  lastDay: null,
};
const RANGE = { from: 0, to: 3_300_000 };

test('the chart has a line per battery, by battery number, each with other dashes, and with a gap where data are missing (MDET-04)', () => {
  const { times, lines, bands } = dayChartSeries(CHART);
  expect(lines.map(({ label }) => label)).toEqual(['Accu 1', 'Accu 2', 'Accu 10']);
  expect(new Set(lines.map(({ dash }) => String(dash))).size).toBe(3);
  expect(times).toEqual([10, 150, 200, 450, 750, 975, 3_100, 3_150, 3_280.5]);
  expect(lines[0]!.values).toEqual([81, 80, undefined, 75, null, null, undefined, 40, 39]);
  expect(bands.map(({ hatched }) => hatched)).toEqual([true, false, false]);
});

test('a line begins and ends with a measured value, and has the means of its buckets in between (15.5e)', () => {
  const { times, lines } = dayChartSeries(CHART);
  const points = times.map((time, n) => [time, lines[2]!.values[n]]);
  expect(points.filter(([, value]) => typeof value === 'number')).toEqual([
    [200, 0],
    [450, 2],
    [750, 3],
    [3_100, 5],
  ]);
});

test('a range shows its running and charging periods, cut to the range, and the first, last, lowest and highest level of each battery (MDET-04)', () => {
  const periods = activityPeriodsOf(CHART, RANGE);
  expect(periods).toEqual([
    { kind: 'running', from: 0, to: 600 },
    { kind: 'charging', from: 3_000, to: 3_300 },
  ]);
  expect(packFiguresOf(CHART).slice(0, 1)).toEqual([
    { label: 'Accu 1', first: 81, lowest: 40, highest: 80, last: 39 },
  ]);
  expect(packFiguresOf(CHART)[1]).toEqual({
    label: 'Accu 2',
    first: undefined,
    lowest: undefined,
    highest: undefined,
    last: undefined,
  });
});

test.each([
  [11_000, 'Accu 1 80%, Accu 2 --, Accu 10 1% (gemiddeld van 01:00 tot 01:05)'],
  [310_000, 'Accu 1 75%, Accu 2 --, Accu 10 2% (gemiddeld van 01:05 tot 01:10)'],
  // The text gives only the part of the bucket that lies inside the range.
  [3_299_000, 'Accu 1 40%, Accu 2 --, Accu 10 4% (gemiddeld van 01:50 tot 01:54)'],
  [10_000, 'Accu 1 81% (gemeten)'],
  [3_280_500, 'Accu 1 39% (gemeten)'],
  [1_800_000, 'geen gegevens'],
])('the readout at %i ms is %s (MDET-12, 15.5e, 15.5f)', (ms, text) => {
  const moment = dateAndSecond(ms);
  expect(levelsReadoutAt(CHART, { from: 0, to: 3_290_000 }, ms)).toBe(`${moment}: ${text}`);
});

test.each([
  [15, 5, '01:00:15 tot 01:00:20'],
  [0, 86_400, '01-01-70, 01:00 tot 02-01-70, 01:00'],
])('a bucket that starts at %i s and lasts %i s is described as %s (15.5f)', (start, seconds, text) => {
  expect(bucketText(start, seconds, { from: 0, to: 1e12 })).toBe(`gemiddeld van ${text}`);
});
