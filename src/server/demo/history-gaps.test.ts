import { expect, test } from 'vitest';
import { BUCKET_MS, type HistoryWindow, missingSteps } from './history-gaps.ts';

const DAY = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const window: HistoryWindow = {
  streamId: 1,
  from: DAY,
  to: DAY + 24 * HOUR,
  intervalMs: MINUTE,
  cut: 'readings',
};
/** Returns the starts of the buckets in some ranges, which are given in hours. */
const full = (...parts: readonly (readonly [number, number])[]): Set<number> => {
  const buckets = new Set<number>();
  for (const [from, to] of parts)
    for (let at = DAY + from * HOUR; at < DAY + to * HOUR; at += BUCKET_MS) buckets.add(at);
  return buckets;
};
const hours = (steps: readonly { from: number; to: number; buckets: number }[]) =>
  steps.map(({ from, to, buckets }) => [(from - DAY) / HOUR, (to - DAY) / HOUR, buckets]);

test('a demo history without gaps needs no fill steps, and an empty one needs steps of 240 readings', () => {
  expect(missingSteps(window, full([0, 24]))).toEqual([]);
  const steps = hours(missingSteps({ ...window, to: DAY + 12 * HOUR }, new Set()));
  expect(steps).toEqual([
    [0, 4 + 1 / 12, 48],
    [4 - 1 / 12, 8 + 1 / 12, 48],
    [8 - 1 / 12, 12, 48],
  ]);
});

test('a step that fills a gap of the demo history overlaps one existing bucket on each side', () => {
  const steps = missingSteps(window, full([0, 9], [10, 24]));
  expect(hours(steps)).toEqual([[9 - 1 / 12, 10 + 1 / 12, 12]]);
});

test('fill steps stay inside the window of the demo history, and a bucket that has not ended is not filled', () => {
  const short = { ...window, to: DAY + HOUR + 3 * MINUTE };
  expect(hours(missingSteps(short, full([0, 0.5])))).toEqual([[0.5 - 1 / 12, 1.05, 6]]);
  expect(missingSteps(short, full([0, 1]))).toEqual([]);
});

test('every fill step has missing buckets, and every missing bucket is in one step', () => {
  const steps = missingSteps(window, full([1, 2], [3, 24]));
  expect(steps.map(({ buckets }) => buckets)).toEqual([12, 12]);
});

test('fill steps are whole hours if the logger delivers log files', () => {
  const steps = missingSteps({ ...window, cut: 'hours' }, full([0, 7.25], [9, 24]));
  expect(hours(steps)).toEqual([
    [7, 8, 9],
    [8, 9, 12],
  ]);
});

test('a demo history whose window ends before it begins, because the clock was set back, needs no fill steps', () => {
  expect(missingSteps({ ...window, to: DAY - HOUR }, new Set())).toEqual([]);
});
