/** The scatter of the positions of a machine that stands still (docs/figures.md section 6, *scatter*). */
import type { Box } from './area.ts';
import { distanceMetres } from './distance.ts';
import { bucketStart } from './figures.ts';
import { BUCKET_MS, type Range } from './intervals.ts';
import type { Position } from './position.ts';

const HOUR_MS = 12 * BUCKET_MS;

/** The smallest box around the positions of the bucket that begins at `start`, ms. */
export type BucketBox = Box & { readonly start: number };

/** The box around the positions of an hour. */
export type Scatter = {
  readonly middle: Position;
  /** Length of the box's diagonal. */
  readonly metres: number;
};

/** Returns the hour (ms) whose scatter a position at `time` is compared with: whole buckets, ending 5 to 10 minutes before `time`. */
export function scatterReferenceHour(time: number): Range {
  const to = bucketStart(time) - BUCKET_MS;
  return { from: to - HOUR_MS, to };
}

/**
 * Returns the scatter that a position at `time` (ms) is compared with; undefined: the hour has no position.
 * @param boxes in order of time
 * @param count number of boxes that begin before `time`, or more
 */
export function positionScatterAt(
  boxes: readonly BucketBox[],
  time: number,
  count = boxes.length,
): Scatter | undefined {
  const { from, to } = scatterReferenceHour(time);
  let box: Box | undefined;
  for (let n = Math.min(count, boxes.length) - 1; n >= 0; n -= 1) {
    const one = boxes[n] as BucketBox;
    if (one.start < from) break;
    if (one.start < to) box = box ? around(box, one) : one;
  }
  if (!box) return undefined;
  const { south, west, north, east } = box;
  return {
    middle: { lat: (south + north) / 2, lon: (west + east) / 2 },
    metres: distanceMetres({ lat: south, lon: west }, { lat: north, lon: east }),
  };
}

/** Returns the boxes extended with a position, without the boxes that no later position is compared with. */
export function boxesWithPosition(
  boxes: readonly BucketBox[],
  { lat, lon }: Position,
  time: number,
): readonly BucketBox[] {
  const start = bucketStart(time);
  const { from } = scatterReferenceHour(time);
  const known = boxes.filter((one) => one.start >= from && one.start < start);
  const here = { south: lat, west: lon, north: lat, east: lon };
  const last = boxes.at(-1);
  return [...known, { start, ...(last?.start === start ? around(last, here) : here) }];
}

const around = (a: Box, b: Box): Box => ({
  south: Math.min(a.south, b.south),
  west: Math.min(a.west, b.west),
  north: Math.max(a.north, b.north),
  east: Math.max(a.east, b.east),
});
