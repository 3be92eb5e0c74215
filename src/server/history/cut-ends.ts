import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { asRow, INTERVAL_SIGNALS, readingOf } from '#server/telemetry/signal-columns.ts';
import { type Bucket, bucketsOf, MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { Segment } from './range.ts';

const { reading } = telemetryTables();

/**
 * The figures of the ends of a segment that are no whole buckets, from the readings themselves; distance and state of
 * charge are left out.
 * @returns start of bucket (ms) to what of it lies in the ends
 */
export async function readCutEnds(
  db: Database,
  streamId: number,
  { own }: Segment,
  ends: readonly Range[],
): Promise<[number, Bucket][]> {
  const parts = await Promise.all(
    ends.map(async (end) => bucketsOf(await readStates(db, streamId, around(end, own)), end)),
  );
  return parts.flatMap((buckets) => [...buckets]);
}

/** An interval of the longest length reaches this far out of the end; the other owner's readings are not read. */
const around = ({ from, to }: Range, own: Range): Range => ({
  from: Math.max(from - MAX_GAP_MS, own.from),
  to: Math.min(to + MAX_GAP_MS + 1, own.to),
});

async function readStates(db: Database, streamId: number, { from, to }: Range): Promise<Reading[]> {
  const { rows } = await db.query<{ row: (number | null)[] }>(
    `select ${asRow(INTERVAL_SIGNALS)} as row from ${reading} r where stream_id = $1 and time >= $2 and time < $3`,
    [streamId, new Date(from), new Date(to)],
  );
  return rows.map(({ row }) => readingOf(row, INTERVAL_SIGNALS));
}
