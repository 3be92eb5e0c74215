import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';

const { latest, dayCursor, changedHistory } = telemetryTables();

/** How far the days of a stream are counted; ms. */
export type Counted = {
  /** Of the newest reading, and of the newest one that is counted. */
  readonly newest: number;
  readonly counted: number;
  /** From when on they are counted anew; Infinity: from nowhere. */
  readonly changedFrom: number;
};

const NEVER: Counted = {
  newest: Number.NEGATIVE_INFINITY,
  counted: Number.NEGATIVE_INFINITY,
  changedFrom: Number.POSITIVE_INFINITY,
};
const AFTER_MS = 10 * 60_000;
const WAITING_MS = 7 * 86_400_000;

/** Of streams, by id. */
export async function readCounted(
  db: Database,
  streams: readonly number[],
): Promise<(streamId: number) => Counted> {
  const { rows } = await db.query<Counted & { streamId: number }>(
    `select l.stream_id as "streamId", date_part('epoch', l.time) * 1000 as newest, date_part('epoch', c.time) * 1000 as counted,
       coalesce(
         case when l.recompute_from is not null then '-infinity'::float8 end,
         (select date_part('epoch', min(h.from_time)) * 1000 from ${changedHistory} h where h.stream_id = l.stream_id),
         'infinity'
       ) as "changedFrom"
     from ${latest} l join ${dayCursor} c on c.stream_id = l.stream_id where l.stream_id = any ($1)`,
    [streams],
  );
  const byStream = new Map(rows.map(({ streamId, ...counted }) => [streamId, counted]));
  return (streamId) => byStream.get(streamId) ?? NEVER;
}

/** Whether what was told of a day may still change (docs/figures.md section 13). @param end of the day, ms */
export function mayChange({ newest, counted, changedFrom }: Counted, end: number, now: number): boolean {
  if (newest === Number.NEGATIVE_INFINITY) return false;
  if (changedFrom < end || (newest > counted && counted < end)) return true;
  return counted < end + AFTER_MS && now < end + WAITING_MS;
}
