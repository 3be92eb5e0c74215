import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { asRow, readingOf, type SelectedRow } from '#server/telemetry/signal-columns.ts';
import { type Bucket, bucketsOf, follow } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type Segment, windowOf } from './range.ts';

const { reading } = telemetryTables();

/**
 * The figures of the ends of a segment that are no whole buckets, from the readings themselves.
 * @returns start of bucket (ms) to what of it lies in the ends
 */
export async function readCutEnds(
  db: Database,
  streamId: number,
  { own }: Segment,
  ends: readonly Range[],
): Promise<[number, Bucket][]> {
  const parts = await Promise.all(
    ends.map(async (end) => {
      const readings = await readReadings(db, streamId, windowOf(end, own));
      return bucketsOf(readings, follow(readings), end);
    }),
  );
  return parts.flatMap((buckets) => [...buckets]);
}

/** All readings of a range, in order of time. */
export async function readReadings(db: Database, streamId: number, { from, to }: Range): Promise<Reading[]> {
  const { rows } = await db.query<SelectedRow>({
    name: 'read readings',
    text: `select ${asRow()} from ${reading} r where stream_id = $1 and time >= $2 and time < $3 order by time`,
    values: [streamId, new Date(from), new Date(to)],
  });
  return rows.map((row) => readingOf(row));
}
