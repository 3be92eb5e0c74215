import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { precomputedDays } from '#server/telemetry/precomputed-days.ts';
import { SUM_COLUMNS } from '#server/telemetry/rollup-columns.ts';
import { AMSTERDAM, amsterdamDay, daysAfter } from '#shared/domain/amsterdam-time.ts';
import type { Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readPartialBuckets } from './cut-ends.ts';
import { type OwnedSegment, ownedSegmentsOf, splitSegment } from './range.ts';

type Name = keyof Sums;
type Of<N extends Name> = Pick<Sums, N>;

/** Returns the exact sums of `names` over a range (docs/figures.md section 2). Sums that are not stored for old weeks count as 0. */
export async function rangeSums<N extends Name>(
  db: Database,
  history: OwnHistory,
  range: Range,
  names: readonly N[],
): Promise<Of<N>> {
  const parts = await partsOf(db, history, range, names, '1');
  return addSums(
    parts.map(([, sums]) => sums),
    names,
  );
}

/**
 * Returns the sums of each day in Amsterdam ('YYYY-MM-DD') in order. A 5-minute bucket belongs to the day in which it
 * begins.
 */
export async function daySums<N extends Name>(
  db: Database,
  history: OwnHistory,
  range: Range,
  names: readonly N[],
): Promise<ReadonlyMap<string, Of<N>>> {
  const parts = await partsOf(db, history, range, names, DAY);
  const ofDays = [...Map.groupBy(parts, ([day]) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    ofDays.map(([day, found]) => [
      day,
      addSums(
        found.map(([, sums]) => sums),
        names,
      ),
    ]),
  );
}

export const addSums = <N extends Name>(parts: readonly Partial<Of<N>>[], names: readonly N[]): Of<N> =>
  Object.fromEntries(
    names.map((name) => [name, parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)]),
  ) as Of<N>;

/**
 * SQL of the number of a bucket's day: 1 for the day in Amsterdam of $2, 2 for the day after it. Compares with the starts of days:
 * formatting the day of every bucket took three times as long.
 */
const DAY = `width_bucket(bucket, array(
  select begins at time zone '${AMSTERDAM}' from generate_series(
    date_trunc('day', $2::timestamptz at time zone '${AMSTERDAM}'), $3::timestamptz at time zone '${AMSTERDAM}', '1 day'
  ) as begins order by begins))`;

type Part<N extends Name> = readonly [day: string, sums: Partial<Of<N>>];

/** Returns the sums of the parts of a range. @param by SQL expression that groups the whole buckets, such as their day; '1': one group */
async function partsOf<N extends Name>(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  names: readonly N[],
  by: string,
): Promise<Part<N>[]> {
  const ofSegments = ownedSegmentsOf(
    range,
    /*rule:sums-own-time*/ own /*=[{ from: -Infinity, to: Infinity }]*/,
  ).map((segment) => segmentParts(db, streamId, segment, names, by));
  return (await Promise.all(ofSegments)).flat();
}

/** Returns whole days from the precomputed days, other whole buckets from the roll-up, and the ends from the readings. */
async function segmentParts<N extends Name>(
  db: Database,
  streamId: number,
  segment: OwnedSegment,
  names: readonly N[],
  by: string,
): Promise<Part<N>[]> {
  const { whole, ends } = splitSegment(segment);
  const [cut, rolled] = await Promise.all([
    readPartialBuckets(db, streamId, segment, ends),
    whole && wholeParts(db, streamId, whole, names, by),
  ]);
  return [...cut.map(([start, bucket]): Part<N> => [amsterdamDay(start), bucket]), ...(rolled ?? [])];
}

async function wholeParts<N extends Name>(
  db: Database,
  streamId: number,
  whole: Range,
  names: readonly N[],
  by: string,
): Promise<Part<N>[]> {
  const columns = SUM_COLUMNS.filter(({ name }) => names.includes(name as N)).map(
    ({ name, column }) => `coalesce(sum(${column}), 0)::float8 as "${name}"`,
  );
  const rolled = async ({ from, to }: Range): Promise<Part<N>[]> => {
    if (from >= to) return [];
    const { rows } = await shardForStream(db, streamId).query<Of<N> & { day: number }>(
      `select ${by} as day, ${columns.join(', ')}
       from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1`,
      [streamId, new Date(from), new Date(to)],
    );
    const first = amsterdamDay(from);
    return rows.map(({ day, ...sums }) => [daysAfter(first, day - 1), sums as unknown as Of<N>] as const);
  };
  const counted = await precomputedDays(db, streamId, whole, names);
  if (!counted) return rolled(whole);
  const { range, days } = counted;
  const [before, after] = await Promise.all([
    rolled({ from: whole.from, to: range.from }),
    rolled({ from: range.to, to: whole.to }),
  ]);
  return [...before, ...days, ...after];
}
