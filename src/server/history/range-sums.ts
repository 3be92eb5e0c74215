import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { SUM_COLUMNS } from '#server/telemetry/rollup-columns.ts';
import type { Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readCutEnds } from './cut-ends.ts';
import { cutOf, type Segment, segmentsOf } from './range.ts';

const { rollup } = telemetryTables();

/** What a range adds up to, exactly (docs/figures.md section 2). What is not known any more of old weeks counts as 0. */
export async function rangeSums(db: Database, { streamId, own }: OwnHistory, range: Range): Promise<Sums> {
  const parts = await Promise.all(
    segmentsOf(range, own).map((segment) => segmentSums(db, streamId, segment)),
  );
  return added(parts.flat());
}

const added = (parts: readonly Partial<Sums>[]): Sums =>
  Object.fromEntries(
    SUM_COLUMNS.map(({ name }) => [name, parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)]),
  ) as Sums;

async function segmentSums(db: Database, streamId: number, segment: Segment): Promise<Partial<Sums>[]> {
  const { whole, ends } = cutOf(segment);
  const rolled =
    whole &&
    db.query<Sums>(
      `select ${SUM_COLUMNS.map(({ name, column }) => `coalesce(sum(${column}), 0)::float8 as "${name}"`).join(', ')}
       from ${rollup} where stream_id = $1 and bucket >= $2 and bucket < $3`,
      [streamId, new Date(whole.from), new Date(whole.to)],
    );
  const [cut, result] = await Promise.all([readCutEnds(db, streamId, segment, ends), rolled]);
  return [...cut.map(([, bucket]) => bucket), ...(result?.rows ?? [])];
}
