import type pg from 'pg';
import { expect, test } from 'vitest';
import { rangeSums } from '#server/history/range-sums.ts';
import { measureDatabaseSize } from '#server/metrics/metrics.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { findShards } from '#server/platform/shards.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { testDatabase } from '#server/test/database.ts';
import { SUM_NAMES } from '#shared/domain/figures.ts';
import { readBuckets } from './read-buckets.ts';
import { readReadingsInRanges } from './readings/read-readings.ts';
import { storeReadings } from './readings.store.ts';

/**
 * Wraps a pool so that each query is also run with EXPLAIN, before its execution.
 * @returns the pool, and the number of tasks of each statement that reached a worker
 */
function explained(pool: Pool): { pool: Pool; tasks: number[] } {
  const tasks: number[] = [];
  const query = async (asked: string | pg.QueryConfig, values?: unknown[]) => {
    const { text, values: given = values } =
      typeof asked === 'string'
        ? { text: asked, values }
        : { text: asked.text, values: asked.values ?? values };
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, given as unknown[]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    for (const [, count] of plan.matchAll(/Task Count: (\d+)/g)) tasks.push(Number(count));
    return pool.query(asked as string, values as unknown[]);
  };
  return {
    pool: new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) }),
    tasks,
  };
}

test.skipIf(!CITUS_CONNECTION)(
  `on a cluster each statement that stores or reads a machine's history is one task${CITUS_CONNECTION ? '' : ' (skipped: no CITUS_URL)'} (17.1, 17.3)`,
  async () => {
    const database = await testDatabase();
    try {
      const { rows } = await database.pool.query(
        'select schema_name::text as name from citus_schemas order by 1',
      );
      expect(rows.map(({ name }) => name)).toEqual(await findShards(database.pool));
      await database.pool.query('insert into latest (stream_id) values (1), (2), (3)');
      const { pool, tasks } = explained(database.pool);
      const [from, to] = [Date.UTC(2026, 10, 2), Date.UTC(2026, 10, 3)];
      const readings = [1, 2, 3].flatMap((streamId) =>
        Array.from({ length: 20 }, (_, n) => ({
          streamId,
          time: from + n * 60_000,
          signals: { MotorSpeed: 900 },
        })),
      );
      expect(await storeReadings(pool, readings)).toEqual({ inserted: 60, merged: 0 });
      // Two statements per shard: one reads the rows of the streams, one stores.
      expect(tasks).toEqual([1, 1, 1, 1, 1, 1]);

      const range = { from, to };
      const sums = await rangeSums(pool, { streamId: 2, own: [range] }, range, SUM_NAMES);
      expect(sums).toMatchObject({ count: 20, runningMs: 19 * 60_000 });
      expect((await readBuckets(pool, 2, [range])).size).toBe(4);
      const [read, other] = await readReadingsInRanges(pool, [
        { streamId: 3, ...range },
        { streamId: 1, ...range },
      ]);
      expect([read?.length, other?.length]).toEqual([20, 20]);
      expect(tasks.length).toBeGreaterThanOrEqual(10);
      expect([...new Set(tasks)]).toEqual([1]);

      const { workers } = await measureDatabaseSize(database.pool);
      const { rows: nodes } = await database.pool.query(
        `select nodename || ':' || nodeport as worker from pg_dist_node where shouldhaveshards order by 1`,
      );
      expect(workers.map(({ worker }) => worker).sort()).toEqual(nodes.map(({ worker }) => worker));
      for (const { bytes } of workers) expect(bytes).toBeGreaterThan(1_000_000);
    } finally {
      await database.drop();
    }
  },
);
