/** Bucket sizes, ms, that are easy to read off a time axis; larger buckets are whole days. */
const STEPS_MS = [
  100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000,
  1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];
const DAY_MS = 86_400_000;

/**
 * Returns the smallest round bucket size, ms, with which a range has at most `points` buckets. Buckets start at
 * multiples of this size since 1970, so that moving the range moves no bucket.
 */
export function chartBucketMs(rangeMs: number, points: number): number {
  const least = rangeMs / points;
  return STEPS_MS.find((step) => step >= least) ?? Math.ceil(least / DAY_MS) * DAY_MS;
}
