import { type Database, MAX_TIMEOUT_MS, withTimeLimit } from '#server/platform/database.ts';
import { type Shard, shardsFrom } from '#server/platform/shards.ts';
import { closedPartitions } from './closed-partitions.ts';
import { WEEK_MS } from './weeks.ts';

/** Size of a partition without rows, with its index. */
const EMPTY_BYTES = 64 * 1024;
/** PostgreSQL's error code when a lock is not available in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Returns the first partition of a closed week that has no rows any more but still takes space on disk. */
export async function findEmptiedPartition(
  db: Database,
  before: number,
): Promise<{ readonly shard: Shard; readonly name: string } | undefined> {
  for (const shard of shardsFrom(db, 0))
    for (const { name, from, bytes } of await closedPartitions(shard, before)) {
      if (bytes <= EMPTY_BYTES) continue;
      const { rows } = await shard.query(
        'select from telemetry.reading where time >= $1 and time < $2 limit 1',
        [new Date(from), new Date(from + WEEK_MS)],
      );
      if (rows.length === 0) return { shard, name };
    }
  return undefined;
}

/**
 * Frees the disk space of a partition whose rows are all in files. A transaction that began earlier, for example of a backup, may
 * still see the rows: the partition then keeps its pages, and a later call shrinks it. Readers wait 0.1 s at most.
 * @param client a separate connection of the tables' owner, outside a transaction; it cannot be reused afterwards
 * @returns whether the partition is small now
 */
export async function shrinkWeek(client: Database, before: number): Promise<boolean> {
  const { shard, name } = (await findEmptiedPartition(withTimeLimit(client, MAX_TIMEOUT_MS), before)) ?? {};
  if (!shard) return false;
  await shard.query('set statement_timeout = 0');
  // Without these options `vacuum` would keep pages that an earlier run found empty, and also dead rows when they are few.
  await shard.query(`vacuum (disable_page_skipping, index_cleanup on) telemetry.${name}`);
  await shard.query('begin');
  try {
    await shard.query("set local lock_timeout = '100ms'");
    await shard.query(`lock table telemetry.${name} in access exclusive mode`);
    // In a partition without pages no earlier transaction can see a row. The truncation drops the pages of the index.
    const { rows } = await shard.query<{ bytes: number }>(
      `select pg_relation_size('telemetry.${name}')::float8 as bytes`,
    );
    const isEmpty = rows[0]?.bytes === 0;
    if (isEmpty) await shard.query(`truncate telemetry.${name}`);
    await shard.query('commit');
    return isEmpty;
  } catch (error) {
    await shard.query('rollback');
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
