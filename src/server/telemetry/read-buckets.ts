import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { type Bucket, SUMS } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { MOST_PACKS } from '#shared/domain/packs.ts';
import { PACK_ELEMENTS, SUM_COLUMNS } from './rollup-columns.ts';

const { rollup } = telemetryTables();

const READ = `select date_part('epoch', bucket) * 1000 as start, ${SUM_COLUMNS.map(({ name, column }) => `coalesce(${column}, 0)::float8 as "${name}"`).join(', ')},
  speed_min as "speedMin", speed_max as "speedMax", charge_watts as "chargeWatts", south, west, north, east, packs
  from ${rollup} where stream_id = $1 and bucket >= $2 and bucket < $3 order by bucket`;

type Row = { start: number; packs: (number | null)[] | null } & Record<
  'speedMin' | 'speedMax' | 'chargeWatts' | 'south' | 'west' | 'north' | 'east',
  number | null
> &
  Record<(typeof SUMS)[number], number>;

/** The roll-up of a stream: start of bucket (ms) to its figures, in order. What is not known any more of old weeks is 0. */
export async function readBuckets(
  db: Database,
  streamId: number,
  { from, to }: Range,
): Promise<Map<number, Bucket>> {
  const { rows } = await db.query<Row>({
    name: 'read buckets',
    text: READ,
    values: [streamId, new Date(from), new Date(to)],
  });
  return new Map(rows.map((row) => [row.start, bucketOf(row)]));
}

function bucketOf(row: Row): Bucket {
  const { speedMin, speedMax, chargeWatts, south, west, north, east } = row;
  const hasBox = south !== null && west !== null && north !== null && east !== null;
  return {
    ...(Object.fromEntries(SUMS.map((name) => [name, row[name]])) as Pick<Row, (typeof SUMS)[number]>),
    packs: packsOf(row.packs ?? []),
    speedMin: speedMin ?? undefined,
    speedMax: speedMax ?? undefined,
    chargeWatts: chargeWatts ?? undefined,
    box: hasBox ? { south, west, north, east } : undefined,
  };
}

function packsOf(elements: readonly (number | null)[]): Bucket['packs'] {
  return Array.from({ length: Math.min(MOST_PACKS, elements.length / PACK_ELEMENTS.length) }, (_, pack) => {
    const [min, max, sumMilli, count] = elements.slice(
      pack * PACK_ELEMENTS.length,
      (pack + 1) * PACK_ELEMENTS.length,
    );
    return min == null || max == null || sumMilli == null || count == null
      ? undefined
      : { min, max, sumMilli, count };
  });
}
