import type { Database } from '#server/platform/database.ts';
import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { type Bucket, SUM_NAMES } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { MAX_PACK_COUNT } from '#shared/domain/packs.ts';
import { PACK_STATISTICS, SUM_COLUMNS } from './rollup-columns.ts';

const EXTREMES = [
  'speed_min',
  'speed_max',
  'charge_watts',
  'south',
  'west',
  'north',
  'east',
] as const satisfies readonly string[];
/** SQL that reads each bucket as JSON, because a month is 8,640 rows and the driver is slow per column. */
const READ = `select array_to_json(array[date_part('epoch', bucket) * 1000,
    ${SUM_COLUMNS.map(({ column }) => column).join(', ')}, ${EXTREMES.join(', ')}]::float8[]) as numbers,
    array_to_json(packs) as packs
  from unnest($2::timestamptz[], $3::timestamptz[]) as w (since, until) cross join lateral (
    select * from telemetry.rollup where stream_id = $1 and bucket >= w.since and bucket < w.until order by bucket
  ) as r`;

type Row = { readonly numbers: readonly (number | null)[]; readonly packs: (number | null)[] | null };

/** Returns the roll-up of a stream as a map from the start of a bucket (ms) to its figures, range by range, each in chronological order. */
export async function readBuckets(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<Map<number, Bucket>> {
  const { rows } = await shardForStream(db, streamId).query<Row>({
    name: 'read buckets',
    text: READ,
    values: [streamId, ranges.map(({ from }) => new Date(from)), ranges.map(({ to }) => new Date(to))],
  });
  return new Map(rows.map((row) => [row.numbers[0] as number, bucketOf(row)]));
}

/** The parts of a bucket that show where the machine may have been. */
export type BucketPosition = Pick<Bucket, 'count' | 'heardMs' | 'box'>;

const SEEN = ["date_part('epoch', bucket) * 1000", 'count', 'heard_ms', 'south', 'west', 'north', 'east'];
const READ_POSITIONS = `select ${SEEN.map((column, n) => `array_send(array_agg((${column})::float8)) as c${n}`).join(', ')}
  from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3`;

/** Returns only the positions of buckets, which are a fifth of the data, in any order. */
export async function readBucketPositions(
  db: Database,
  streamId: number,
  { from, to }: Range,
): Promise<Map<number, BucketPosition>> {
  const { rows } = await shardForStream(db, streamId).query<Record<string, Buffer | null>>({
    name: 'read bucket positions',
    text: READ_POSITIONS,
    values: [streamId, new Date(from), new Date(to)],
  });
  const columns = SEEN.map((_, n) => decodeDoubleArray(rows[0]?.[`c${n}`] ?? null));
  const positions = new Map<number, BucketPosition>();
  const at = (column: number, row: number): number => columns[column]?.[row] as number;
  for (let n = 0; n < (columns[0]?.length ?? 0); n += 1) {
    const south = at(3, n);
    const box = Number.isNaN(south) ? undefined : { south, west: at(4, n), north: at(5, n), east: at(6, n) };
    positions.set(at(0, n), { count: at(1, n), heardMs: at(2, n), box });
  }
  return positions;
}

const boxOf = ([south, west, north, east]: readonly (number | null)[]): Bucket['box'] =>
  south != null && west != null && north != null && east != null ? { south, west, north, east } : undefined;

function bucketOf({ numbers, packs }: Row): Bucket {
  const sums = {} as Record<(typeof SUM_NAMES)[number], number>;
  for (const [n, name] of SUM_NAMES.entries()) sums[name] = numbers[n + 1] as number;
  const [speedMin, speedMax, chargeWatts, ...edges] = numbers.slice(SUM_NAMES.length + 1);
  return {
    ...sums,
    packs: packs ? packsOf(packs) : [],
    speedMin: speedMin ?? undefined,
    speedMax: speedMax ?? undefined,
    chargeWatts: chargeWatts ?? undefined,
    box: boxOf(edges),
  };
}

function packsOf(elements: readonly (number | null)[]): Bucket['packs'] {
  const packs: Bucket['packs'][number][] = [];
  const most = Math.min(MAX_PACK_COUNT * PACK_STATISTICS.length, elements.length);
  for (let at = 0; at < most; at += PACK_STATISTICS.length) {
    const [min, max, sumMilli, count] = elements.slice(at, at + PACK_STATISTICS.length);
    packs.push(
      min == null || max == null || sumMilli == null || count == null
        ? undefined
        : { min, max, sumMilli, count },
    );
  }
  return packs;
}
