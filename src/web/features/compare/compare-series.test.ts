import { expect, test } from 'vitest';
import type { ComparedTimeSeries } from '#shared/contract/compare.ts';
import {
  activityRows,
  chartLinesOf,
  LINE_STYLES,
  levelLines,
  missingSeriesText,
  seriesReadoutText,
} from './compare-series.ts';

const course = (part: Partial<ComparedTimeSeries>): ComparedTimeSeries => ({
  serial: 'A',
  alias: '',
  brand: '',
  model: '',
  time: [],
  bucketSeconds: 60,
  level: [],
  power: { time: [], bucketSeconds: 300, kw: [] },
  bands: [],
  seconds: { running: 0, charging: 0, off: 0, unknown: 0 },
  lastDay: null,
  ...part,
});

test('a line is broken where its machine has no data, and continues at times at which only another machine has a value (53.31)', () => {
  const { times, lines } = chartLinesOf([
    { label: 'A', time: [0, 60, 300], bucketSeconds: 60, values: [1, 2, 3] },
    { label: 'B', time: [0], bucketSeconds: 120, values: [9] },
  ]);
  expect(times).toEqual([30, 60, 90, 120, 330]);
  expect(lines.map(({ values }) => values)).toEqual([
    [1, undefined, 2, null, 3],
    [undefined, 9, undefined, undefined, undefined],
  ]);
});

test('the lines of five machines differ in colour and in dashes (53.31)', () => {
  const dashes = LINE_STYLES.map((style) => JSON.stringify('dash' in style ? style.dash : []));
  expect(new Set(dashes).size).toBe(5);
  expect(new Set(LINE_STYLES.map(({ color }) => color)).size).toBe(5);
  const { lines } = levelLines([course({ alias: 'Kraan' }), course({ serial: 'B' })]);
  expect(lines.map(({ label }) => label)).toEqual(['Kraan', 'B']);
});

test.each([
  [course({}), 'geen gegevens in deze periode'],
  [course({ time: [0], level: [50] }), 'geen vermogen, want de stroom is niet bekend'],
  [
    course({ time: [0], level: [null], power: { time: [0], bucketSeconds: 300, kw: [1] } }),
    'geen acculading',
  ],
  [course({ time: [0], level: [50], power: { time: [0], bucketSeconds: 300, kw: [1] } }), undefined],
])('a text names the data that a machine lacks in the period: case %# (53.31)', (one, expected) => {
  expect(missingSeriesText(one)).toBe(expected);
});

test('the text for a time in the graphs has the machine’s level, power and status, or says that there are no data (53.31)', () => {
  const one = course({
    time: [0, 60],
    level: [50, null],
    power: { time: [0], bucketSeconds: 300, kw: [4.24] },
    bands: [
      { kind: 'running', from: 0, to: 30 },
      { kind: 'charging', from: 20, to: 40 },
    ],
  });
  expect([10, 25, 50, 70, 200, 400].map((time) => seriesReadoutText(one, time))).toEqual([
    '50%, 4,2 kW, Draait',
    '50%, 4,2 kW, Draait en Laden',
    '50%, 4,2 kW, Uit',
    '--, 4,2 kW, Uit',
    '--, 4,2 kW, Uit',
    'geen gegevens',
  ]);
  expect(activityRows([one]).map(({ label, from }) => [label, from])).toEqual([
    ['A: draait', [0]],
    ['A: laden', [20]],
  ]);
});
