import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { readBuckets } from '#server/telemetry/read-buckets.ts';
import {
  type Bucket,
  bucketStart,
  bucketsOf,
  type Followed,
  follow,
  SUMS,
  type Sums,
} from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { readReadings } from './cut-ends.ts';
import { cutOf, windowOf } from './range.ts';

const { reading } = telemetryTables();

/** What of a bucket lies in a range; half-open, ms. */
export type Piece = Range & { readonly bucket: Bucket };

export type TimedPosition = { readonly time: number; readonly position: Position };

/** A stream's history inside one interval of ownership, for whoever asks much about one stretch of time. */
export type Pieces = {
  /** The buckets of a range, in order: whole ones from the roll-up, its ends from the readings. */
  of(range: Range): Promise<Piece[]>;
  /** The readings that make the figures of a range of at most a few buckets, and what follows from them. */
  readings(range: Range): Promise<Followed & { readonly readings: readonly Reading[] }>;
};

export type PiecesWithPositions = Pieces & {
  /** The positions of a range inside the ownership, in order. */
  positions(range: Range): Promise<readonly TimedPosition[]>;
};

/**
 * @param own the interval of ownership
 * @param span what will be asked of; its roll-up is read at once: 12 rows per hour
 */
export async function openPieces(
  db: Database,
  streamId: number,
  own: Range,
  span: Range,
): Promise<PiecesWithPositions> {
  const stored = await readBuckets(db, streamId, {
    from: bucketStart(Math.max(span.from, own.from)),
    to: Math.min(span.to, own.to),
  });
  let last: Promise<unknown> = Promise.resolve();
  const read = new Map<string, ReturnType<Pieces['readings']>>();
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
  const readings: Pieces['readings'] = (range) => {
    const window = windowOf(range, own);
    const key = `${window.from} ${window.to}`;
    const known = read.get(key);
    if (known) return known;
    // One after the other: `db` may be one connection.
    const made = last.then(async () => {
      const found = await readReadings(db, streamId, window);
      held.set(key, found.length);
      forgetSome();
      return { readings: found, ...follow(found) };
    });
    last = made.catch(() => undefined);
    read.set(key, made);
    return made;
  };
  const cutEnd = async (end: Range): Promise<Piece[]> => {
    const { readings: found, ...followed } = await readings(end);
    return piecesOf(bucketsOf(found, followed, end), end);
  };
  return {
    readings,
    positions: (range) => readPositions(db, streamId, range),
    async of(range) {
      const inside = { from: Math.max(range.from, own.from), to: Math.min(range.to, own.to) };
      if (inside.from >= inside.to) return [];
      const { whole, ends } = cutOf({ ...inside, own });
      const cut = await Promise.all(ends.map(cutEnd));
      const kept: Piece[] = [];
      // A range has few buckets beside what is stored, or the other way round.
      for (let start = whole?.from ?? 0; start < (whole?.to ?? 0); start += BUCKET_MS) {
        const bucket = stored.get(start);
        if (bucket) kept.push({ from: start, to: start + BUCKET_MS, bucket });
      }
      return [...cut.flat(), ...kept].sort((a, b) => a.from - b.from);
    },
  };
}

/** Readings that are kept for who asks again; of a logger at 10 Hz those of 80 minutes. */
const MOST_HELD = 50_000;

/** As one JSON value: thousands of rows cost more to take apart than to read. */
async function readPositions(db: Database, streamId: number, { from, to }: Range): Promise<TimedPosition[]> {
  const { rows } = await db.query<{ found: readonly [number, number, number][] | null }>({
    name: 'read positions',
    text: `select json_agg(json_build_array(date_part('epoch', time) * 1000, latitude, longitude) order by time) as found
      from ${reading} where stream_id = $1 and time >= $2 and time < $3 and latitude is not null and longitude is not null`,
    values: [streamId, new Date(from), new Date(to)],
  });
  return (rows[0]?.found ?? []).flatMap(([time, lat, lon]) => {
    const position = positionOf({ LATITUDE: lat, LONGITUDE: lon });
    return position ? [{ time: Math.round(time), position }] : [];
  });
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
