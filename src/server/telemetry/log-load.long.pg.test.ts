import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardForStream } from '#server/platform/shards.ts';
import { TestFleet } from './test/fleet.ts';

let fleet: TestFleet;
/** A connection outside the portal's pool. */
let client: pg.Client;
beforeAll(async () => {
  fleet = await TestFleet.open();
  client = new pg.Client(fleet.portal.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await fleet.close();
});

const LOGS = 20;
const ROWS = 300;

test('snapshots are answered while 20 log files wait for a slow database, which later stores all of them (INGEST-03)', async () => {
  const loggers = await Promise.all(Array.from({ length: LOGS }, () => fleet.newLogger()));
  const csv = [
    'time,Soc1',
    ...Array.from({ length: ROWS }, (_, n) => `${1_780_000_000 + n},${n % 100}`),
  ].join('\n');
  const live = await fleet.newLogger();

  // Locks the streams, so that no log file can be stored and each attempt holds a connection.
  await client.query('begin');
  for (const { streamId } of loggers)
    await shardForStream(client, streamId).query(
      'select 1 from telemetry.latest where stream_id = $1 for update',
      [streamId],
    );
  const uploads = loggers.map((logger) => fleet.putStatus(logger, 'export.csv', csv));
  const waiting = async () => {
    // Queries outside the transaction, in which pg_stat_activity would return the same rows each time.
    const { rows } = await fleet.portal.pool.query(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%for update%' and pid <> pg_backend_pid()`,
    );
    return rows[0].n as number;
  };
  await expect.poll(waiting, { timeout: 10_000 }).toBe(2);

  const times: number[] = [];
  for (let n = 0; n < 20; n++) {
    const began = performance.now();
    const body = JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000) - n, Soc1: n });
    expect(await fleet.putStatus(live, 'snapshot.json', body)).toBe(200);
    times.push(performance.now() - began);
  }
  // A snapshot that waited for the log files would get no answer within 5 s, and then a 503.
  expect(Math.max(...times)).toBeLessThan(4_000);
  expect(await waiting()).toBe(2);

  await client.query('rollback');
  expect(await Promise.all(uploads)).toEqual(Array(LOGS).fill(200));
  for (const { streamId } of loggers) expect(await fleet.readingsOf(streamId)).toBe(ROWS);
  expect(await fleet.readingsOf(live.streamId)).toBe(20);
});
