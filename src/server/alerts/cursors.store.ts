import type { Database } from '#server/platform/database.ts';
import { runInAllShards, runInShardsOfStreams, shardsFrom } from '#server/platform/shards.ts';
import type { WatchState } from '#shared/domain/alerts/watch.ts';
import { MAX_SIGNAL_AGE_MS } from '#shared/domain/live-data.ts';

/** How far the readings of a stream were evaluated, and how much is stored now. Times in ms. */
export type EvaluationCursor = {
  readonly streamId: number;
  readonly beginTime: number;
  readonly time: number;
  readonly state: WatchState | null;
  readonly older: WatchState | null;
  readonly oldest: WatchState | null;
  readonly count: number;
  readonly unsettled: number;
  readonly late: boolean;
  readonly rereadAt: number;
  /** Time of the stream's newest reading. */
  readonly newestTime: number;
  /** Number of all readings ever stored. */
  readonly storedCount: number;
  /** Whether something was stored since the last evaluation. */
  readonly moved: boolean;
};

/** The cursor after an evaluation. `older` and `oldest` are null to keep the stored states, which are replaced about once a day. */
export type EvaluatedCursor = Pick<
  EvaluationCursor,
  'streamId' | 'time' | 'state' | 'older' | 'oldest' | 'count' | 'unsettled' | 'late' | 'rereadAt'
>;

/** Shortest time between evaluations of a stream. */
const LOOK_EVERY_MS = 20_000;
/** Shortest time between re-evaluations of a stream because of late readings. */
export const REEVALUATION_INTERVAL_MS = 5 * 60_000;

/** Returns the ids of the streams that have an evaluation cursor. */
export async function readCursors(db: Database): Promise<number[]> {
  const rows = await runInAllShards(db, (shard) =>
    shard.query<{ id: number }>('select stream_id as id from telemetry.alert_cursor'),
  );
  return rows.map(({ id }) => id);
}

/**
 * Adds cursors of machines whose organization has an active rule or whose charging has a subscriber, and deletes all other cursors.
 * @param known streams that had a cursor before the rules were read, so that a cursor that a new rule adds meanwhile is not deleted
 */
export async function addAndDeleteCursors(
  db: Database,
  known: readonly number[],
  organizations: readonly number[],
  charging: readonly number[],
): Promise<void> {
  const wanted = new Set([...(await addCursors(db, organizations, new Set(known))), ...charging]);
  const unwanted = known.filter((id) => !wanted.has(id));
  await runInShardsOfStreams(db, unwanted, (shard, own) =>
    shard.query('delete from telemetry.alert_cursor where stream_id = any ($1::int[])', [own]),
  );
  const lost = charging.filter((id) => !known.includes(id));
  if (lost.length > 0) await addChargingCursors(db, lost);
}

/**
 * Adds cursors that start at the newest stored reading.
 * @returns all machines of these organizations
 */
export async function addCursors(
  db: Database,
  organizations: readonly number[],
  known: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select s.id from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
     where s.kind = 'machine' and s.deleted_at is null and w.organization_id = any ($1)`,
    [organizations],
  );
  const machines = rows.map(({ id }) => id);
  const fresh = machines.filter((id) => !known.has(id));
  await runInShardsOfStreams(db, fresh, (shard, own) =>
    shard.query(
      `insert into telemetry.alert_cursor (stream_id, begin_time, time, count, seen_at)
       select l.stream_id, l.time, l.time, l.total_count, l.updated_at from telemetry.latest l where l.stream_id = any ($1::int[])
       on conflict do nothing`,
      [own],
    ),
  );
  return machines;
}

/**
 * Adds cursors that start shortly before the newest reading: the readings in between show whether the machine is charging, so that
 * the next charging event notifies.
 * @returns when each stream's newest reading was, in ms
 */
export async function addChargingCursors(
  db: Database,
  streamIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await runInShardsOfStreams(db, streamIds, async (shard, own) => {
    const found = await shard.query<{ id: number; time: number; exact: string; count: string }>(
      `select stream_id as id, ${ms('time')} as time, time::text as exact, total_count as count
       from telemetry.latest where stream_id = any ($1::int[])`,
      [own],
    );
    // The values are parameters, because Citus 13 sends invalid SQL to its workers for `insert … select from telemetry.latest`.
    await shard.query(
      `insert into telemetry.alert_cursor as c (stream_id, begin_time, time, count, late)
       select id, time - $4::interval, time, count, true from unnest($1::int[], $2::timestamptz[], $3::bigint[]) as n (id, time, count)
       on conflict (stream_id) do update set late = true, reread_at = '-infinity',
         begin_time = least(c.begin_time, excluded.begin_time)`,
      [
        found.rows.map(({ id }) => id),
        found.rows.map(({ exact }) => exact),
        found.rows.map(({ count }) => count),
        `${MAX_SIGNAL_AGE_MS} milliseconds`,
      ],
    );
    return found;
  });
  return new Map(rows.map(({ id, time }) => [id, time]));
}

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

/**
 * Locks the due cursors of one shard, in order of stream, after `afterStream`: those with new readings, and those due for re-evaluation.
 * Skips cursors that another process has locked.
 * @returns the cursors of the first shard that has due ones; [] if no cursor is due in that of `afterStream` or a following shard
 */
export async function lockDueCursors(
  db: Database,
  now: Date,
  afterStream: number,
  limit: number,
): Promise<EvaluationCursor[]> {
  for (const [n, shard] of shardsFrom(db, afterStream).entries()) {
    const { rows } = await shard.query<EvaluationCursor>(
      `select c.stream_id, ${ms('c.begin_time')} as begin_time, ${ms('c.time')} as time, c.state, c.older, c.oldest,
       c.count::float8 as count, c.unsettled, c.late, ${ms('c.reread_at')} as reread_at,
       ${ms('l.time')} as newest_time, l.total_count::float8 as stored_count, l.updated_at is distinct from c.seen_at as moved
     from telemetry.alert_cursor c
     join telemetry.latest l on l.stream_id = c.stream_id
     where c.stream_id > $2 and (
       (l.updated_at is distinct from c.seen_at or c.unsettled > 0)
         and (c.looked_at <= $1::timestamptz - make_interval(secs => $4) or c.looked_at > $1)
       or c.late and (c.reread_at <= $1::timestamptz - make_interval(secs => $5) or c.reread_at > $1)
     )
     order by c.stream_id limit $3
     for update of c skip locked`,
      [now, n === 0 ? afterStream : 0, limit, LOOK_EVERY_MS / 1000, REEVALUATION_INTERVAL_MS / 1000],
    );
    if (rows.length > 0) return rows;
  }
  return [];
}

/**
 * Saves cursors in the transaction that locked them. The transaction reads one snapshot, so that `seen_at` becomes the time of the newest
 * change that was evaluated, even if readings arrive during the evaluation.
 */
export async function saveCursors(
  db: Database,
  cursors: readonly EvaluatedCursor[],
  now: Date,
): Promise<void> {
  const json = (state: WatchState | null) => state && JSON.stringify(state);
  await runInShardsOfStreams(db, cursors, (shard, own) =>
    shard.query(
      `update telemetry.alert_cursor c set time = to_timestamp(n.time / 1000), state = n.state, older = coalesce(n.older, c.older),
       oldest = coalesce(n.oldest, c.oldest), count = n.count, unsettled = n.unsettled, late = n.late,
       reread_at = to_timestamp(n.reread_at / 1000), seen_at = l.updated_at, looked_at = $1
     from unnest($2::int[], $3::float8[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::bigint[], $8::int[], $9::boolean[], $10::float8[])
       as n (stream_id, time, state, older, oldest, count, unsettled, late, reread_at)
     join telemetry.latest l on l.stream_id = n.stream_id
     where c.stream_id = n.stream_id`,
      [
        now,
        own.map(({ streamId }) => streamId),
        own.map(({ time }) => time),
        own.map(({ state }) => json(state)),
        own.map(({ older }) => json(older)),
        own.map(({ oldest }) => json(oldest)),
        own.map(({ count }) => count),
        own.map(({ unsettled }) => unsettled),
        own.map(({ late }) => late),
        own.map(({ rereadAt }) => rereadAt),
      ],
    ),
  );
}
