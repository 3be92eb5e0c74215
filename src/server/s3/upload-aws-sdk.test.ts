import { lookup } from 'node:dns';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL } from './test/memory-backend.ts';
import { type RunningEndpoint, runUploadEndpoint } from './test/running-endpoint.ts';

/** Runs AWS's own client against the upload endpoint. */
const Bucket = 'telemetry';
const BODY = Buffer.alloc(200_000, '{"RTC_UNIX":1763690000}');

let endpoint: RunningEndpoint;
let directory: string;
const clients: S3Client[] = [];
beforeAll(async () => {
  endpoint = await runUploadEndpoint();
  directory = await mkdtemp(join(tmpdir(), 'sdk-'));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});
afterAll(async () => {
  await endpoint.close();
  await rm(directory, { recursive: true });
});

/** Not every computer resolves `*.localhost`, so the agent does. */
const localAgent = (): Agent =>
  new Agent({
    lookup: (hostname, options, callback) =>
      lookup(hostname.endsWith('localhost') ? '127.0.0.1' : hostname, options, callback),
  });

function connect(config: S3ClientConfig = {}): S3Client {
  const client = new S3Client({
    endpoint: `http://localhost:${endpoint.port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: LOGGER_CREDENTIAL.accessKey, secretAccessKey: LOGGER_CREDENTIAL.secret },
    forcePathStyle: true,
    maxAttempts: 1,
    requestHandler: { httpAgent: localAgent() },
    ...config,
  });
  clients.push(client);
  return client;
}

const codeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'accepted',
    (error: Error) => error.name,
  );

describe.each([
  ['path style', true],
  ['virtual-host style', false],
])('@aws-sdk/client-s3, %s', (_, forcePathStyle) => {
  const Key = `BM_SN0000001/7/ünï code+(1)&${forcePathStyle}.json`;

  test('the AWS SDK uploads a Buffer, and finds the object with HEAD and LIST (INGEST-01)', async () => {
    const client = connect({ forcePathStyle });
    const put = await client.send(
      new PutObjectCommand({ Bucket, Key, Body: BODY, Metadata: { mtime: '1.5' } }),
    );
    expect(endpoint.backend.bodies.at(-1)?.equals(BODY)).toBe(true);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect([head.ETag, head.ContentLength, head.Metadata]).toEqual([put.ETag, BODY.length, { mtime: '1.5' }]);
    const list = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: 'BM_SN0000001/7/ünï code+(1)&' }),
    );
    expect(list.Contents?.map(({ Key }) => Key)).toContain(Key);
    await client.send(new HeadBucketCommand({ Bucket }));
    expect((await client.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name)).toEqual([
      Bucket,
    ]);
  });

  // The JavaScript SDK computes SHA512 and xxHash only with an extra package, and says so before it sends.
  test.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256', 'MD5'] as const)(
    'the SDK uploads with checksum %s (INGEST-03)',
    async (ChecksumAlgorithm) => {
      const Body = `checked by ${ChecksumAlgorithm}`;
      await connect({ forcePathStyle }).send(new PutObjectCommand({ Bucket, Key, Body, ChecksumAlgorithm }));
      expect(endpoint.backend.bodies.at(-1)?.toString()).toBe(Body);
    },
  );

  test('the AWS SDK uploads a file as a stream, chunked with a trailer (INGEST-01)', async () => {
    const path = join(directory, 'log.rxd');
    await writeFile(path, BODY);
    const Key = 'BM_SN0000001/7/M0042_0000001_20251121_031500.rxd';
    await connect({ forcePathStyle }).send(
      new PutObjectCommand({ Bucket, Key, Body: createReadStream(path) }),
    );
    expect(endpoint.backend.deliveries.at(-1)).toMatchObject({ kind: 'log', size: BODY.length });
    expect(endpoint.backend.bodies.at(-1)?.equals(BODY)).toBe(true);
  });

  test('the AWS SDK uploads a stream of known length (INGEST-01)', async () => {
    const Body = Readable.from([BODY.subarray(0, 10), BODY.subarray(10)]);
    await connect({ forcePathStyle }).send(
      new PutObjectCommand({ Bucket, Key, Body, ContentLength: BODY.length }),
    );
    expect(endpoint.backend.bodies.at(-1)?.equals(BODY)).toBe(true);
  });
});

describe('@aws-sdk/client-s3, errors and pages', () => {
  test("the AWS SDK receives a refusal with S3's error code (INGEST-01)", async () => {
    const put = (Key: string, Body = 'x') => new PutObjectCommand({ Bucket, Key, Body });
    const credentials = { accessKeyId: LOGGER_CREDENTIAL.accessKey, secretAccessKey: 'guessed' };
    const own = 'BM_SN0000001/a.json';
    expect(await codeOf(connect({ credentials }).send(put(own)))).toBe('SignatureDoesNotMatch');
    const stranger = { ...credentials, accessKeyId: 'STRANGER' };
    expect(await codeOf(connect({ credentials: stranger }).send(put(own)))).toBe('InvalidAccessKeyId');
    expect(await codeOf(connect().send(put('BM_SN0000002/a.json')))).toBe('AccessDenied');
    expect(await codeOf(connect().send(put(own, 'x'.repeat(1_048_577))))).toBe('EntityTooLarge');
    expect(await codeOf(connect().send(new GetObjectCommand({ Bucket, Key: 'BM_SN0000001/none' })))).toBe(
      'AccessDenied',
    );
    expect(await codeOf(connect().send(new HeadObjectCommand({ Bucket, Key: 'BM_SN0000001/none' })))).toBe(
      'NotFound',
    );
    expect(await codeOf(connect().send(new HeadBucketCommand({ Bucket: 'other' })))).toBe('NotFound');
  });

  test('the AWS SDK corrects a clock that is an hour off (INGEST-03)', async () => {
    const put = new PutObjectCommand({ Bucket, Key: 'BM_SN0000001/a.json', Body: 'x' });
    expect(await codeOf(connect({ systemClockOffset: 3_600_000 }).send(put))).toBe('RequestTimeTooSkewed');
  });

  test('the AWS SDK reads a long list page by page (INGEST-01)', async () => {
    const client = connect();
    const keys = Array.from({ length: 7 }, (_, index) => `BM_SN0000001/pages/${index} &.json`);
    for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const found: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: 'BM_SN0000001/pages/', MaxKeys: 3, ContinuationToken }),
      );
      found.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    expect(found).toEqual(keys);
  });
});
