import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type OpenedDatabase, openDatabase } from '#server/open-database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { type Logger, makeLoggers } from '#server/test/loggers.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { readStoredBody } from './test/stored-content.ts';
import { countStoredReadings } from './test/stored-rows.ts';

const PART_BYTES = 5 * 1024 * 1024;
const PARTS = 4;
/** A wide CSV with so many readings that the process is killed while it is decoded. */
const CONTENT = (() => {
  const lines = ['time,Soc1'];
  for (let n = 0, bytes = 0; bytes < PARTS * PART_BYTES - 100; n++) {
    const line = `${1_780_000_000 + n},${n % 100}.${'5'.repeat(200)}`;
    lines.push(line);
    bytes += line.length + 1;
  }
  return Buffer.from(`${lines.join('\n')}\n`);
})();
const partOf = (number: number) => CONTENT.subarray((number - 1) * PART_BYTES, number * PART_BYTES);

let dataDir: string;
let port: number;
let portal: RunningPortal;
let database: OpenedDatabase;
let loggers: readonly Logger[];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-parts-'));
  port = await findFreePort();
  portal = startPortal(dataDir, port, { LOG_LEVEL: 'warn' });
  await untilHealthy(portal);
  database = await openDatabase(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }));
  loggers = await makeLoggers(database.pool, await openSecrets(undefined, dataDir), 3);
});
afterAll(async () => {
  await database.close();
  await portal.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

async function killAndStart(): Promise<void> {
  await portal.end('SIGKILL');
  portal = startPortal(dataDir, port);
  await untilHealthy(portal);
}

const readings = (streamId: number): Promise<number> => countStoredReadings(database.pool, streamId);

test.each([
  ['a part', 0],
  ['the decoding', 1],
  ['the storing', 2],
] as const)(
  'kill -9 in the middle of %s loses no part and leaves no partial object (17.7, INGEST-02)',
  async (moment, n) => {
    const { loggerSerial, streamId, accessKey, secret } = loggers[n] as Logger;
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: accessKey, secretAccessKey: secret },
    });
    const object = { Bucket: 'telemetry', Key: `K_SN${loggerSerial}/drive.csv` };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
    const upload = { ...object, UploadId };
    const etags = new Map<number, string | undefined>();
    const send = async (PartNumber: number): Promise<void> => {
      const part = { ...upload, PartNumber, Body: partOf(PartNumber) };
      etags.set(PartNumber, (await client.send(new UploadPartCommand(part))).ETag);
    };
    const listed = async () => {
      const { Parts = [] } = await client.send(new ListPartsCommand(upload));
      return Parts.map(({ PartNumber, ETag, Size }) => [PartNumber, ETag, Size]);
    };
    const complete = () => {
      const Parts = [...etags].sort(([a], [b]) => a - b).map(([PartNumber, ETag]) => ({ PartNumber, ETag }));
      return client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    };
    const head = () =>
      client.send(new HeadObjectCommand(object)).then(
        ({ ETag }) => ETag,
        () => undefined,
      );

    for (const number of [2, 1, 3]) await send(number);
    if (moment === 'a part') {
      // After its body was received, this part waits for the lock on the row of its upload.
      const holder = await database.pool.connect();
      await holder.query('begin');
      await holder.query('select from multipart_upload where id = $1 for update', [UploadId]);
      const under = send(4).catch(() => 'broken');
      await expect
        .poll(async () => (await database.pool.query('select from pg_locks where not granted')).rowCount)
        .toBeGreaterThan(0);
      await portal.end('SIGKILL');
      holder.release(true);
      expect(await under).toBe('broken');
      await killAndStart();
    }
    expect(await listed()).toMatchObject([1, 2, 3].map((number) => [number, etags.get(number), PART_BYTES]));
    await send(4);

    if (moment !== 'a part') {
      const under = complete().catch(() => 'broken');
      const isUnderWay =
        moment === 'the decoding'
          ? async () => (await readings(streamId)) > 0
          : async () => {
              const storing = `select from pg_stat_activity where query like 'insert into object_chunk%'`;
              return ((await database.pool.query(storing)).rowCount ?? 0) > 0;
            };
      await expect.poll(isUnderWay, { timeout: 60_000, interval: 5 }).toBe(true);
      await killAndStart();
      expect(await under).toBe('broken');
      expect(await head()).toBeUndefined();
    }
    expect(await listed()).toHaveLength(PARTS);
    const { ETag } = await complete();
    expect((await complete()).ETag).toBe(ETag);
    expect(await head()).toBe(ETag);
    const stored = await readStoredBody(database.pool, loggerSerial, object.Key);
    expect(stored?.equals(CONTENT)).toBe(true);
    expect(await readings(streamId)).toBe(CONTENT.toString().split('\n').length - 2);
    const { rows } = await database.pool.query('select count(*)::int as n from part_chunk');
    expect(rows).toEqual([{ n: 0 }]);
  },
);
