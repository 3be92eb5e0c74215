import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { SUM_COLUMNS } from '#server/telemetry/rollup-columns.ts';
import { AMSTERDAM, amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import type { Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readCutEnds } from './cut-ends.ts';
import { cutOf, type Segment, segmentsOf } from './range.ts';

const { rollup } = telemetryTables();

/** What a range adds up to, exactly (docs/figures.md section 2). What is not known any more of old weeks counts as 0. */
export async function rangeSums(db: Database, history: OwnHistory, range: Range): Promise<Sums> {
  const parts = await partsOf(db, history, range, `''`);
  return addedSums(parts.map(([, sums]) => sums));
}

/** The same, of each day in Amsterdam ('YYYY-MM-DD') in order. A 5-minute bucket belongs to the day that it begins in. */
export async function daySums(
  db: Database,
  history: OwnHistory,
  range: Range,
): Promise<ReadonlyMap<string, Sums>> {
  const parts = await partsOf(db, history, range, DAY);
  const ofDays = [...Map.groupBy(parts, ([day]) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(ofDays.map(([day, found]) => [day, addedSums(found.map(([, sums]) => sums))]));
}

export const addedSums = (parts: readonly Partial<Sums>[]): Sums =>
  Object.fromEntries(
    SUM_COLUMNS.map(({ name }) => [name, parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)]),
  ) as Sums;

const DAY = `to_char(bucket at time zone '${AMSTERDAM}', 'YYYY-MM-DD')`;

type Part = readonly [day: string, sums: Partial<Sums>];

/** @param by an expression that tells the whole buckets apart; those that it does not are one part */
async function partsOf(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  by: string,
): Promise<Part[]> {
  const ofSegments = segmentsOf(range, own).map((segment) => segmentParts(db, streamId, segment, by));
  return (await Promise.all(ofSegments)).flat();
}

async function segmentParts(db: Database, streamId: number, segment: Segment, by: string): Promise<Part[]> {
  const { whole, ends } = cutOf(segment);
  const rolled =
    whole &&
    db.query<Sums & { day: string }>(
      `select ${by} as day, ${SUM_COLUMNS.map(({ name, column }) => `coalesce(sum(${column}), 0)::float8 as "${name}"`).join(', ')}
       from ${rollup} where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1`,
      [streamId, new Date(whole.from), new Date(whole.to)],
    );
  const [cut, result] = await Promise.all([readCutEnds(db, streamId, segment, ends), rolled]);
  return [
    ...cut.map(([start, bucket]): Part => [amsterdamDay(start), bucket]),
    ...(result?.rows ?? []).map(({ day, ...sums }): Part => [day, sums]),
  ];
}
