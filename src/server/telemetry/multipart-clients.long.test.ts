import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  hasRclone,
  hasS3cmd,
  RCLONE_SKIP_SUFFIX,
  runRclone,
  runS3cmd,
  S3CMD_SKIP_SUFFIX,
} from '#server/s3/test/s3-clients.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { readStoredBody } from './test/stored-content.ts';

/** Tests of real clients that send files in parts. */
const MIB = 1024 * 1024;
const CONTENT = randomBytes(20 * MIB);

let fleet: TestFleet;
let directory: string;
let file: string;
beforeAll(async () => {
  fleet = await TestFleet.open();
  directory = await mkdtemp(join(tmpdir(), 'parts-'));
  file = join(directory, 'M0042_0000001_20251121_031500.rxe');
  await writeFile(file, CONTENT);
});
afterAll(async () => {
  await fleet.close();
  await rm(directory, { recursive: true, force: true });
});

/** Returns S3's documented ETag of the content in parts of this size. */
function etagOf(content: Buffer, partBytes: number): string {
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();
  const parts = Array.from({ length: Math.ceil(content.length / partBytes) }, (_, n) =>
    md5(content.subarray(n * partBytes, (n + 1) * partBytes)),
  );
  return `"${md5(Buffer.concat(parts)).toString('hex')}-${parts.length}"`;
}

/** Returns the stored object, and the remaining parts of its upload. */
async function stored(logger: FleetLogger, name: string) {
  const Key = `WS_SN${logger.loggerSerial}/${name}`;
  const client = fleet.clientOf(logger);
  const { ETag, Metadata } = await client.send(new HeadObjectCommand({ Bucket: 'telemetry', Key }));
  const { rows } = await fleet.portal.pool.query('select count(*)::int as n from upload_part');
  const isWhole = (await readStoredBody(fleet.portal.pool, logger.loggerSerial, Key))?.equals(CONTENT);
  return { ETag, Metadata, isWhole, partsLeft: rows[0].n };
}

test.each([
  ['a buffer', () => CONTENT],
  ['a stream', () => createReadStream(file)],
])('the AWS SDK’s Upload sends %s of 20 MiB in concurrent parts (17.7)', async (_, body) => {
  const logger = await fleet.newLogger();
  const upload = new Upload({
    client: fleet.clientOf(logger),
    params: {
      Bucket: 'telemetry',
      Key: `WS_SN${logger.loggerSerial}/a.rxe`,
      Body: body(),
      Metadata: { mtime: '1.5' },
    },
  });
  const { ETag } = await upload.done();
  expect(ETag).toBe(etagOf(CONTENT, 5 * MIB));
  expect(await stored(logger, 'a.rxe')).toEqual({
    ETag,
    Metadata: { mtime: '1.5' },
    isWhole: true,
    partsLeft: 0,
  });
});

test.skipIf(!hasRclone)(
  `rclone copies in parts above its cutoff, and copies nothing when nothing changed${RCLONE_SKIP_SUFFIX} (17.7)`,
  async () => {
    const logger = await fleet.newLogger();
    const folder = join(directory, 'rclone');
    await mkdir(folder);
    for (const name of ['a.rxe', 'b.rxe', 'c.rxe', 'd.rxe']) await writeFile(join(folder, name), CONTENT);
    const remote = `portal:telemetry/WS_SN${logger.loggerSerial}`;
    const rclone = (...args: string[]) => runRclone(fleet.portal.address, logger, ...args);
    const inParts = ['--s3-upload-cutoff', '5M', '--s3-chunk-size', '5M', '--low-level-retries', '10'];
    await rclone(...inParts, 'copy', folder, remote);
    for (const name of ['a.rxe', 'b.rxe', 'c.rxe', 'd.rxe']) {
      expect(await stored(logger, name)).toMatchObject({
        ETag: etagOf(CONTENT, 5 * MIB),
        isWhole: true,
        partsLeft: 0,
      });
    }
    await rclone('check', folder, remote);
    const uploads = async () => (await fleet.health(logger.writerId)).counters.uploads;
    expect(await uploads()).toBe(4);
    await rclone(...inParts, 'copy', folder, remote);
    expect(await uploads()).toBe(4);
  },
);

test.skipIf(!hasS3cmd)(`s3cmd uploads 20 MiB in parts of 15 MiB${S3CMD_SKIP_SUFFIX} (17.7)`, async () => {
  const logger = await fleet.newLogger();
  const target = `s3://telemetry/WS_SN${logger.loggerSerial}/a.rxe`;
  await runS3cmd(fleet.portal.address, logger, 'put', file, target);
  expect(await stored(logger, 'a.rxe')).toMatchObject({
    ETag: etagOf(CONTENT, 15 * MIB),
    isWhole: true,
    partsLeft: 0,
  });
});
