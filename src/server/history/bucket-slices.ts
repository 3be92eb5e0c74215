import { setImmediate as immediate } from 'node:timers/promises';
import type { Database } from '#server/platform/database.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import { initialFiguresState } from '#server/telemetry/motor-since.ts';
import { type BucketPosition, readBucketPositions, readBuckets } from '#server/telemetry/read-buckets.ts';
import { columnForFigures } from '#server/telemetry/readings/columns.ts';
import { readColumns } from '#server/telemetry/readings/read-columns.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import {
  type Bucket,
  bucketStart,
  bucketsOf,
  type FiguresState,
  type FoundIntervals,
  findIntervals,
  SUM_NAMES,
  type Sums,
} from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { firstIndexFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { neededReadingRange, splitSegment } from './range.ts';

/** The part of a bucket that lies in a range; half-open, ms. */
export type BucketSlice = Range & { readonly bucket: Bucket };

/** A slice of which only the positions are needed. */
export type PositionSlice = Range & { readonly bucket: BucketPosition };

export type TimedPosition = { readonly time: number; readonly position: Position };

/** A stream's history within one interval of ownership, for callers that read one range in several ways. */
export type BucketSlices = {
  /** Returns the buckets of a range in order: whole ones from the roll-up, the ends from the readings. */
  of(range: Range): Promise<BucketSlice[]>;
  /** Returns the readings in a range of at most a few buckets, and the intervals that overlap it. */
  within(range: Range): Promise<FollowedReadings>;
  /**
   * Like `within`, including the readings before and after the range that its figures depend on (docs/figures.md
   * section 2).
   */
  around(range: Range): Promise<FollowedReadings>;
};

type FollowedReadings = Pick<FoundIntervals, 'intervals' | 'packs'> & {
  readonly readings: readonly Reading[];
};

export type BucketSlicesWithPositions = BucketSlices & {
  /** Number of slices whose readings are cached; a caller that needs more of them at once reads them twice. */
  readonly mostCached: number;
  /** Returns the same slices as `of`, with only the positions of their buckets. */
  seen(range: Range): Promise<PositionSlice[]>;
  /** Returns the positions of some ranges within the ownership, in order. */
  positions(ranges: readonly Range[]): Promise<readonly TimedPosition[]>;
};

/**
 * Opens the history of a stream in one ownership.
 * @param own the interval of ownership
 * @param span the range of all later calls; its roll-up is read in advance: 12 rows per hour
 * @param wholeFrom ms; before this time only positions are read in advance, and the rest on request
 */
export async function openBucketSlices(
  db: Database,
  streamId: number,
  own: Range,
  span: Range,
  wholeFrom = span.from,
): Promise<BucketSlicesWithPositions> {
  const interval = { from: bucketStart(Math.max(span.from, own.from)), to: Math.min(span.to, own.to) };
  const middle = Math.min(Math.max(bucketStart(wholeFrom), interval.from), interval.to);
  const bucketPositions =
    middle > interval.from ? await readBucketPositions(db, streamId, { ...interval, to: middle }) : undefined;
  const stored = await readBuckets(db, streamId, [{ ...interval, from: middle }]);
  // Queries run one after the other, because `db` may be a single connection.
  const { run: serialized } = openSerialQueue();
  const read = new Map<string, ReturnType<BucketSlices['within']>>();
  /** Number of cached readings of each range, the oldest first. */
  const cached = new Map<string, number>();
  const dropOldest = (): void => {
    let count = [...cached.values()].reduce((sum, one) => sum + one, 0);
    for (const [key, ofOne] of cached) {
      if (count <= MAX_CACHED_READINGS) return;
      count -= ofOne;
      cached.delete(key);
      read.delete(key);
    }
  };
  const highest = [...(bucketPositions?.values() ?? []), ...stored.values()].reduce(
    (most, { count }) => Math.max(most, count),
    1,
  );
  const windowReadings = WINDOW_BUCKETS * highest;
  const readWindow = batched(
    serialized,
    MAX_READINGS_PER_STATEMENT / windowReadings,
    (windows: readonly Range[]) =>
      readReadingsInRanges(
        db,
        windows.map((window) => ({ streamId, ...window })),
      ),
  );
  let inside: Promise<FiguresState> | undefined;
  const around: BucketSlices['around'] = async (range) => {
    const readings = await readWindow(neededReadingRange(range, own));
    inside ??= serialized(() => initialFiguresState(db, streamId));
    return { readings, ...findIntervals(readings, await inside) };
  };
  const within: BucketSlices['within'] = (range) => {
    const key = `${range.from} ${range.to}`;
    const known = read.get(key);
    if (known) return known;
    const made = around(range).then((all) => {
      const inside = clipReadings(all, range);
      cached.set(key, inside.readings.length);
      dropOldest();
      return inside;
    });
    read.set(key, made);
    return made;
  };
  const readWhole = batched(serialized, Number.POSITIVE_INFINITY, async (ranges: readonly Range[]) => {
    const found = await readBuckets(db, streamId, ranges);
    return ranges.map(() => found);
  });
  const cutEnd = async (end: Range): Promise<BucketSlice[]> => {
    const { readings, ...followed } = await within(end);
    return slicesOf(bucketsOf(readings, followed, end), end);
  };
  /** Returns the slices of a range. @param bucketsBefore reads whole buckets before `middle` */
  const slicesIn = async <Of extends BucketPosition>(
    range: Range,
    bucketsBefore: (whole: Range) => Promise<ReadonlyMap<number, Of>>,
  ): Promise<(Range & { readonly bucket: Of | Bucket })[]> => {
    const inside = { from: Math.max(range.from, own.from), to: Math.min(range.to, own.to) };
    if (inside.from >= inside.to) return [];
    const { whole, ends } = splitSegment({ ...inside, own });
    const cut = await Promise.all(ends.map(cutEnd));
    const kept: (Range & { readonly bucket: Of | Bucket })[] = [];
    const before =
      whole && whole.from < middle
        ? await bucketsBefore({ from: whole.from, to: Math.min(whole.to, middle) })
        : undefined;
    // Looks the buckets up by time, because the maps may hold many buckets outside the range.
    for (let start = whole?.from ?? 0; start < (whole?.to ?? 0); start += BUCKET_MS) {
      const bucket = start < middle ? before?.get(start) : stored.get(start);
      if (bucket) kept.push({ from: start, to: start + BUCKET_MS, bucket });
    }
    return [...cut.flat(), ...kept].sort((a, b) => a.from - b.from);
  };
  return {
    mostCached: MAX_CACHED_READINGS / highest,
    within,
    around,
    positions: (ranges) => serialized(() => readPositions(db, streamId, ranges)),
    of: (range) => slicesIn(range, readWhole),
    seen: (range) => slicesIn<BucketPosition>(range, async () => bucketPositions ?? new Map()),
  };
}

/** Limit of cached readings: 80 minutes of a logger at 10 Hz. */
const MAX_CACHED_READINGS = 50_000;

/** Returns the part of the data that lies inside the range. */
export function clipReadings(
  { readings, packs, intervals }: FollowedReadings,
  { from, to }: Range,
): FollowedReadings {
  const [first, end] = [firstIndexFrom(readings, from), firstIndexFrom(readings, to)];
  return {
    readings: readings.slice(first, end),
    packs: packs.slice(first, end),
    intervals: intervals.filter((one) => one.to > from && one.from < to),
  };
}

/** Maximum number of readings per statement: they block this process for about 20 ms. */
const MAX_READINGS_PER_STATEMENT = 2_000;
/** Number of buckets that the readings needed for one slice span (docs/figures.md section 2). */
const WINDOW_BUCKETS = 5;

/** Returns a function that collects its calls of one turn of the event loop and answers them by one statement, or several if many. */
function batched<Asked, Answer>(
  serialized: <T>(work: () => Promise<T>) => Promise<T>,
  most: number,
  readAll: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (one: Asked) => Promise<Answer> {
  let open: { readonly asked: Asked[]; readonly answers: Promise<readonly Answer[]> } | undefined;
  return async (one) => {
    if (!open || open.asked.length >= most) {
      const asked: Asked[] = [];
      const answers = serialized(async () => {
        await immediate();
        if (open?.asked === asked) open = undefined;
        return readAll(asked);
      });
      open = { asked, answers };
    }
    const { asked, answers } = open;
    const n = asked.push(one) - 1;
    return (await answers)[n] as Answer;
  };
}

/** Returns the valid positions of a stream in some ranges, in chronological order. */
export async function readPositions(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<TimedPosition[]> {
  const found = await readColumns(db, streamId, ranges, [
    columnForFigures('LATITUDE'),
    columnForFigures('LONGITUDE'),
  ]);
  const positions = found.flatMap(({ times, values: [lats, lons] }) => {
    const inRange: TimedPosition[] = [];
    for (const [n, time] of times.entries()) {
      const [LATITUDE, LONGITUDE] = [lats?.[n] as number, lons?.[n] as number];
      const position = positionOf({ LATITUDE, LONGITUDE });
      if (position) inRange.push({ time, position });
    }
    return inRange;
  });
  return positions.sort((a, b) => a.time - b.time);
}

const slicesOf = (buckets: ReadonlyMap<number, Bucket>, { from, to }: Range): BucketSlice[] =>
  [...buckets].map(([start, bucket]) => ({
    from: Math.max(start, from),
    to: Math.min(start + BUCKET_MS, to),
    bucket,
  }));

export const sumOfSlices = (slices: readonly Pick<BucketSlice, 'bucket'>[]): Sums =>
  Object.fromEntries(
    SUM_NAMES.map((name) => [name, slices.reduce((sum, { bucket }) => sum + bucket[name], 0)]),
  ) as Sums;
