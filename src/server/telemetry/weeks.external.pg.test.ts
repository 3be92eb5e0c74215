import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, type Transaction } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { openPartitions } from './partitions.ts';
import { storeReadings, storeShardReadings } from './readings.store.ts';

/** Tests that storing readings locks only the weekly partitions that it writes to. */
const WEEK_MS = 7 * 86400_000;
const NOW = Date.UTC(2026, 10, 18, 12);
const WEEKS = 30;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const times = Array.from({ length: WEEKS }, (_, n) => NOW - n * WEEK_MS);
  await openPartitions(database.pool, () => NOW).ensure(times, undefined);
  await database.pool.query('insert into latest (stream_id) select generate_series(1, 10)');
});
afterAll(() => database.drop());

/** Returns the partitions of readings and roll-up that this transaction has locked. */
async function openedBy(client: Transaction): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname ~ '^(reading|rollup)_\\d' order by 1`,
  );
  return rows.map(({ name }) => name);
}

const partitionsOf = (weeksAgo: number): string[] =>
  ['reading', 'rollup'].map((table) => `${table}_2026w${47 - weeksAgo}`);

// Skipped on a cluster, whose locks and reads are visible on its workers only.
test.skipIf(CITUS_CONNECTION)(
  'storing readings that are newer than all stored ones locks the partitions of their own week only (INGEST-03)',
  async () => {
    // Eight runs, because PostgreSQL replaces the plans of a prepared statement by a generic plan after five.
    for (let n = 0; n < 8; n++) {
      const readings = [1, 2].map((streamId) => ({ streamId, time: NOW + n * 1000, signals: { Speed: n } }));
      const opened = await inTransaction(database.pool, async (client) => {
        const changes = await runInShardsOfStreams(client, readings, async (_cell, own) => ({
          rows: (await storeShardReadings(client, own)).changes,
        }));
        expect(changes).toHaveLength(2);
        return openedBy(client);
      });
      expect(opened).toEqual(partitionsOf(0));
    }
  },
);

// Skipped on a cluster, whose locks and reads are visible on its workers only.
test.skipIf(CITUS_CONNECTION)(
  'storing late, merged and repeated readings locks the partitions of their own week only (INGEST-03)',
  async () => {
    const late = { streamId: 1, time: NOW - 3 * WEEK_MS, signals: { Speed: 3 } };
    const merged = { ...late, signals: { MotorSpeed: 900 } };
    const cases = [
      { readings: [late], opens: partitionsOf(3) },
      { readings: [merged], opens: partitionsOf(3) },
      { readings: [late, merged], opens: partitionsOf(3).slice(0, 1) }, // nothing changes
    ];
    for (const { readings, opens } of cases) {
      const opened = await inTransaction(database.pool, async (client) => {
        await storeShardReadings(client, readings);
        return openedBy(client);
      });
      expect(opened).toEqual(opens);
    }
  },
);

// Skipped on a cluster, whose locks and reads are visible on its workers only.
test.skipIf(CITUS_CONNECTION)(
  'storing a late or merged reading reads the rows around it, not the whole week (INGEST-03)',
  async () => {
    const time = NOW - 5 * WEEK_MS;
    const minutes = Array.from({ length: 400 }, (_, n) => time + (n - 200) * 60_000 + 1_000);
    for (const streamId of [3, 4])
      await storeReadings(
        database.pool,
        minutes.map((each) => ({ streamId, time: each, signals: { Speed: 2 } })),
      );
    await database.pool.query('analyze reading');
    await storeReadings(database.pool, [{ streamId: 3, time: time + WEEK_MS, signals: { Speed: 1 } }]);
    for (const signals of [{ Speed: 1 }, { Speed: 1, MotorSpeed: 900 }]) {
      const read = await inTransaction(database.pool, async (client) => {
        await storeShardReadings(client, [{ streamId: 3, time, signals }]);
        const { rows } = await client.query<{ read: number }>(
          `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as read from pg_stat_xact_user_tables
         where relname ~ '^reading_'`,
        );
        return rows[0]?.read;
      });
      expect(read).toBeGreaterThan(0);
      // The limit of 90 rows allows the readings of about 40 minutes (one per minute), and stored readings at the same instants.
      expect(read).toBeLessThan(90);
    }
  },
);
