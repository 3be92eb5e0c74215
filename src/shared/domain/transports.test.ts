import { expect, test } from 'vitest';
import { BUCKET_MS } from './intervals.ts';
import { joinCarriedBuckets, transportOf } from './transports.ts';

const bucket = (n: number, ranBefore = false) => ({ start: n * BUCKET_MS, carriedMm: 1_000_000, ranBefore });

test('buckets in which a machine was carried form one transport over pauses of at most an hour without running (42.72)', () => {
  expect(joinCarriedBuckets([])).toEqual([]);
  const intervals = joinCarriedBuckets([
    bucket(0),
    bucket(1),
    bucket(14),
    bucket(27),
    bucket(41),
    bucket(43, true),
  ]);
  // From the end of one bucket to the start of the next: 60 minutes are a pause inside a transport, 65 minutes
  // end it.
  expect(intervals.map(({ first, last }) => [first / BUCKET_MS, last / BUCKET_MS])).toEqual([
    [0, 27],
    [41, 41],
    [43, 43],
  ]);
  expect(intervals[0]?.carriedMm).toBe(4_000_000);
});

/** Returns positions one minute apart from the start of bucket 9 on, given in metres north of the first one. */
const along = (...metres: readonly number[]) =>
  metres.map((m, minute) => ({
    time: 9 * BUCKET_MS + minute * 60_000,
    position: { lat: 52 + m / 111_195, lon: 5 },
  }));

test('a transport begins when the machine leaves where it stood, and ends when it reaches where it stays (42.72)', () => {
  const positions = along(0, 0, 10, 0, 20, 30, 40, 90, 700, 1_500, 2_300, 3_000, 3_950, 4_000, 4_010);
  const { from, to, begin, end } = transportOf(
    { first: 10 * BUCKET_MS, last: 11 * BUCKET_MS, carriedMm: 4_000_000 },
    positions,
  );
  // The machine stood at the position of minute 4, the last one before the first carried bucket, and is still near it in minute 7.
  expect([from, to].map((ms) => ms / 60_000 - 45)).toEqual([7, 12]);
  expect(begin).toEqual(positions[4]?.position);
  expect(end).toEqual(positions[14]?.position);
});

test('without positions a transport has the times of its buckets and no places (42.72)', () => {
  expect(transportOf({ first: 10 * BUCKET_MS, last: 12 * BUCKET_MS, carriedMm: 5 }, [])).toEqual({
    ...{ from: 10 * BUCKET_MS, to: 13 * BUCKET_MS, distanceMm: 5, begin: null, end: null },
  });
});
