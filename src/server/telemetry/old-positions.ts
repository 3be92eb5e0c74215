import { type Database, databaseClock } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { readFirstReadingTime } from './readings/read-edges.ts';
import { removePositions } from './readings/write-readings.ts';

const WEEK_MS = 7 * 86_400_000;
/** Time limit of one run (there is one a minute), so that other tasks can run too. */
const BUDGET_MS = 5_000;
/** Minimum time range whose positions are removed; a shorter remainder waits for a later run. */
const MIN_REMOVED_RANGE_MS = 3_600_000;

/** `gone`: time ranges (ms) whose positions must be removed; the first may begin at -Infinity. `before`: earlier runs removed positions up to this time. */
type Due = { readonly streamId: number; readonly before: number | null; readonly gone: readonly Range[] };

/**
 * Removes positions that an organization no longer keeps, from the times at which it owned the stream: from readings (a week of a
 * stream at a time), live data, the state of alerts, and the logger's files. Figures stay: the distance in the roll-up, and the
 * times on a project. Call it again to continue.
 */
export async function removeOldPositions(db: Database, budgetMs = BUDGET_MS): Promise<void> {
  const until = performance.now() + budgetMs;
  const { rows } = await db.query<{ streamId: number; before: number | null; from: number; to: number }>(
    `select w.stream_id, date_part('epoch', r.before) * 1000 as before,
       date_part('epoch', w.valid_from) * 1000 as "from",
       date_part('epoch', least(w.valid_to, now() - make_interval(days => (o.privacy ->> 'positionDays')::integer))) * 1000 as "to"
     from ownership w join organization o on o.id = w.organization_id and o.privacy ->> 'positionDays' is not null
     left join removed_position r on r.stream_id = w.stream_id
     order by w.stream_id, w.valid_from`,
  );
  for (const [streamId, ranges] of Map.groupBy(rows, (row) => row.streamId)) {
    const gone = ranges.filter(({ from, to }) => from < to);
    const before = ranges[0]?.before ?? null;
    const end = Math.max(...gone.map(({ to }) => to));
    if (gone.length === 0 || (before !== null && before > end - MIN_REMOVED_RANGE_MS)) continue;
    if (!(await removeOf(db, { streamId, before, gone }, until))) return;
  }
}

/** Columns of alert_cursor with alert states, which may contain positions (shared/domain/alerts/watch.ts). */
const REMEMBERED = ['state', 'older', 'oldest'] as const;

/**
 * Returns SQL for the alert state without positions between $2 and $3 (ms): the newest position, the place where the machine was
 * left, and the bounding boxes of its positions since then.
 */
const forgotten = (state: (typeof REMEMBERED)[number]): string => {
  const isGone = (time: string) => `(${time})::float8 >= $2::float8 and (${time})::float8 < $3::float8`;
  const placed = `${state} -> 'newest' -> 'LATITUDE' ->> 'time'`;
  const left = `coalesce(${state} -> 'left' ->> 'at', ${state} ->> 'time')`;
  // The start of the oldest box, which covers five minutes.
  const boxes = `(${state} -> 'boxes' -> 0 ->> 'start')::float8`;
  return `(case when ${isGone(placed)} then ${state} #- '{newest,LATITUDE}' #- '{newest,LONGITUDE}' else ${state} end)
    #- (case when ${isGone(left)} then '{left}' else '{}' end)::text[]
    #- (case when ${boxes} > $2::float8 - ${BUCKET_MS} and ${boxes} < $3::float8 then '{boxes}' else '{}' end)::text[]`;
};

/** Removes the positions of one stream. @returns false when the time limit was reached before all positions were removed */
async function removeOf(db: Database, { streamId, before, gone }: Due, until: number): Promise<boolean> {
  const end = Math.max(...gone.map(({ to }) => to));
  for (const range of gone) {
    let from = await readFirstReadingTime(db, {
      streamId,
      from: Math.max(range.from, before ?? range.from),
      to: range.to,
    });
    while (from !== undefined) {
      const to = Math.min(from + WEEK_MS, range.to);
      await removePositions(db, { streamId, from, to });
      await shardForStream(db, streamId).query(
        `update telemetry.rollup set south = null, west = null, north = null, east = null
         where stream_id = $1 and bucket >= $2 and bucket < $3 and south is not null`,
        [streamId, new Date(from), new Date(to)],
      );
      // Includes sessions that began up to ten minutes later, because a session's position may be that much older than its
      // beginning.
      await shardForStream(db, streamId).query(
        `update telemetry.charging_session set latitude = null, longitude = null
         where stream_id = $1 and from_time >= $2 and from_time < $3::timestamptz + interval '10 minutes' and latitude is not null`,
        [streamId, new Date(from), new Date(to)],
      );
      await noteRemoved(db, streamId, to);
      if (performance.now() > until) return false;
      from = await readFirstReadingTime(db, { streamId, from: to, to: range.to });
    }
  }
  await noteRemoved(db, streamId, end);
  await shardForStream(db, streamId).query(
    `update telemetry.latest set signals = (signals::jsonb - 'LATITUDE' - 'LONGITUDE')::json,
       track = (track::jsonb - 'movement' - 'spot')::json, updated_at = $3
     where stream_id = $1 and (signals -> 'LATITUDE' ->> 1)::float8 < $2`,
    [streamId, end, await databaseClock(db)],
  );
  for (const range of gone)
    await shardForStream(db, streamId).query(
      `update telemetry.alert_cursor set ${REMEMBERED.map((state) => `${state} = ${forgotten(state)}`).join(', ')}
       where stream_id = $1 and (${REMEMBERED.map((state) => `${state} is distinct from ${forgotten(state)}`).join(' or ')})`,
      [streamId, range.from, range.to],
    );
  await db.query(
    `delete from object where modified_at < $2
       and logger_serial in (select logger_serial from writer where stream_id = $1)`,
    [streamId, new Date(end)],
  );
  return true;
}

const noteRemoved = (db: Database, streamId: number, before: number) =>
  db.query(
    `insert into removed_position (stream_id, before) values ($1, $2)
     on conflict (stream_id) do update set before = excluded.before`,
    [streamId, new Date(before)],
  );

/**
 * Marks the positions of a stream from a time (ms) on to be removed again: late readings may belong to a time whose positions were
 * already removed.
 */
export const recheckRemovedPositions = (db: Database, streamId: number, first: number) =>
  db.query('update removed_position set before = $2 where stream_id = $1 and before > $2', [
    streamId,
    new Date(first),
  ]);
