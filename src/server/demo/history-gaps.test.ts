import { expect, test } from 'vitest';
import { BUCKET_MS, type HistoryWindow, missingPieces } from './history-gaps.ts';

const DAY = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const window: HistoryWindow = {
  streamId: 1,
  from: DAY,
  to: DAY + 24 * HOUR,
  stepMs: MINUTE,
  cut: 'readings',
};
/** The buckets from one hour to another. */
const full = (...parts: readonly (readonly [number, number])[]): Set<number> => {
  const buckets = new Set<number>();
  for (const [from, to] of parts)
    for (let at = DAY + from * HOUR; at < DAY + to * HOUR; at += BUCKET_MS) buckets.add(at);
  return buckets;
};
const hours = (pieces: readonly { from: number; to: number; buckets: number }[]) =>
  pieces.map(({ from, to, buckets }) => [(from - DAY) / HOUR, (to - DAY) / HOUR, buckets]);

test('nothing is missing of a full window, everything of an empty one, in pieces of 240 readings', () => {
  expect(missingPieces(window, full([0, 24]))).toEqual([]);
  const pieces = hours(missingPieces({ ...window, to: DAY + 12 * HOUR }, new Set()));
  expect(pieces).toEqual([
    [0, 4 + 1 / 12, 48],
    [4 - 1 / 12, 8 + 1 / 12, 48],
    [8 - 1 / 12, 12, 48],
  ]);
});

test('a gap is filled with a bucket more on both sides', () => {
  const pieces = missingPieces(window, full([0, 9], [10, 24]));
  expect(hours(pieces)).toEqual([[9 - 1 / 12, 10 + 1 / 12, 12]]);
});

test('up to the window and no further, and a bucket that has not ended is not missed', () => {
  const short = { ...window, to: DAY + HOUR + 3 * MINUTE };
  expect(hours(missingPieces(short, full([0, 0.5])))).toEqual([[0.5 - 1 / 12, 1.05, 6]]);
  expect(missingPieces(short, full([0, 1]))).toEqual([]);
});

test('every piece misses something, and every missing bucket is counted once', () => {
  const pieces = missingPieces(window, full([1, 2], [3, 24]));
  expect(pieces.map(({ buckets }) => buckets)).toEqual([12, 12]);
});

test('in whole hours when a logger delivers files', () => {
  const pieces = missingPieces({ ...window, cut: 'hours' }, full([0, 7.25], [9, 24]));
  expect(hours(pieces)).toEqual([
    [7, 8, 9],
    [8, 9, 12],
  ]);
});

test('the window of a stream whose clock went back is empty', () => {
  expect(missingPieces({ ...window, to: DAY - HOUR }, new Set())).toEqual([]);
});
