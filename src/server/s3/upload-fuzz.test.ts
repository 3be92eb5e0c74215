import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL } from './test/memory-backend.ts';
import { openSocket, rawRequestHead } from './test/raw-socket.ts';
import {
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendRawRequest,
  sendSigned,
  signRequest,
} from './test/running-endpoint.ts';

/** Random input gets an answer. It never causes a crash or a hang, and no unsigned upload is accepted. */
let endpoint: RunningEndpoint;
beforeAll(async () => {
  endpoint = await runUploadEndpoint({
    stallMs: 200,
    lingerMs: 50,
    requestsPerSecond: 1e6,
    requestBurst: 1e6,
  });
});
afterAll(() => endpoint.close());

const printable = (maxLength: number) =>
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength,
  });
const headerValue = fc.oneof(printable(80), fc.constantFrom('', '0', '-1', 'chunked', 'UNSIGNED-PAYLOAD'));
const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH'];
const HEADERS = [
  'authorization',
  'content-md5',
  'content-type',
  'x-amz-date',
  'date',
  'x-amz-content-sha256',
  'x-amz-decoded-content-length',
  'x-amz-trailer',
  'x-amz-checksum-crc32',
  'x-amz-meta-a',
  'range',
];
const authorization = fc
  .tuple(printable(20), printable(8), printable(20), printable(64))
  .map(([key, date, names, signature]) => {
    const credential = `Credential=${key}/${date}/r/s3/aws4_request`;
    return `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  });

test('random requests get an error in XML, and nothing is delivered (INGEST-03)', {
  timeout: 60_000,
}, async () => {
  const request = fc.record({
    method: fc.constantFrom(...METHODS),
    path: printable(60).map((text) => `/${text}`),
    headers: fc.dictionary(fc.constantFrom(...HEADERS), fc.oneof(headerValue, authorization)),
    body: fc.string({ maxLength: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, headers, body }) => {
      const isBodyless = method === 'GET' || method === 'HEAD';
      const answer = await sendRawRequest(endpoint, { method, path, headers, ...(!isBodyless && { body }) });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      if (method === 'HEAD') expect(answer.body).toBe('');
      else expect(errorCodeOfAnswer(answer)).toBeDefined();
    }),
    { numRuns: 300 },
  );
  expect([endpoint.backend.deliveries, endpoint.backend.problems]).toEqual([[], []]);
});

test('well-signed requests with random headers, path and body get an answer that S3 could give (INGEST-03)', {
  timeout: 60_000,
}, async () => {
  const claims = HEADERS.filter(
    (name) => name !== 'authorization' && name !== 'x-amz-date' && name !== 'range',
  );
  const kind = fc.constantFrom(
    'UNSIGNED-PAYLOAD',
    'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    'x',
  );
  const begun = { method: 'POST', path: '/telemetry/BM_SN0000001/parts.log?uploads=' };
  const uploadId = /<UploadId>(.*)</.exec((await sendSigned(endpoint, begun)).body)?.[1];
  const multipart = fc.constantFrom(
    '?uploads=',
    `?uploadId=${uploadId}`,
    ...['', '1', '10000', '99999', '%00'].map((number) => `?partNumber=${number}&uploadId=${uploadId}`),
    '?uploadId=%00',
    `?max-parts=0&part-number-marker=x&uploadId=${uploadId}`,
  );
  const request = fc.record({
    method: fc.constantFrom(...METHODS),
    name: fc.oneof(
      fc.stringMatching(/^[a-z0-9./_-]{1,40}$/),
      multipart.map((query) => `parts.log${query}`),
    ),
    headers: fc.dictionary(fc.constantFrom(...claims), headerValue),
    payloadHash: kind,
    body: fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('0\r\n\r\n', '1\r\na\r\n0\r\n\r\n', '1\r\n'),
      fc.constantFrom('<CompleteMultipartUpload><Part>', '<CompleteMultipartUpload/>', '<!DOCTYPE a>'),
    ),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, name, headers, payloadHash, body }) => {
      const isBodyless = method === 'GET' || method === 'HEAD';
      const raw = { method, path: `/telemetry/BM_SN0000001/${name}`, headers, ...(!isBodyless && { body }) };
      const answer = await sendSigned(endpoint, raw, { payloadHash });
      expect(answer.status).not.toBe(500);
      if (answer.status >= 300 && method !== 'HEAD') expect(errorCodeOfAnswer(answer)).toBeDefined();
    }),
    { numRuns: 300 },
  );
  expect(endpoint.backend.problems).toEqual([]);
  await expect.poll(() => endpoint.spooled()).toEqual([]);
});

test('random bytes after well-signed headers, on a connection that breaks before the body is complete, deliver nothing and leave no spool file (INGEST-03)', {
  timeout: 60_000,
}, async () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const kinds = fc.constantFrom('UNSIGNED-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER');
  const before = endpoint.backend.deliveries.length;
  await fc.assert(
    fc.asyncProperty(bytes, kinds, fc.boolean(), async (body, payloadHash, isLog) => {
      const path = `/telemetry/BM_SN0000001/fuzz${isLog ? '.log' : '.json'}`;
      const headers = { 'content-length': '301', 'x-amz-decoded-content-length': '290' };
      const signedHead = signRequest(
        endpoint,
        { method: 'PUT', path, headers },
        { payloadHash, credential: LOGGER_CREDENTIAL },
      );
      const socket = await openSocket(endpoint);
      socket.write(rawRequestHead('PUT', path, signedHead.headers));
      socket.write(body);
      socket.socket.end();
      await socket.closed();
    }),
    { numRuns: 100 },
  );
  expect(endpoint.backend.deliveries.length).toBe(before);
  expect(endpoint.backend.problems).toEqual([]);
  await expect.poll(() => endpoint.spooled()).toEqual([]);
  const alive = await sendSigned(endpoint, { method: 'HEAD', path: '/telemetry' });
  expect(alive.status).toBe(200);
});
