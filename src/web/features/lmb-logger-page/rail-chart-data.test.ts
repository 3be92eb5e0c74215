import { expect, test } from 'vitest';
import { MACHINE_STATUS_LEGEND } from '#shared/domain/rail-legend.ts';
import { codesOf, highestSpeed, speedChart, timelineChart } from './rail-chart-data.ts';
import type { RailData } from './rail-data.ts';

const intervals = (...list: readonly (readonly [number, number, number])[]) => ({
  from: Float64Array.from(list, ([from]) => from),
  to: Float64Array.from(list, ([, to]) => to),
  value: Float64Array.from(list, ([, , value]) => value),
});
const range = { from: 0, to: 60_000 };
const timeline = {
  intervals: intervals([0, 10_000, 2], [10_000, 20_000, 9], [30_000, 30_000, 7]),
  legend: MACHINE_STATUS_LEGEND,
};

test('the speed line has a gap between the end of a reading’s validity and the next reading (LOG-03)', () => {
  const speed = intervals([0, 5_000, 10], [5_000, 9_000, 20], [20_000, 29_000, 30]);
  const { times, lines } = speedChart({ speed } as RailData, range);
  expect(times).toEqual([0, 5, 9, 20]);
  expect(lines[0]?.values).toEqual([10, 20, null, 30]);
});

test('a code that is not in the legend is shown as ‘onbekend’ with its number (LOG-03)', () => {
  expect(codesOf(timeline)).toEqual([0, 1, 2, 3, 4, 7, 9]);
  const { rows } = timelineChart([{ label: 'Machinestatus', timeline }], range);
  expect(rows?.[0]).toMatchObject({ label: '', from: Float64Array.of(0, 10, 30) });
  expect([0, 1].map((n) => rows?.[0]?.styleOf(n).name)).toEqual(['Rijden', 'onbekend (9)']);
});

test('the highest speed of an interval does not include the start of the next interval (LOG-03)', () => {
  const speed = intervals([0, 1, 5], [10, 11, 9], [20, 21, 30]);
  expect(highestSpeed(speed, { from: 0, to: 20 })).toBe(9);
  expect(highestSpeed(speed, { from: 20, to: 20 })).toBe(30);
  expect(highestSpeed(speed, { from: 11, to: 20 })).toBeUndefined();
});
