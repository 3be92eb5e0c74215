import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { dayOf } from '#shared/domain/amsterdam-time.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';

const { latest, dayCursor, changedHistory } = telemetryTables();

/** A logger that is behind may still bring something of a day. */
const BEHIND_MS = 10 * 60_000;
const PATIENCE_MS = 7 * 86_400_000;

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::float8`;

/**
 * Which days may still change (docs/figures.md section 13, 'voorlopig').
 * @param now ms
 * @returns of a stream and its day 'YYYY-MM-DD'
 */
export async function readProvisional(
  db: Database,
  streams: readonly number[],
  now: number,
): Promise<(streamId: number, day: string) => boolean> {
  const { rows } = await db.query<{ id: number; newest: number; uncounted: number | null }>(
    `select l.stream_id as id, ${ms('l.time')} as newest, ${ms(`least(
       (select min(from_time) from ${changedHistory} h where h.stream_id = l.stream_id),
       case when c.counted_at is distinct from l.updated_at then c.time end,
       l.recompute_from)`)} as uncounted
     from ${latest} l join ${dayCursor} c on c.stream_id = l.stream_id where l.stream_id = any ($1)`,
    [streams],
  );
  const byStream = new Map(rows.map((row) => [row.id, row]));
  return (streamId, day) => {
    const end = dayOf(day)?.to ?? Number.POSITIVE_INFINITY;
    const { newest = Number.NEGATIVE_INFINITY, uncounted = null } = byStream.get(streamId) ?? {};
    // What a reading changes lies up to ten minutes before it.
    if (uncounted !== null && uncounted - 2 * MAX_GAP_MS < end) return true;
    return newest < end + BEHIND_MS && now < end + PATIENCE_MS;
  };
}
