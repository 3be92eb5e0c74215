import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { graceStart } from './restore-machine.ts';

/** Rows per statement: short enough to be waited for by what comes in meanwhile. */
const BATCH = 10_000;
/** Every process has forgotten the bindings by then (its caches are at most 5 s old). */
const UNBOUND_FOR = '30 seconds';
/** A call ends soon after; the next one goes on where it was. */
const BUDGET_MS = 5_000;

/**
 * Removes what was deleted longer ago than the grace period, in two steps that may be two calls apart: first its
 * bindings, so that nothing more can arrive for it, then its readings in batches, and last its own rows. Safe to
 * repeat and to break off.
 * @returns how many machines and LMB loggers are gone for good
 */
export async function purgeDeleted(pool: Pool, now: Date, graceDays: number): Promise<number> {
  const { rows: due } = await pool.query<{ id: number }>(
    'select id from stream where deleted_at <= $1 and purged_at is null order by id',
    [graceStart(now, graceDays)],
  );
  for (const { id } of due) await unbind(pool, id, graceStart(now, graceDays));
  const { rows: unbound } = await pool.query<{ id: number }>(
    `select id from stream where purged_at <= now() - interval '${UNBOUND_FOR}' order by id`,
  );
  const until = performance.now() + BUDGET_MS;
  let gone = 0;
  for (const { id } of unbound) {
    if (!(await removeHistory(pool, id, until))) break;
    await removeRecord(pool, id);
    gone += 1;
  }
  return gone;
}

/** From here on there is no way back: the bindings are gone, with their keys, configurations and health. */
function unbind(pool: Pool, streamId: number, before: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update stream set purged_at = now() where id = $1 and deleted_at <= $2 and purged_at is null',
      [streamId, before],
    );
    if (!rowCount) return; // restored meanwhile
    await client.query(
      `insert into former_logger (logger_serial, until)
       select logger_serial, max(valid_to) from writer where stream_id = $1 group by logger_serial
       on conflict (logger_serial) do update set until = greatest(former_logger.until, excluded.until)`,
      [streamId],
    );
    // What the logger delivered for it, raw.
    for (const [table, time] of [
      ['object', 'modified_at'],
      ['quarantine', 'received_at'],
    ]) {
      await client.query(
        `delete from ${table} d using writer w where w.stream_id = $1 and d.logger_serial = w.logger_serial
         and d.${time} >= w.created_at and d.${time} <= w.valid_to`,
        [streamId],
      );
    }
    for (const table of ['writer_key', 'writer_health', 'logger_config'])
      await client.query(
        `delete from ${table} where writer_id in (select id from writer where stream_id = $1)`,
        [streamId],
      );
    await client.query('delete from writer where stream_id = $1', [streamId]);
  });
}

/** @returns false when the time was up before all of it was gone */
async function removeHistory(db: Database, streamId: number, until: number): Promise<boolean> {
  for (const [table, time] of [
    ['reading', 'time'],
    ['rollup', 'bucket'],
    ['event', 'from_time'],
  ]) {
    let removed: number;
    do {
      const { rowCount } = await db.query(
        `delete from ${table} where stream_id = $1 and ${time} <= (
           select max(${time}) from (select ${time} from ${table} where stream_id = $1 order by ${time} limit ${BATCH}) as oldest
         )`,
        [streamId],
      );
      removed = rowCount ?? 0;
      if (performance.now() > until) return false;
    } while (removed > 0);
  }
  return true;
}

function removeRecord(pool: Pool, streamId: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    // It touches rows of other machines too: first in line for the counter that every change counts up.
    await client.query(`select from change_counter where name = 'directory' for update`);
    await client.query('update machine set reference_stream_id = null where reference_stream_id = $1', [
      streamId,
    ]);
    for (const table of ['latest', 'machine', 'ownership', 'definition'])
      await client.query(`delete from ${table} where stream_id = $1`, [streamId]);
    await client.query('delete from stream where id = $1', [streamId]);
  });
}
