import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DigestName, digestOf } from './digest.ts';
import { sha256, signChunks } from './test/naive-signer.ts';
import {
  type EndpointAnswer,
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendRawRequest,
  sendSigned,
  signRequest,
} from './test/running-endpoint.ts';

/** Tests all kinds of payload and checksum, with a document (kept in memory) and with a log file (written to the spool). */
const BODY = Buffer.alloc(20_000, 'RTC_UNIX:1763690000;');
const MD5 = createHash('md5').update(BODY).digest('hex');

let endpoint: RunningEndpoint;
beforeAll(async () => {
  endpoint = await runUploadEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.backend.deliveries.length = 0;
  endpoint.backend.bodies.length = 0;
});

/** Returns status and code. Checks that the backend received an upload whole or not at all, and that no spool file is left. */
async function outcomeOf(answer: EndpointAnswer, expected: Buffer = BODY): Promise<string> {
  expect(endpoint.backend.bodies.map((body) => body.equals(expected))).toEqual(
    answer.status === 200 ? [true] : [],
  );
  await expect.poll(() => endpoint.spooled()).toEqual([]);
  if (answer.status === 200)
    expect(answer.headers.etag).toBe(`"${createHash('md5').update(expected).digest('hex')}"`);
  return `${answer.status} ${errorCodeOfAnswer(answer) ?? 'delivered'}`;
}

const base64 = (name: DigestName, bytes: Buffer = BODY): string => digestOf(name, bytes).toString('base64');

describe.each([
  ['document', '/telemetry/BM_SN0000001/snapshot.json'],
  ['log', '/telemetry/BM_SN0000001/7/M0042_0000001_20251121_031500.log'],
])('a %s', (kind, path) => {
  const put = (headers: Record<string, string>, payloadHash = sha256(BODY), body: string | Buffer = BODY) =>
    sendSigned(endpoint, { method: 'PUT', path, headers, body }, { payloadHash });

  test('an upload is accepted with the hash of its body (INGEST-01)', async () => {
    expect(await outcomeOf(await put({}))).toBe('200 delivered');
    expect(endpoint.backend.deliveries[0]).toMatchObject({ kind, size: BODY.length, etag: MD5 });
  });

  test('an upload with an unsigned body is accepted, with and without content-length (INGEST-01)', async () => {
    expect(await outcomeOf(await put({}, 'UNSIGNED-PAYLOAD'))).toBe('200 delivered');
    endpoint.backend.bodies.length = 0;
    expect(await outcomeOf(await put({ 'transfer-encoding': 'chunked' }, 'UNSIGNED-PAYLOAD'))).toBe(
      '200 delivered',
    );
  });

  test('an upload is refused when its body differs from its hash (INGEST-03)', async () => {
    expect(await outcomeOf(await put({}, sha256('other')))).toBe('400 XAmzContentSHA256Mismatch');
    expect(endpoint.backend.refusals.at(-1)).toMatchObject({
      code: 'XAmzContentSHA256Mismatch',
      loggerSerial: '0000001',
    });
  });

  test.each<DigestName>(['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256', 'sha512', 'md5'])(
    'a right checksum %s is accepted and a wrong one refused (INGEST-03)',
    async (name) => {
      const header = `x-amz-checksum-${name}`;
      expect(await outcomeOf(await put({ [header]: base64(name) }))).toBe('200 delivered');
      endpoint.backend.bodies.length = 0;
      const wrong = base64(name, Buffer.from('other'));
      expect(await outcomeOf(await put({ [header]: wrong }))).toBe('400 BadDigest');
    },
  );

  test('Content-MD5 is verified, alone and together with other checksums (INGEST-03)', async () => {
    const claims = { 'content-md5': base64('md5'), 'x-amz-checksum-md5': base64('md5') };
    expect(await outcomeOf(await put(claims))).toBe('200 delivered');
    endpoint.backend.bodies.length = 0;
    const wrong = base64('md5', Buffer.from('other'));
    expect(await outcomeOf(await put({ 'content-md5': wrong }, 'UNSIGNED-PAYLOAD'))).toBe('400 BadDigest');
  });

  describe('unsigned chunks with a trailer, as the AWS SDK sends a stream', () => {
    const headers = {
      'transfer-encoding': 'chunked',
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': String(BODY.length),
      'x-amz-trailer': 'x-amz-checksum-crc32',
    };
    const framed = (trailer: string) =>
      Buffer.concat([
        Buffer.from(`${(5000).toString(16)}\r\n`),
        BODY.subarray(0, 5000),
        Buffer.from(`\r\n${(15000).toString(16)}\r\n`),
        BODY.subarray(5000),
        Buffer.from(`\r\n0\r\n${trailer}\r\n`),
      ]);
    const right = framed(`x-amz-checksum-crc32:${base64('crc32')}\r\n`);
    const kindOf = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

    test.each<[string, Record<string, string>, Buffer, string]>([
      ['whole', {}, right, '200 delivered'],
      ['changed trailer', {}, framed('x-amz-checksum-crc32:AAAAAA==\r\n'), '400 BadDigest'],
      ['no trailer', {}, framed(''), '400 MalformedTrailerError'],
      ['another trailer', {}, framed('x-amz-checksum-crc32c:AAAAAA==\r\n'), '400 MalformedTrailerError'],
      ['cut', {}, right.subarray(0, 6000), '400 IncompleteBody'],
      ['claimed longer', { 'x-amz-decoded-content-length': '20001' }, right, '400 IncompleteBody'],
      ['claimed shorter', { 'x-amz-decoded-content-length': '19999' }, right, '400 IncompleteBody'],
      ['not framed at all', {}, BODY, '400 InvalidRequest'],
    ])(
      'an upload in unsigned chunks gives the right answer: %s (INGEST-03)',
      async (_, changes, body, expected) => {
        expect(await outcomeOf(await put({ ...headers, ...changes }, kindOf, body))).toBe(expected);
      },
    );
  });

  describe('signed chunks', () => {
    const chunks = [BODY.subarray(0, 8192), BODY.subarray(8192, 16384), BODY.subarray(16384)];
    const trailer = { name: 'x-amz-checksum-crc32c', value: base64('crc32c') };
    const sendChunks = (withTrailer: boolean, change: (body: Buffer) => Buffer, value = trailer.value) => {
      const headers = {
        'content-encoding': 'aws-chunked',
        'x-amz-decoded-content-length': String(BODY.length),
        ...(withTrailer && { 'x-amz-trailer': trailer.name }),
      };
      const payloadHash = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${withTrailer ? '-TRAILER' : ''}`;
      const request = { method: 'PUT', path, headers };
      const signedHead = signRequest(endpoint, request, { payloadHash });
      const { body } = signChunks(signedHead, chunks, withTrailer ? { ...trailer, value } : undefined);
      return sendRawRequest(endpoint, { ...request, headers: signedHead.headers, body: change(body) });
    };
    const asIs = (body: Buffer): Buffer => body;
    const flip = (body: Buffer): Buffer => {
      const copy = Buffer.from(body);
      copy[9000]! ^= 1;
      return copy;
    };
    const cut = (body: Buffer): Buffer => body.subarray(0, body.lastIndexOf('0;chunk'));

    test.each([
      ['whole', false, asIs, '200 delivered'],
      ['whole, with a trailer', true, asIs, '200 delivered'],
      ['one bit changed', false, flip, '403 SignatureDoesNotMatch'],
      ['one bit changed, with a trailer', true, flip, '403 SignatureDoesNotMatch'],
      ['cut', false, cut, '400 IncompleteBody'],
    ] as const)(
      'an upload in signed chunks gives the right answer: %s (INGEST-03)',
      async (_, withTrailer, change, expected) => {
        expect(await outcomeOf(await sendChunks(withTrailer, change))).toBe(expected);
      },
    );

    const lastLine = (replace: (signature: string) => string) => (body: Buffer) =>
      Buffer.from(body.toString('latin1').replace(/x-amz-trailer-signature:.*\r\n/, replace), 'latin1');

    test.each([
      ['changed', lastLine((line) => line.replace(/[0-9a-f]{4}\r/, 'beef\r'))],
      ['left out', lastLine(() => '')],
    ])('an upload whose trailer signature is %s is refused (INGEST-03)', async (_, change) => {
      expect(await outcomeOf(await sendChunks(true, change))).toBe('403 SignatureDoesNotMatch');
    });

    test('a well-signed trailer with a wrong checksum is refused (INGEST-03)', async () => {
      expect(await outcomeOf(await sendChunks(true, asIs, 'AAAAAA=='))).toBe('400 BadDigest');
    });
  });
});

test('a log file goes through an unlinked spool file, which is freed afterwards (INGEST-01)', async () => {
  const path = '/telemetry/BM_SN0000001/20251121/big.rxd';
  const body = Buffer.alloc(3_000_000, 'CAN frames ');
  expect(await outcomeOf(await sendSigned(endpoint, { method: 'PUT', path, body }), body)).toBe(
    '200 delivered',
  );
  expect(endpoint.backend.deliveries[0]?.body).toEqual({ read: expect.any(Function) });
  await expect.poll(() => endpoint.spooled()).toEqual([]);
});
