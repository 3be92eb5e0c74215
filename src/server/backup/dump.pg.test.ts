import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { countStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import { IS_TEST_OF_CLOSED_WEEKS } from '#server/test/closed.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { dumpDatabase } from './dump.ts';

const OLD = Date.UTC(2026, 2, 4);
const LATER = Date.UTC(2026, 2, 5);

let database: TestDatabase;
let clients: pg.Client[];
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(
    `insert into stream (kind, serial, alias) values ('machine', 'M-1', 'M 1'); insert into latest (stream_id) values (1);
     select ensure_week('2026-03-04')`,
  );
  await storeTestReadings(database.pool, 1, [{ time: OLD, signals: { Soc1: 1 } }]);
  clients = [new pg.Client(database.connection), new pg.Client(database.connection)];
  for (const client of clients) await client.connect();
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

// The nodes of a cluster share no snapshot, so a cluster is backed up while no portal runs.
test.skipIf(CITUS_CONNECTION)(
  'rows that are stored while a backup runs are in all of its tables or in none, and their transactions do not wait (INGEST-02)',
  async () => {
    const rows: Record<string, number> = {};
    let table = '';
    let waited = -1;
    for await (const frame of dumpDatabase(clients[0] as pg.Client, clients[1] as pg.Client, () => {})) {
      const kind = frame.toString('latin1', 0, 1);
      if (kind === 'T') ({ table } = JSON.parse(frame.toString('utf8', 5)));
      if (kind === 'E') rows[table] = (rows[table] ?? 0) + JSON.parse(frame.toString('utf8', 5)).rows;
      // At this point the dump has read the default partition of `reading`, and not yet `rollup`.
      if (kind === 'E' && table === 'reading' && waited < 0) {
        const began = performance.now();
        await database.pool.query(
          `insert into stream (kind, serial, alias) values ('machine', 'M-2', 'M 2')`,
        );
        await database.pool.query(`select ensure_week('2026-04-01')`);
        await storeTestReadings(database.pool, 1, [{ time: LATER, signals: { Soc1: 2 } }]);
        waited = performance.now() - began;
      }
      // The sequences include ids that were assigned after the snapshot.
      if (kind === 'S') {
        const sequences = JSON.parse(frame.toString('utf8', 5)) as { name: string; last: string }[];
        expect(sequences.find(({ name }) => name === 'stream_id_seq')).toEqual({
          name: 'stream_id_seq',
          last: '2',
        });
      }
    }
    const [readings, files] = IS_TEST_OF_CLOSED_WEEKS ? [0, 1] : [1, 0];
    expect(rows).toMatchObject({ stream: 1, latest: 1, reading: readings, reading_file: files, rollup: 1 });
    // The dump waited for the statements above. If one of these needed a lock that the dump holds, both would wait for each other, and
    // ensure_week() would give up after 3 s.
    expect(waited).toBeGreaterThan(0);
    expect(await countStoredReadings(database.pool, 1)).toBe(2);
  },
);
