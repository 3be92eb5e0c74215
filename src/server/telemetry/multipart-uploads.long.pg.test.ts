import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { runUpkeep } from '#server/upkeep.ts';
import type { KeyPair } from '#server/writers/keys.store.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG } from './test/logs.ts';

const MIB = 1024 * 1024;
/** A log of two readings: a first part of the smallest size, with lines to skip, and a last part. */
const FIRST = Buffer.alloc(5 * MIB, `${'-'.repeat(16_383)}\n`);
const LAST = Buffer.from(CANDUMP_LOG);
const NAME = '1/WS_20260601_100000.log';

const METRICS_TOKEN = 'token-of-these-tests-alone';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open({ LOG_MIB_PER_KEY_DAY: '12', METRICS_TOKEN });
});
afterAll(() => fleet.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await fleet.portal.pool.query(text, values)).rows;

/** A multipart upload by a client, step by step; each step returns the answer, or the name of the error. */
function uploadOf(logger: FleetLogger, key: KeyPair = logger) {
  const client = fleet.clientOf(key);
  const object = { Bucket: 'telemetry', Key: `WS_SN${logger.loggerSerial}/${NAME}` };
  const nameOf = (error: Error) => error.name;
  const begin = async () =>
    (await client.send(new CreateMultipartUploadCommand({ ...object, Metadata: { mtime: '1' } }))).UploadId ??
    '';
  const part = (UploadId: string, PartNumber: number, Body: Buffer) =>
    client
      .send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }))
      .then(({ ETag }) => ETag ?? '', nameOf);
  const complete = (UploadId: string, etags: readonly string[]) => {
    const Parts = etags.map((ETag, n) => ({ ETag, PartNumber: n + 1 }));
    return client
      .send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }))
      .then(({ ETag }) => ETag ?? '', nameOf);
  };
  const list = (UploadId: string) =>
    client
      .send(new ListPartsCommand({ ...object, UploadId }))
      .then(({ Parts = [] }) => Parts.map(({ PartNumber, Size }) => [PartNumber, Size]), nameOf);
  const abort = (UploadId: string) =>
    client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).then(() => 'aborted', nameOf);
  return { begin, part, complete, list, abort };
}

const rowsLeft = () =>
  sql(`select (select count(*)::int from multipart_upload where completed_at is null) as open,
         (select count(*)::int from upload_part) as parts, (select count(*)::int from part_chunk) as chunks`);
const spent = async ({ accessKey }: FleetLogger): Promise<number> =>
  Number((await sql('select log_bytes from writer_key where access_key = $1', [accessKey]))[0].logBytes);

test('a completed multipart upload gives the same result as one upload of the same bytes, once, and its answer can be requested again (17.7)', async () => {
  const [whole, inParts] = [
    await fleet.newLogger(CANDUMP_DEFINITION),
    await fleet.newLogger(CANDUMP_DEFINITION),
  ];
  const content = Buffer.concat([FIRST, LAST]);
  await fleet.put(whole, NAME, content);
  const upload = uploadOf(inParts);
  const id = await upload.begin();
  const last = await upload.part(id, 2, LAST);
  await upload.part(id, 1, Buffer.from('sent again'));
  const first = await upload.part(id, 1, FIRST);
  expect(await upload.list(id)).toEqual([
    [1, FIRST.length],
    [2, LAST.length],
  ]);
  // Before the upload is completed, the object is not visible.
  expect([await fleet.headStatus(inParts, NAME), await fleet.readingsOf(inParts.streamId)]).toEqual([404, 0]);
  const etag = await upload.complete(id, [first, last]);
  expect(etag).toMatch(/^"[0-9a-f]{32}-2"$/);
  expect(await upload.complete(id, [first, last])).toBe(etag);
  expect(await upload.complete(id, [first])).toBe('NoSuchUpload');

  expect(await fleet.content(inParts, NAME)).toBe(content.toString());
  const objectOf = async ({ loggerSerial }: FleetLogger) =>
    (await sql('select size, outcome from object where logger_serial = $1', [loggerSerial]))[0];
  expect(await objectOf(inParts)).toEqual(await objectOf(whole));
  expect(await fleet.readingsOf(inParts.streamId)).toBe(2);
  expect((await fleet.health(inParts.writerId)).counters).toEqual(
    (await fleet.health(whole.writerId)).counters,
  );
  expect(await rowsLeft()).toEqual([{ open: 0, parts: 0, chunks: 0 }]);
  const metadata = await sql('select metadata from object where logger_serial = $1', [inParts.loggerSerial]);
  expect(metadata).toEqual([{ metadata: { mtime: '1' } }]);
});

test('the unreadable content of a multipart upload is quarantined like that of a normal upload (17.7)', async () => {
  const logger = await fleet.newLogger();
  const upload = uploadOf(logger);
  const id = await upload.begin();
  await upload.complete(id, [await upload.part(id, 1, LAST)]);
  expect((await fleet.quarantined(logger)).join()).toMatch(/datadefinitie/);
});

test('parts count in the quota of their key when they arrive, and not again at completion (17.7, 12.B2)', async () => {
  const logger = await fleet.newLogger();
  const upload = uploadOf(logger);
  const id = await upload.begin();
  expect(await spent(logger)).toBe(4096);
  const content = Buffer.alloc(100_000, '\n');
  const etag = await upload.part(id, 1, content);
  expect(await upload.part(id, 1, content)).toBe(etag);
  expect(await spent(logger)).toBe(204_096);
  // A small part counts as 4,096 bytes, the size that its rows have in the database.
  await upload.part(id, 2, LAST);
  expect(await spent(logger)).toBe(208_192);
  await sql('update writer_key set log_bytes = $1 where access_key = $2', [12 * MIB, logger.accessKey]);
  expect(await upload.part(id, 3, LAST)).toBe('SlowDown');
  await expect(upload.begin()).rejects.toThrow();
  expect(await upload.complete(id, [etag])).toMatch(/-1"$/);
  expect(await spent(logger)).toBe(12 * MIB);
});

test('only the binding that began a multipart upload can use it, and no upload continues after its key was withdrawn (17.7, 12.B6)', async () => {
  const [logger, other] = [await fleet.newLogger(), await fleet.newLogger()];
  const upload = uploadOf(logger);
  const id = await upload.begin();
  const etag = await upload.part(id, 1, LAST);
  // Changes binding and key of the upload in the database: a request for another logger's folder is refused before the upload is read.
  const move = (writerId: unknown, key: string) =>
    sql('update multipart_upload set writer_id = $1, key = $2 where id = $3', [writerId, key, id]);
  const [{ key }] = await sql('select key from multipart_upload where id = $1', [id]);
  await move(other.writerId, key);
  expect(await upload.list(id)).toBe('NoSuchUpload');
  await move(logger.writerId, `${key}2`);
  expect(await upload.list(id)).toBe('NoSuchUpload');
  await move(logger.writerId, key);
  expect(await upload.list(id)).toEqual([[1, LAST.length]]);

  await sql('update writer_key set retired_at = now() where access_key = $1', [logger.accessKey]);
  await expect.poll(() => upload.part(id, 2, LAST), { timeout: 10_000 }).toBe('InvalidAccessKeyId');
  expect(await upload.complete(id, [etag])).toBe('InvalidAccessKeyId');
  expect(await fleet.headStatus(logger, NAME)).toBe(403);
  await sql('delete from multipart_upload');
});

test('an interrupted completion leaves the parts, and can be repeated (17.7, INGEST-02)', async () => {
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  await fleet.put(logger, NAME, CANDUMP_LOG);
  const upload = uploadOf(logger);
  const id = await upload.begin();
  const content = `${CANDUMP_LOG}\n(9.000000) can0 100#A400000000000000\n`;
  const etags = [await upload.part(id, 1, Buffer.from(content))];
  await inEachShard(fleet.portal.pool, 'alter function telemetry.store_readings rename to store_elsewhere');
  try {
    expect(await upload.complete(id, etags)).toBe('SlowDown');
  } finally {
    await inEachShard(fleet.portal.pool, 'alter function telemetry.store_elsewhere rename to store_readings');
  }
  expect(await fleet.content(logger, NAME)).toBe(CANDUMP_LOG);
  expect(await upload.list(id)).toEqual([[1, content.length]]);
  expect(await upload.complete(id, etags)).toMatch(/-1"$/);
  expect(await fleet.content(logger, NAME)).toBe(content);
  expect(await fleet.readingsOf(logger.streamId)).toBe(3);
});

test('concurrent parts, even with the same number, are stored completely (17.7)', async () => {
  const logger = await fleet.newLogger();
  const upload = uploadOf(logger);
  const id = await upload.begin();
  const bodies = ['a', 'b', 'c'].map((letter) => Buffer.alloc(1_500_000, letter));
  const etags = await Promise.all(bodies.map((body) => upload.part(id, 1, body)));
  const kept = await Promise.all(etags.map((etag) => upload.complete(id, [etag])));
  expect(kept.filter((answer) => answer === 'InvalidPart')).toHaveLength(2);
  const content = Buffer.from(String(await fleet.content(logger, NAME)));
  expect(bodies.map((body) => body.equals(content))).toEqual(etags.map((_, n) => kept[n] !== 'InvalidPart'));
  expect(await rowsLeft()).toEqual([{ open: 0, parts: 0, chunks: 0 }]);
});

test('an incomplete multipart upload is deleted with its parts after 24 hours, and metrics count the deletion (17.7)', async () => {
  const logger = await fleet.newLogger();
  const upload = uploadOf(logger);
  const [old, young, done] = [await upload.begin(), await upload.begin(), await upload.begin()];
  for (const id of [old, young]) await upload.part(id, 1, LAST);
  const etag = await upload.part(done, 1, LAST);
  const whole = await upload.complete(done, [etag]);
  const age = (id: string, column: string, hours: number) =>
    sql(`update multipart_upload set ${column} = now() - make_interval(hours => $2) where id = $1`, [
      id,
      hours,
    ]);
  await age(old, 'created_at', 25);
  await age(young, 'created_at', 23);
  // Upload `done` was begun long ago and completed just now.
  await age(done, 'created_at', 25);
  const problems: string[] = [];
  const upkeep = () => runUpkeep(fleet.portal.pool, (what, why) => void problems.push(`${what}: ${why}`));
  await upkeep();
  expect([await upload.list(old), await upload.list(young)]).toEqual(['NoSuchUpload', [[1, LAST.length]]]);
  expect(await upload.complete(done, [etag])).toBe(whole);
  await age(done, 'completed_at', 25);
  await upkeep();
  expect(await upload.complete(done, [etag])).toBe('NoSuchUpload');
  expect(problems).toEqual([]);
  expect(await rowsLeft()).toEqual([{ open: 1, parts: 1, chunks: 1 }]);
  const token = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await fetch(`${fleet.portal.address}/metrics`, { headers: token });
  expect(await metrics.text()).toContain(`\nwerkstroom_unfinished_upload_bytes ${LAST.length}\n`);
  expect(await upload.abort(young)).toBe('aborted');
  expect(await rowsLeft()).toEqual([{ open: 0, parts: 0, chunks: 0 }]);
});
