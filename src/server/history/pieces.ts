import { setImmediate as immediate } from 'node:timers/promises';
import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { ofStream } from '#server/platform/shards.ts';
import { trackInside } from '#server/telemetry/motor-since.ts';
import { type BucketPosition, readBucketPositions, readBuckets } from '#server/telemetry/read-buckets.ts';
import { readRanges } from '#server/telemetry/read-readings.ts';
import {
  type Bucket,
  bucketStart,
  bucketsOf,
  type Followed,
  follow,
  SUMS,
  type Sums,
  type Track,
} from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { firstFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { cutOf, windowOf } from './range.ts';

/** What of a bucket lies in a range; half-open, ms. */
export type Piece = Range & { readonly bucket: Bucket };

/** The same, where only where the machine was is asked. */
export type Seen = Range & { readonly bucket: BucketPosition };

export type TimedPosition = { readonly time: number; readonly position: Position };

/** A stream's history inside one interval of ownership, for callers that read one time range in many ways. */
export type Pieces = {
  /** The buckets of a range, in order: whole ones from the roll-up, its ends from the readings. */
  of(range: Range): Promise<Piece[]>;
  /** The readings in a range of at most a few buckets, and the intervals that reach into it. */
  within(range: Range): Promise<FollowedReadings>;
  /** The same, with the readings before and after that make it what it is (docs/figures.md section 2). */
  around(range: Range): Promise<FollowedReadings>;
};

type FollowedReadings = Pick<Followed, 'intervals' | 'packs'> & { readonly readings: readonly Reading[] };

export type PiecesWithPositions = Pieces & {
  /** Of so many pieces the readings are kept for who asks again; who asks for more of them at once reads them twice. */
  readonly mostHeld: number;
  /** What `of` says, when no more of the buckets has to be known. */
  seen(range: Range): Promise<Seen[]>;
  /** The positions of some ranges inside the ownership, in order. */
  positions(ranges: readonly Range[]): Promise<readonly TimedPosition[]>;
};

/**
 * @param own the interval of ownership
 * @param span what will be asked of; its roll-up is read at once: 12 rows per hour
 * @param wholeFrom ms; of what lies before it only what `seen` tells is read at once, and the rest when it is asked for
 */
export async function openPieces(
  db: Database,
  streamId: number,
  own: Range,
  span: Range,
  wholeFrom = span.from,
): Promise<PiecesWithPositions> {
  const interval = { from: bucketStart(Math.max(span.from, own.from)), to: Math.min(span.to, own.to) };
  const middle = Math.min(Math.max(bucketStart(wholeFrom), interval.from), interval.to);
  const sights =
    middle > interval.from ? await readBucketPositions(db, streamId, { ...interval, to: middle }) : undefined;
  const stored = await readBuckets(db, streamId, [{ ...interval, from: middle }]);
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: `db` may be one connection. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const read = new Map<string, ReturnType<Pieces['within']>>();
  /** How many readings each has, the oldest first. */
  const held = new Map<string, number>();
  const forgetSome = (): void => {
    let count = [...held.values()].reduce((sum, one) => sum + one, 0);
    for (const [key, ofOne] of held) {
      if (count <= MOST_HELD) return;
      count -= ofOne;
      held.delete(key);
      read.delete(key);
    }
  };
  const highest = [...(sights?.values() ?? []), ...stored.values()].reduce(
    (most, { count }) => Math.max(most, count),
    1,
  );
  const windowReadings = WINDOW_BUCKETS * highest;
  const readWindow = together(inTurn, MOST_TOGETHER / windowReadings, (windows: readonly Range[]) =>
    readRanges(
      db,
      windows.map((window) => ({ streamId, ...window })),
    ),
  );
  let inside: Promise<Track> | undefined;
  const around: Pieces['around'] = async (range) => {
    const readings = await readWindow(windowOf(range, own));
    inside ??= inTurn(() => trackInside(db, streamId));
    return { readings, ...follow(readings, await inside) };
  };
  const within: Pieces['within'] = (range) => {
    const key = `${range.from} ${range.to}`;
    const known = read.get(key);
    if (known) return known;
    const made = around(range).then((all) => {
      const inside = insideOf(all, range);
      held.set(key, inside.readings.length);
      forgetSome();
      return inside;
    });
    read.set(key, made);
    return made;
  };
  const readWhole = together(inTurn, Number.POSITIVE_INFINITY, async (ranges: readonly Range[]) => {
    const found = await readBuckets(db, streamId, ranges);
    return ranges.map(() => found);
  });
  const cutEnd = async (end: Range): Promise<Piece[]> => {
    const { readings, ...followed } = await within(end);
    return piecesOf(bucketsOf(readings, followed, end), end);
  };
  /** @param bucketsBefore whole ones before `middle` */
  const piecesIn = async <Of extends BucketPosition>(
    range: Range,
    bucketsBefore: (whole: Range) => Promise<ReadonlyMap<number, Of>>,
  ): Promise<(Range & { readonly bucket: Of | Bucket })[]> => {
    const inside = { from: Math.max(range.from, own.from), to: Math.min(range.to, own.to) };
    if (inside.from >= inside.to) return [];
    const { whole, ends } = cutOf({ ...inside, own });
    const cut = await Promise.all(ends.map(cutEnd));
    const kept: (Range & { readonly bucket: Of | Bucket })[] = [];
    const before =
      whole && whole.from < middle
        ? await bucketsBefore({ from: whole.from, to: Math.min(whole.to, middle) })
        : undefined;
    // A range has few buckets beside what is stored, or the other way round.
    for (let start = whole?.from ?? 0; start < (whole?.to ?? 0); start += BUCKET_MS) {
      const bucket = start < middle ? before?.get(start) : stored.get(start);
      if (bucket) kept.push({ from: start, to: start + BUCKET_MS, bucket });
    }
    return [...cut.flat(), ...kept].sort((a, b) => a.from - b.from);
  };
  return {
    mostHeld: MOST_HELD / highest,
    within,
    around,
    positions: (ranges) => inTurn(() => readPositions(db, streamId, ranges)),
    of: (range) => piecesIn(range, readWhole),
    seen: (range) => piecesIn<BucketPosition>(range, async () => sights ?? new Map()),
  };
}

/** Readings that are kept for who asks again; of a logger at 10 Hz those of 80 minutes. */
const MOST_HELD = 50_000;

/** What of it `within` tells. */
export function insideOf(
  { readings, packs, intervals }: FollowedReadings,
  { from, to }: Range,
): FollowedReadings {
  const [first, end] = [firstFrom(readings, from), firstFrom(readings, to)];
  return {
    readings: readings.slice(first, end),
    packs: packs.slice(first, end),
    intervals: intervals.filter((one) => one.to > from && one.from < to),
  };
}

/** Readings of one statement: some 20 ms in which this process does nothing else. */
const MOST_TOGETHER = 2_000;
/** In the window of a piece (docs/figures.md section 2). */
const WINDOW_BUCKETS = 5;

/** What is asked for before anything else happens is read by one statement; of much of it by several. */
function together<Asked, Answer>(
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  most: number,
  readAll: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (one: Asked) => Promise<Answer> {
  let open: { readonly asked: Asked[]; readonly answers: Promise<readonly Answer[]> } | undefined;
  return async (one) => {
    if (!open || open.asked.length >= most) {
      const asked: Asked[] = [];
      const answers = inTurn(async () => {
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

/** Returns the positions that count of a stream in some ranges, in order of time. */
export async function readPositions(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<TimedPosition[]> {
  const { rows } = await ofStream(db, streamId).query<Record<'times' | 'lats' | 'lons', Buffer | null>>({
    name: 'read positions',
    text: `select array_send(array_agg(date_part('epoch', time) * 1000)) as times, array_send(array_agg(latitude::float8)) as lats,
        array_send(array_agg(longitude::float8)) as lons
      from (select r.* from unnest($2::timestamptz[], $3::timestamptz[]) as w (since, until) cross join lateral (
          select time, latitude, longitude from telemetry.reading where stream_id = $1 and time >= w.since and time < w.until
            and latitude is not null and longitude is not null order by time
        ) as r order by time) as found`,
    values: [streamId, ranges.map(({ from }) => new Date(from)), ranges.map(({ to }) => new Date(to))],
  });
  const { times = null, lats = null, lons = null } = rows[0] ?? {};
  const [time, lat, lon] = [sentDoubles(times), sentDoubles(lats), sentDoubles(lons)];
  const positions: TimedPosition[] = [];
  for (let n = 0; n < time.length; n += 1) {
    const position = positionOf({ LATITUDE: lat[n] as number, LONGITUDE: lon[n] as number });
    if (position) positions.push({ time: Math.round(time[n] as number), position });
  }
  return positions;
}

const piecesOf = (buckets: ReadonlyMap<number, Bucket>, { from, to }: Range): Piece[] =>
  [...buckets].map(([start, bucket]) => ({
    from: Math.max(start, from),
    to: Math.min(start + BUCKET_MS, to),
    bucket,
  }));

export const sumOfPieces = (pieces: readonly Pick<Piece, 'bucket'>[]): Sums =>
  Object.fromEntries(
    SUMS.map((name) => [name, pieces.reduce((sum, { bucket }) => sum + bucket[name], 0)]),
  ) as Sums;
