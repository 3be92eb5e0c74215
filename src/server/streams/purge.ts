import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';

/** What others keep of a stream, and remove: who reports for it, and what they reported. */
export type PurgeSteps = {
  /** Its bindings, so that nothing more can arrive for it; in the transaction that marks the stream. */
  unbind(client: Transaction, streamId: number): Promise<void>;
  /** Its history, in batches. @returns false when `until` (performance.now) came before all of it was gone */
  removeHistory(streamId: number, until: number): Promise<boolean>;
};

const DAY_MS = 86_400_000;
/** Every process has forgotten bindings and keys by then (its caches are at most 5 s old). */
export const FORGOTTEN_AFTER = '30 seconds';
/** A call ends soon after; the next one goes on where it was. */
const BUDGET_MS = 5_000;

/** What was deleted before has had its grace period. */
export const graceStart = (now: Date, graceDays: number): Date =>
  new Date(now.getTime() - graceDays * DAY_MS);

/**
 * Removes what was deleted longer ago than the grace period, in two steps that may be two calls apart: first its
 * bindings, so that nothing more can arrive for it, then its readings in batches, and last its own rows. Safe to
 * repeat and to break off.
 * @returns how many machines and LMB loggers are gone for good
 */
export async function purgeDeleted(
  pool: Pool,
  steps: PurgeSteps,
  now: Date,
  graceDays: number,
): Promise<number> {
  const { rows: due } = await pool.query<{ id: number }>(
    'select id from stream where deleted_at <= $1 and purged_at is null order by id',
    [graceStart(now, graceDays)],
  );
  for (const { id } of due) await unbind(pool, steps, id, graceStart(now, graceDays));
  const { rows: unbound } = await pool.query<{ id: number }>(
    `select id from stream where purged_at <= now() - interval '${FORGOTTEN_AFTER}' order by id`,
  );
  const until = performance.now() + BUDGET_MS;
  let gone = 0;
  for (const { id } of unbound) {
    if (!(await steps.removeHistory(id, until))) break;
    if (await removeRecord(pool, id)) gone += 1;
  }
  return gone;
}

/** From here on there is no way back. */
function unbind(pool: Pool, steps: PurgeSteps, streamId: number, before: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update stream set purged_at = now() where id = $1 and deleted_at <= $2 and purged_at is null',
      [streamId, before],
    );
    // Else restored meanwhile.
    if (rowCount) await steps.unbind(client, streamId);
  });
}

/** @returns false where a reading came in meanwhile: the next call removes it first */
function removeRecord(pool: Pool, streamId: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const shard = ofStream(client, streamId);
    await shard.query('select from telemetry.latest where stream_id = $1 for update', [streamId]);
    const { rowCount } = await shard.query('select from telemetry.reading where stream_id = $1 limit 1', [
      streamId,
    ]);
    if (rowCount) return false;
    // It touches rows of other machines too: first in line for the counter that every change counts up.
    await client.query(`select from change_counter where name = 'directory' for update`);
    await client.query('update machine set reference_stream_id = null where reference_stream_id = $1', [
      streamId,
    ]);
    for (const table of ['latest', 'day_cursor', 'changed_history', 'redecoded', 'erased_reading'])
      await shard.query(`delete from telemetry.${table} where stream_id = $1`, [streamId]);
    for (const table of ['machine', 'ownership', 'definition'])
      await client.query(`delete from ${table} where stream_id = $1`, [streamId]);
    await client.query('delete from stream where id = $1', [streamId]);
    return true;
  });
}
