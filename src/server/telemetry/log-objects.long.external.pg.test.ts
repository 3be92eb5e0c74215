import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, type Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { EndpointUnavailable } from '#server/s3/upload-backend.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { listStoredLogs, storeFile } from './objects.store.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG } from './test/logs.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

const NAME = 'WS_20260601_100000.log';
const sql = (text: string) => fleet.portal.pool.query(text);

/** Returns the status of HEAD, the stored content and the number of listed objects. */
async function shown(logger: FleetLogger): Promise<[number, string | undefined, number | undefined]> {
  const list = await fleet.clientOf(logger).send(new ListObjectsV2Command({ Bucket: 'telemetry' }));
  return [await fleet.headStatus(logger, NAME), await fleet.content(logger, NAME), list.KeyCount];
}

/** Runs `work` while no reading can be stored. */
async function withoutIngest(work: () => Promise<void>): Promise<void> {
  await inEachShard(fleet.portal.pool, 'alter function telemetry.store_readings rename to store_elsewhere');
  try {
    await work();
  } finally {
    await inEachShard(fleet.portal.pool, 'alter function telemetry.store_elsewhere rename to store_readings');
  }
}

describe('the object of a log file (INGEST-02, INGEST-03)', () => {
  test('the stored object of a log file does not exist until the whole file is decoded', async () => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    let put: Promise<number> | undefined;
    await inTransaction(fleet.portal.pool, async (client) => {
      const lock = 'select 1 from telemetry.latest where stream_id = $1 for update';
      await shardForStream(client, logger.streamId).query(lock, [logger.streamId]);
      put = fleet.putStatus(logger, NAME, CANDUMP_LOG);
      // The test's role sees only in pg_locks, not in pg_stat_activity, that another role waits.
      const waits = `select count(distinct pid)::int as n from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`;
      await expect.poll(async () => (await sql(waits)).rows[0].n, { timeout: 20_000 }).toBe(1);
      expect(await shown(logger)).toEqual([404, undefined, 0]);
    });
    expect(await put).toBe(200);
    expect(await shown(logger)).toEqual([200, CANDUMP_LOG, 1]);
    expect(await fleet.readingsOf(logger.streamId)).toBe(2);
  });

  test('the object of a log file is not stored if its decoding is interrupted; a second upload stores it', async () => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    await withoutIngest(async () => {
      expect(await fleet.putStatus(logger, NAME, CANDUMP_LOG)).toBe(503);
    });
    expect(await shown(logger)).toEqual([404, undefined, 0]);
    expect(await fleet.quarantined(logger)).toEqual([]);
    expect(await fleet.putStatus(logger, NAME, CANDUMP_LOG)).toBe(200);
    expect(await fleet.readingsOf(logger.streamId)).toBe(2);
  });

  test('the stored object of a log file remains unchanged while another file with its name is incomplete', async () => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    await fleet.put(logger, NAME, CANDUMP_LOG);
    const longer = `${CANDUMP_LOG}\n(9.000000) can0 100#A400000000000000\n`;
    await withoutIngest(async () => {
      expect(await fleet.putStatus(logger, NAME, longer)).toBe(503);
      expect(await shown(logger)).toEqual([200, CANDUMP_LOG, 1]);
    });
    await fleet.put(logger, NAME, longer);
    expect(await shown(logger)).toEqual([200, longer, 1]);
    expect(await fleet.readingsOf(logger.streamId)).toBe(3);
  });

  test('the stored object of a log file is one complete file after four concurrent deliveries', async () => {
    const logger = await fleet.newLogger();
    const bodies = [1, 2, 3, 4].map((n) => Buffer.alloc(1_500_000 * n, `version ${n};`));
    const put = (body: Buffer) => fleet.putStatus(logger, 'a.blf', body);
    expect(await Promise.all(bodies.map(put))).toEqual([200, 200, 200, 200]);
    const content = Buffer.from(String(await fleet.content(logger, 'a.blf')));
    expect(bodies.some((body) => body.equals(content))).toBe(true);
  });

  const store = (client: Transaction, { loggerSerial }: FleetLogger, content: string) => {
    const row = { loggerSerial, key: 'K/a.blf', size: content.length, etag: 'e', contentType: 'c' };
    const pieces = content.match(/.{1,100000}/g)?.map((piece) => Buffer.from(piece)) ?? [];
    return storeFile(client, { ...row, metadata: {}, outcome: [] }, Readable.from(pieces));
  };
  const kept = async ({ writerId }: FleetLogger) => {
    const [log] = await listStoredLogs(fleet.portal.pool, writerId);
    if (!log) throw new Error('Nothing is stored.');
    return log.chunks();
  };
  const read = async (chunks: AsyncIterable<Buffer>) => (await buffer(chunks)).toString();

  test('the stored object of a log file is the later file after two processes stored it concurrently', async () => {
    const logger = await fleet.newLogger();
    const { pool } = fleet.portal;
    let second: Promise<string> | undefined;
    await inTransaction(pool, async (client) => {
      await store(client, logger, 'a'.repeat(3_000_000));
      second = inTransaction(pool, (other) => store(other, logger, 'b'.repeat(2_000_000)));
      await Promise.race([second, new Promise((later) => setTimeout(later, 200))]);
    });
    await second;
    expect(await read(await kept(logger))).toBe('b'.repeat(2_000_000));
    expect(
      (await sql('select 1 from object_chunk c left join object o on o.id = object_id where o.id is null'))
        .rows,
    ).toEqual([]);
  });

  test('reading the stored object of a log file fails, and never mixes two files, when it is replaced during the read', async () => {
    const logger = await fleet.newLogger();
    const { pool } = fleet.portal;
    await inTransaction(pool, (client) => store(client, logger, 'a'.repeat(3_000_000)));
    const reading = (await kept(logger))[Symbol.asyncIterator]();
    expect((await reading.next()).value?.toString()).toMatch(/^a+$/);
    await inTransaction(pool, (client) => store(client, logger, 'b'.repeat(3_000_000)));
    await expect(reading.next()).rejects.toThrow(EndpointUnavailable);
    expect(await read(await kept(logger))).toBe('b'.repeat(3_000_000));
  });
});

test('a reading of a log that the database refuses does not affect other readings (INGEST-03)', async () => {
  const logger = await fleet.newLogger();
  const rows = Array.from({ length: 60 }, (_, n) => `${1_780_000_000 + n},${n}`);
  await inEachShard(
    fleet.portal.pool,
    'alter table telemetry.reading add constraint refused check (soc1 is null or soc1 not in (13, 44))',
  );
  try {
    await fleet.put(logger, 'export.csv', `time,Soc1\n${rows.join('\n')}\n`);
  } finally {
    await inEachShard(fleet.portal.pool, 'alter table telemetry.reading drop constraint refused');
  }
  expect(await fleet.readingsOf(logger.streamId)).toBe(58);
  expect(await fleet.quarantined(logger)).toEqual(['een deel kon niet worden opgeslagen']);
  expect((await fleet.health(logger.writerId)).counters).toMatchObject({ readings: 58, quarantined: 1 });
});
