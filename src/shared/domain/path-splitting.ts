/** Refines a path, given as the indexes of its kept points, by adding one point at a time, the most valuable first. */

/** The points of a path in metres on a flat map, with their times, ms. */
export type FlatPath = { readonly x: Float64Array; readonly y: Float64Array; readonly ms: Float64Array };

/** A point that lies less than this from the path through the kept points is not added: the distance is noise of the receiver. */
const NO_SHAPE_METRES = 1;

/** The part of a path between two kept points; `middle`: the inner point to keep next, `worth`: how valuable that point is. */
type Segment = {
  readonly from: number;
  readonly to: number;
  readonly middle: number;
  readonly worth: number;
};

/** Adds the point that lies farthest from its segment, until `limit` points are kept or no point deviates by a metre. */
export const splitByDeviation = (plane: FlatPath, kept: readonly number[], limit: number): number[] =>
  split(kept, limit, (from, to) => farthest(plane, from, to), NO_SHAPE_METRES);

/** Halves the segment that lasts longest, until `limit` points are kept. */
export const splitByTime = (plane: FlatPath, kept: readonly number[], limit: number): number[] =>
  split(kept, limit, (from, to) => halfway(plane, from, to), 0);

function split(
  kept: readonly number[],
  limit: number,
  segmentOf: (from: number, to: number) => Segment | undefined,
  least: number,
): number[] {
  const all = [...kept];
  /** Sorted by worth, the most valuable last; of two equals the earlier one is last. */
  const waiting: Segment[] = [];
  const wait = (from: number, to: number): void => {
    const segment = segmentOf(from, to);
    if (!segment || segment.worth < least) return;
    let low = 0;
    let high = waiting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = waiting[middle] as Segment;
      if (other.worth < segment.worth || (other.worth === segment.worth && other.from > segment.from))
        low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, segment);
  };
  for (let n = 1; n < kept.length; n++) wait(kept[n - 1] as number, kept[n] as number);
  while (all.length < limit) {
    const next = waiting.pop();
    if (!next) break;
    all.push(next.middle);
    wait(next.from, next.middle);
    wait(next.middle, next.to);
  }
  return all.sort((a, b) => a - b);
}

/** Returns the inner point with the largest distance to the segment; undefined: it has no inner point. */
function farthest({ x, y }: FlatPath, from: number, to: number): Segment | undefined {
  if (to - from < 2) return undefined;
  const fromX = x[from] as number;
  const fromY = y[from] as number;
  const alongX = (x[to] as number) - fromX;
  const alongY = (y[to] as number) - fromY;
  const square = alongX * alongX + alongY * alongY;
  let middle = from + 1;
  let most = -1;
  for (let n = from + 1; n < to; n++) {
    const offX = (x[n] as number) - fromX;
    const offY = (y[n] as number) - fromY;
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, (offX * alongX + offY * alongY) / square));
    const missX = offX - share * alongX;
    const missY = offY - share * alongY;
    const miss = missX * missX + missY * missY;
    if (miss > most) {
      most = miss;
      middle = n;
    }
  }
  return { from, to, middle, worth: Math.sqrt(most) };
}

/** Returns the inner point nearest to the middle of the segment's time. */
function halfway({ ms }: FlatPath, from: number, to: number): Segment | undefined {
  if (to - from < 2) return undefined;
  const half = ((ms[from] as number) + (ms[to] as number)) / 2;
  let low = from + 1;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ms[middle] as number) < half) low = middle + 1;
    else high = middle;
  }
  const before = low > from + 1 && half - (ms[low - 1] as number) <= (ms[low] as number) - half;
  return { from, to, middle: before ? low - 1 : low, worth: (ms[to] as number) - (ms[from] as number) };
}
