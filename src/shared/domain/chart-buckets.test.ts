import { expect, test } from 'vitest';
import { chartBucketMs } from './chart-buckets.ts';

const HOUR = 3_600_000;
test.each([
  [24 * HOUR, 600, 300_000],
  [24 * HOUR, 1_440, 60_000],
  [24 * HOUR + 1, 1_440, 120_000],
  [HOUR, 600, 10_000],
  [0, 600, 100],
  [30 * 24 * HOUR, 600, 2 * HOUR],
  [3_652 * 24 * HOUR, 600, 7 * 24 * HOUR],
])('a range of %d ms in %d points has buckets of %d ms (LOG-04, MDET-12)', (range, points, bucket) => {
  expect(chartBucketMs(range, points)).toBe(bucket);
});
