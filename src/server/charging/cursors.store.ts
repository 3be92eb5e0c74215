import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { ChargingState } from '#shared/domain/charging-events.ts';

const { chargingCursor, latest } = telemetryTables();

/** How far a stream has been looked at, and what is stored of it by now. Times in ms, -Infinity: none yet. */
export type Cursor = {
  readonly streamId: number;
  readonly beginTime: number;
  readonly time: number;
  readonly state: ChargingState | null;
  readonly count: number;
  readonly unsettled: number;
  readonly late: boolean;
  readonly rereadAt: number;
  /** Of the stream's newest reading. */
  readonly newestTime: number;
  /** Of all its readings ever. */
  readonly storedCount: number;
  /** Something of it was stored since the last look. */
  readonly moved: boolean;
};

/** What a look leaves behind. */
export type Looked = Pick<
  Cursor,
  'streamId' | 'time' | 'state' | 'count' | 'unsettled' | 'late' | 'rereadAt'
> & {
  readonly charging: boolean;
  readonly awake: boolean;
};

/** ms; a stream where nothing seems to change is looked at this often. */
export const LOOK_EVERY_MS = 5 * 60_000;
/** ms; how often the past hours of one stream are read again because readings came late. */
export const REREAD_EVERY_MS = 5 * 60_000;

/** Begins with what somebody subscribed to, and forgets what nobody does any more. */
export async function keepCursors(db: Database): Promise<void> {
  // The cursors first: one that comes with a new subscription meanwhile is not taken for one that nobody wants.
  const { rows: cursors } = await db.query<{ id: number }>(`select stream_id as id from ${chargingCursor}`);
  const { rows } = await db.query<{ id: number }>('select distinct stream_id as id from subscription');
  const subscribed = rows.map(({ id }) => id);
  const wanted = new Set(subscribed);
  const unwanted = cursors.map(({ id }) => id).filter((id) => !wanted.has(id));
  if (unwanted.length > 0)
    await db.query(`delete from ${chargingCursor} where stream_id = any ($1::int[])`, [unwanted]);
  await db.query(
    `${BEGIN} where l.stream_id = any ($1::int[])
       and not exists (select from ${chargingCursor} c where c.stream_id = l.stream_id)
     on conflict do nothing`,
    [subscribed],
  );
}

const BEGIN = `insert into ${chargingCursor} (stream_id, begin_time, time, count, seen_at)
  select l.stream_id, l.time, l.time, l.total_count, l.updated_at from ${latest} l`;

/** With the first subscription to a stream, in its transaction: what came before is told to nobody. */
export async function beginCursor(db: Database, streamId: number): Promise<void> {
  await db.query(`${BEGIN} where l.stream_id = $1 on conflict do nothing`, [streamId]);
}

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

/**
 * Locks the cursors that are worth a look, in order of stream, after `afterStream`; those that another process has
 * locked are left to it. Only those whose stream got readings, and of these only where something seems to happen,
 * or the last look was LOOK_EVERY_MS ago (or, by a clock that was wrong, is still to come); one pass over `latest` by
 * key.
 */
export async function lockDueCursors(
  db: Database,
  now: Date,
  afterStream: number,
  limit: number,
): Promise<Cursor[]> {
  const { rows } = await db.query<Cursor>(
    `select c.stream_id as "streamId", ${ms('c.begin_time')} as "beginTime", ${ms('c.time')} as time, c.state,
       c.count::float8 as count, c.unsettled, c.late, ${ms('c.reread_at')} as "rereadAt",
       ${ms('l.time')} as "newestTime", l.total_count::float8 as "storedCount", l.updated_at <> c.seen_at as moved
     from ${chargingCursor} c
     join ${latest} l on l.stream_id = c.stream_id
     where c.stream_id > $2 and (
       (l.updated_at <> c.seen_at or c.unsettled > 0) and (
         c.awake or c.charging <> coalesce((l.track -> 'charger' ->> 'charges')::boolean, false)
         or l.time >= c.time + make_interval(secs => $4)
         or c.looked_at <= $1::timestamptz - make_interval(secs => $4) or c.looked_at > $1
       )
       or c.late and (c.reread_at <= $1::timestamptz - make_interval(secs => $5) or c.reread_at > $1)
     )
     order by c.stream_id limit $3
     for update of c skip locked`,
    [now, afterStream, limit, LOOK_EVERY_MS / 1000, REREAD_EVERY_MS / 1000],
  );
  return rows;
}

/** In the transaction that locked them, which reads one snapshot: `seen_at` is what the look has seen. */
export async function saveCursors(db: Database, looked: readonly Looked[], now: Date): Promise<void> {
  await db.query(
    `update ${chargingCursor} c set time = to_timestamp(n.time / 1000), state = n.state, count = n.count,
       unsettled = n.unsettled, late = n.late, reread_at = to_timestamp(n.reread_at / 1000), charging = n.charging,
       awake = n.awake, seen_at = l.updated_at, looked_at = $1
     from unnest($2::int[], $3::float8[], $4::jsonb[], $5::bigint[], $6::int[], $7::boolean[], $8::float8[], $9::boolean[], $10::boolean[])
       as n (stream_id, time, state, count, unsettled, late, reread_at, charging, awake)
     join ${latest} l on l.stream_id = n.stream_id
     where c.stream_id = n.stream_id`,
    [
      now,
      looked.map(({ streamId }) => streamId),
      looked.map(({ time }) => time),
      looked.map(({ state }) => state && JSON.stringify(state)),
      looked.map(({ count }) => count),
      looked.map(({ unsettled }) => unsettled),
      looked.map(({ late }) => late),
      looked.map(({ rereadAt }) => rereadAt),
      looked.map(({ charging }) => charging),
      looked.map(({ awake }) => awake),
    ],
  );
}
