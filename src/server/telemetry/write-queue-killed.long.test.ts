import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { openPartitions } from './partitions.ts';
import { storedRows } from './test/stored-rows.ts';
import { UPLOADS_START } from './test/uploads.ts';

const LOGGERS = 400;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('insert into latest (stream_id) select generate_series(1, $1)', [LOGGERS]);
  const weeks = openPartitions(
    database.pool,
    () => UPLOADS_START,
    () => {},
  );
  await weeks.ensure([UPLOADS_START], undefined);
});
afterAll(() => database.drop());

test('acknowledged uploads survive kill -9 of a process that has two groups in progress (INGEST-02)', async () => {
  const acknowledged = new Map<number, number>();
  const twoAtOnce = async (): Promise<boolean> => {
    const { rows } = await database.pool.query<{ groups: number }>(
      `select count(*)::integer as groups from pg_stat_activity
       where datname = current_database() and state = 'active' and query like 'with stored%'`,
    );
    return rows[0]?.groups === 2;
  };
  for (let round = 1; round <= 3; round++) {
    const connection = JSON.stringify(database.connection);
    const script = new URL('./test/write-queue-process.ts', import.meta.url);
    const child = fork(script, [connection, String(LOGGERS), String(round * 100_000)], { execArgv: [] });
    const gone = once(child, 'exit');
    let answers = 0;
    child.on('message', ([logger, n]: [number, number]) => {
      acknowledged.set(logger, n);
      answers += 1;
    });
    await expect.poll(() => answers, { timeout: 20_000 }).toBeGreaterThan(4 * LOGGERS);
    await expect.poll(twoAtOnce, { timeout: 20_000, interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    await gone;
    // Waits until all statements of the killed process have ended.
    await expect
      .poll(
        async () =>
          (
            await database.pool.query(
              `select 1 from pg_stat_activity where datname = current_database() and query like 'with stored%'`,
            )
          ).rowCount,
      )
      .toBe(0);
    const { rows } = await database.pool.query<{ logger: number; newest: number }>(
      `select logger_serial::integer as logger, size::integer as newest from object`,
    );
    const since = { from: UPLOADS_START + round * 100_000_000, to: Number.POSITIVE_INFINITY };
    for (const { logger, newest } of rows) {
      const readings = (await storedRows(database.pool, logger, [], since)).length;
      // Groups in progress at the kill may have been stored without an acknowledgement.
      expect(newest).toBeGreaterThanOrEqual(acknowledged.get(logger) ?? 0);
      expect(readings).toBe(newest - round * 100_000 + 1);
    }
    expect(rows.length).toBe(LOGGERS);
  }
}, 90_000);
