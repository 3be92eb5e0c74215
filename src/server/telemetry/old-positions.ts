import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';

const { reading, latest } = telemetryTables();

const WEEK_MS = 7 * 86_400_000;
/** Of a minute: the other tasks come round. */
const BUDGET_MS = 5_000;

type Due = { readonly streamId: number; readonly fromMs: number | null; readonly toMs: number };

/**
 * Removes positions that an organization keeps no longer, of the times at which the stream was its: from the readings, a
 * week of a stream at a time, from live data, and with what the logger sent. Figures, the distance too, stay in the roll-up.
 * To be called again: it goes on where it was.
 */
export async function removeOldPositions(db: Database, budgetMs = BUDGET_MS): Promise<void> {
  const until = performance.now() + budgetMs;
  const { rows: streams } = await db.query<Due>(
    `select w.stream_id as "streamId", extract(epoch from max(r.before))::float8 * 1000 as "fromMs",
       extract(epoch from max(least(w.valid_to, now() - make_interval(days => (o.privacy ->> 'positionDays')::integer))))::float8 * 1000 as "toMs"
     from ownership w join organization o on o.id = w.organization_id and o.privacy ->> 'positionDays' is not null
     left join removed_position r on r.stream_id = w.stream_id
     group by w.stream_id
     having max(r.before) is null
       or max(r.before) < max(least(w.valid_to, now() - make_interval(days => (o.privacy ->> 'positionDays')::integer))) - interval '1 hour'
     order by w.stream_id`,
  );
  for (const due of streams) if (!(await removeOf(db, due, until))) return;
}

/** @returns false when the time is over before all of it is gone */
async function removeOf(db: Database, { streamId, fromMs, toMs }: Due, until: number): Promise<boolean> {
  for (let from = await firstPosition(db, streamId, fromMs, toMs); from !== undefined; ) {
    const to = Math.min(from + WEEK_MS, toMs);
    await db.query(
      `update ${reading} r set latitude = null, longitude = null
       where r.stream_id = $1 and r.time >= $2 and r.time < $3 and (r.latitude is not null or r.longitude is not null)
         and exists (
           select from ownership w join organization o on o.id = w.organization_id
           where w.stream_id = r.stream_id and r.time >= w.valid_from and r.time < w.valid_to
             and r.time < now() - make_interval(days => (o.privacy ->> 'positionDays')::integer)
         )`,
      [streamId, new Date(from), new Date(to)],
    );
    await noteRemoved(db, streamId, to);
    if (to >= toMs) break;
    if (performance.now() > until) return false;
    from = await firstPosition(db, streamId, to, toMs);
  }
  await noteRemoved(db, streamId, toMs);
  await db.query(
    `update ${latest} set signals = (signals::jsonb - 'LATITUDE' - 'LONGITUDE')::json, updated_at = clock_timestamp()
     where stream_id = $1 and (signals -> 'LATITUDE' ->> 1)::float8 < $2`,
    [streamId, toMs],
  );
  await db.query(
    `delete from object where modified_at < $2
       and logger_serial in (select logger_serial from writer where stream_id = $1)`,
    [streamId, new Date(toMs)],
  );
  return true;
}

async function firstPosition(
  db: Database,
  streamId: number,
  fromMs: number | null,
  toMs: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ ms: number }>(
    `select extract(epoch from time)::float8 * 1000 as ms from ${reading}
     where stream_id = $1 and time >= $2 and time < $3 order by time limit 1`,
    [streamId, fromMs === null ? '-infinity' : new Date(fromMs), new Date(toMs)],
  );
  return rows[0]?.ms;
}

const noteRemoved = (db: Database, streamId: number, before: number) =>
  db.query(
    `insert into removed_position (stream_id, before) values ($1, $2)
     on conflict (stream_id) do update set before = excluded.before`,
    [streamId, new Date(before)],
  );

/** What arrives late may tell of a time whose positions were removed: they are looked at again. @param first ms */
export const lookAgainFrom = (db: Database, streamId: number, first: number) =>
  db.query('update removed_position set before = $2 where stream_id = $1 and before > $2', [
    streamId,
    new Date(first),
  ]);
