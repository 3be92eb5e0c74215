import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { readFirstReadingTime } from '#server/telemetry/readings/read-edges.ts';

/** Steps of the purge that other folders implement: they delete the stream's bindings and history. */
export type PurgeSteps = {
  /** Deletes the bindings, so that no more readings can arrive; in the transaction that marks the stream as purged. */
  unbind(client: Transaction, streamId: number): Promise<void>;
  /**
   * Deletes the history in batches.
   * @returns false when `until` (performance.now) was reached before all of it was deleted
   */
  removeHistory(streamId: number, until: number): Promise<boolean>;
};

const DAY_MS = 86_400_000;
const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
/** Time after which no process has cached bindings or keys any more (caches are at most 5 s old). */
export const CACHE_EXPIRY_INTERVAL_SQL = '30 seconds';
/** Time limit of one call of purgeDeleted(), in ms; the next call continues. */
const BUDGET_MS = 5_000;

/** Returns the start of the grace period that ends at `now`: a stream that was deleted earlier may be purged. */
export const gracePeriodStart = (now: Date, graceDays: number): Date =>
  new Date(now.getTime() - graceDays * DAY_MS);

/**
 * Purges streams that were deleted longer ago than the grace period. First deletes their bindings, so that no more readings can
 * arrive; then, possibly in a later call, their readings in batches and finally their own rows. Safe to repeat and to interrupt.
 * @returns the number of machines and LMB loggers that were permanently deleted
 */
export async function purgeDeleted(
  pool: Pool,
  steps: PurgeSteps,
  now: Date,
  graceDays: number,
): Promise<number> {
  const { rows: due } = await pool.query<{ id: number }>(
    'select id from stream where deleted_at <= $1 and purged_at is null order by id',
    [gracePeriodStart(now, graceDays)],
  );
  for (const { id } of due) await unbind(pool, steps, id, gracePeriodStart(now, graceDays));
  const { rows: unbound } = await pool.query<{ id: number }>(
    `select id from stream where purged_at <= now() - interval '${CACHE_EXPIRY_INTERVAL_SQL}' order by id`,
  );
  const until = performance.now() + BUDGET_MS;
  let gone = 0;
  for (const { id } of unbound) {
    if (!(await steps.removeHistory(id, until))) break;
    if (await removeRecord(pool, id)) gone += 1;
  }
  return gone;
}

/** Marks a stream as purged, which cannot be undone, and deletes its bindings. */
function unbind(pool: Pool, steps: PurgeSteps, streamId: number, before: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update stream set purged_at = now() where id = $1 and deleted_at <= $2 and purged_at is null',
      [streamId, before],
    );
    // If the update changed no row, the stream was restored meanwhile.
    if (rowCount) await steps.unbind(client, streamId);
  });
}

/** Deletes the rows of the stream itself. @returns false when a reading arrived meanwhile; the next call deletes it first */
function removeRecord(pool: Pool, streamId: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const shard = shardForStream(client, streamId);
    await shard.query('select from telemetry.latest where stream_id = $1 for update', [streamId]);
    if ((await readFirstReadingTime(client, { streamId, ...EVER })) !== undefined) return false;
    // Locks the change counter first, like every change of the directory, because the next statement also changes rows of
    // other machines.
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
