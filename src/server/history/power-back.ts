import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readCutEnds } from './cut-ends.ts';
import { cutOf, type Segment, segmentsOf } from './range.ts';

const { rollup } = telemetryTables();

const JOULES_PER_KWH = 3_600_000;

/** kWh that came back into the battery while not charging (TEST-01); 0 for a stream that reports no BatteryCurrent. */
export async function powerBack(db: Database, { streamId, own }: OwnHistory, range: Range): Promise<number> {
  const joules = await Promise.all(
    segmentsOf(range, own).map((segment) => joulesBack(db, streamId, segment)),
  );
  return joules.reduce((sum, part) => sum + part, 0) / JOULES_PER_KWH;
}

async function joulesBack(db: Database, streamId: number, segment: Segment): Promise<number> {
  const { whole, ends } = cutOf(segment);
  const rolled =
    whole &&
    db.query<{ joules: number }>(
      `select coalesce(sum(in_j), 0)::float8 as joules from ${rollup} where stream_id = $1 and bucket >= $2 and bucket < $3`,
      [streamId, new Date(whole.from), new Date(whole.to)],
    );
  const [cut, result] = await Promise.all([readCutEnds(db, streamId, segment, ends), rolled]);
  return cut.reduce((sum, [, { inJ }]) => sum + inJ, result?.rows[0]?.joules ?? 0);
}
