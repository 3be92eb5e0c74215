import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { deleteReadings } from '#server/telemetry/readings/write-readings.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { STORED_COLUMNS, storedRows } from '#server/telemetry/test/stored-rows.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { readMissingSteps } from './history-fill.ts';
import {
  exampleSignalsAt,
  exampleWindow,
  fillExampleHistory,
  LIVE_READING_TIMES_MS,
} from './test/example-history.ts';

let database: TestDatabase;
let streams = 0;
let reference: Contents;

beforeAll(async () => {
  database = await testDatabase();
  const { to } = exampleWindow(0);
  await openPartitions(database.pool, () => to).ensure([exampleWindow(0).from, to], undefined);
  const streamId = await streamWithLive();
  await fillExampleHistory(database.pool, streamId);
  reference = await contentsOf(streamId);
});
afterAll(() => database.drop());

async function streamWithLive(): Promise<number> {
  streams += 1;
  await database.pool.query('insert into latest (stream_id) values ($1)', [streams]);
  const live = LIVE_READING_TIMES_MS.map((time) => ({
    streamId: streams,
    time,
    signals: exampleSignalsAt(time),
  }));
  await storeReadings(database.pool, live);
  return streams;
}

type Contents = { readonly readings: unknown[]; readonly digest: string };

/** Returns all stored readings of a stream, and a digest of its other rows without the id of the stream. */
async function contentsOf(streamId: number): Promise<Contents> {
  const { rows } = await database.pool.query<{ digest: string }>(
    `select md5(concat_ws(E'\\n',
       (select string_agg((to_jsonb(r) - 'stream_id')::text, E'\\n' order by bucket) from rollup r where stream_id = $1),
       (select (to_jsonb(l) - 'stream_id' - 'updated_at')::text from latest l where stream_id = $1))) as digest`,
    [streamId],
  );
  return { readings: await storedRows(database.pool, streamId, STORED_COLUMNS), digest: rows[0]!.digest };
}

const missingOf = async (streamId: number): Promise<number> =>
  (await readMissingSteps(database.pool, [exampleWindow(streamId)]))[0]!.reduce(
    (sum, { buckets }) => sum + buckets,
    0,
  );

test('a complete fill of a demo history leaves no gap, and a second fill stores nothing (INGEST-03)', async () => {
  const streamId = await streamWithLive();
  await fillExampleHistory(database.pool, streamId);
  expect(await missingOf(streamId)).toBe(0);
  expect(await fillExampleHistory(database.pool, streamId)).toBe(0);
  const { readings } = await contentsOf(streamId);
  // The fill leaves out the minutes that have live readings.
  expect(readings.length).toBeGreaterThan(84 * 60 - 30 + LIVE_READING_TIMES_MS.length);
  expect(await contentsOf(streamId)).toEqual(reference);
});

test('a fill of a demo history that stops after every step ends with the same rows as an uninterrupted fill (INGEST-03)', async () => {
  const streamId = await streamWithLive();
  let starts = 0;
  while ((await missingOf(streamId)) > 0 && starts < 100) {
    await fillExampleHistory(database.pool, streamId, (n) => n < 1);
    starts += 1;
  }
  expect(starts).toBeGreaterThan(5);
  expect(await contentsOf(streamId)).toEqual(reference);
});

test('a fill of a demo history that is killed by SIGKILL resumes, and ends with the same rows as an uninterrupted fill (INGEST-02, INGEST-03)', async () => {
  const streamId = await streamWithLive();
  const seen = new Set<number>();
  for (const lifetime of [2, 1, 3]) {
    const child = spawn(process.execPath, ['src/server/demo/test/fill-process.ts'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrlOf(database.connection),
        FILL_STREAM: String(streamId),
        FILL_UNTIL: String(lifetime),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    const missing = await missingOf(streamId);
    expect(missing).toBeGreaterThan(0);
    expect(seen.has(missing)).toBe(false); // each run made progress
    seen.add(missing);
  }
  await fillExampleHistory(database.pool, streamId);
  expect(await contentsOf(streamId)).toEqual(reference);
});

test('a day on which the demo did not run is a gap in its history, and a fill stores readings in that gap only (INGEST-03)', async () => {
  const streamId = await streamWithLive();
  await fillExampleHistory(database.pool, streamId);
  const { from } = exampleWindow(streamId);
  const off = { from: from + 40 * 3_600_000, to: from + 64 * 3_600_000 };
  const gone = await storedRows(database.pool, streamId, ['time'], off);
  await deleteReadings(
    database.pool,
    streamId,
    gone.map(({ time }) => time.getTime()),
  );
  await inEachShard(
    database.pool,
    'delete from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3',
    [streamId, new Date(off.from), new Date(off.to)],
  );
  expect(await missingOf(streamId)).toBe(24 * 12);
  expect(await fillExampleHistory(database.pool, streamId)).toBe(24 * 60);
});
