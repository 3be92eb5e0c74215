import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL, OTHER_LOGGER } from './test/memory-backend.ts';
import {
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendRawRequest,
  sendSigned,
  signRequest,
} from './test/running-endpoint.ts';
import { isUpload } from './upload-endpoint.ts';

const SNAPSHOT = '{"RTC_UNIX":1763690000,"LATITUDE":52.1}';
const KEY = '/telemetry/BM_SN0000001/snapshot.json';
const ETAG = /^"[0-9a-f]{32}"$/;

let endpoint: RunningEndpoint;
beforeAll(async () => {
  endpoint = await runUploadEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.backend.refusals.length = 0;
});

describe('an upload', () => {
  test('a document is delivered whole, then answered 200 with its ETag (INGEST-01)', async () => {
    const request = {
      method: 'PUT',
      path: '/telemetry/BM_SN0000001/J1939%20Snapshot%2B1.json?x-id=PutObject',
      headers: { 'content-type': 'application/json', 'x-amz-meta-mtime': '1763690000.5' },
      body: SNAPSHOT,
    };
    const answer = await sendSigned(endpoint, request);
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(answer.headers.etag).toMatch(ETAG);
    expect(answer.headers['x-amz-request-id']).toMatch(/^[0-9A-F]{16}$/);
    expect(answer.headers.date).toBeDefined();
    expect(endpoint.backend.deliveries.at(-1)).toEqual({
      credential: LOGGER_CREDENTIAL,
      key: 'BM_SN0000001/J1939 Snapshot+1.json',
      folder: 'BM_SN0000001',
      fileName: 'J1939 Snapshot+1.json',
      kind: 'document',
      size: SNAPSHOT.length,
      etag: answer.headers.etag?.slice(1, -1),
      contentType: 'application/json',
      metadata: { mtime: '1763690000.5' },
      body: Buffer.from(SNAPSHOT),
    });
  });

  test('an upload of an empty document is delivered (INGEST-01)', async () => {
    const answer = await sendSigned(endpoint, { method: 'PUT', path: KEY, body: '' });
    expect([answer.status, answer.headers.etag]).toEqual([200, '"d41d8cd98f00b204e9800998ecf8427e"']);
  });

  test('an upload in virtual-host style is accepted (INGEST-01)', async () => {
    const request = { method: 'PUT', path: '/BM_SN0000001/snapshot.json', body: SNAPSHOT };
    const headers = { host: `telemetry.localhost:${endpoint.port}` };
    expect((await sendSigned(endpoint, { ...request, headers })).status).toBe(200);
    expect(endpoint.backend.deliveries.at(-1)?.key).toBe('BM_SN0000001/snapshot.json');
  });

  test('a repeated upload is delivered again, and so is an upload of other bytes under the same key (INGEST-01)', async () => {
    const before = endpoint.backend.deliveries.length;
    for (const body of [SNAPSHOT, SNAPSHOT, 'other'])
      await sendSigned(endpoint, { method: 'PUT', path: KEY, body });
    expect(endpoint.backend.deliveries.length).toBe(before + 3);
  });
});

describe('refused uploads', () => {
  const put = { method: 'PUT', path: KEY, body: SNAPSHOT };
  const refusedUpload = async (run: () => Promise<Awaited<ReturnType<typeof sendRawRequest>>>) => {
    const before = endpoint.backend.deliveries.length;
    const answer = await run();
    expect(endpoint.backend.deliveries.length).toBe(before);
    return [answer.status, errorCodeOfAnswer(answer)];
  };

  test('a request without a readable authorization is refused (INGEST-01)', async () => {
    expect(await refusedUpload(() => sendRawRequest(endpoint, put))).toEqual([403, 'AccessDenied']);
    const headers = { authorization: 'AWS4-HMAC-SHA256 nonsense' };
    expect(await refusedUpload(() => sendRawRequest(endpoint, { ...put, headers }))).toEqual([
      403,
      'AccessDenied',
    ]);
  });

  test('an unknown key is refused and reported (INGEST-01)', async () => {
    const credential = { accessKey: 'STRANGER', secret: 's', loggerSerial: '0000001' };
    expect(await refusedUpload(() => sendSigned(endpoint, put, { credential }))).toEqual([
      403,
      'InvalidAccessKeyId',
    ]);
    expect(endpoint.backend.refusals).toEqual([
      { code: 'InvalidAccessKeyId', accessKey: 'STRANGER', key: 'BM_SN0000001/snapshot.json' },
    ]);
  });

  test('a wrong secret is refused and counted for the logger (INGEST-01)', async () => {
    const credential = { ...LOGGER_CREDENTIAL, secret: 'guessed' };
    expect(await refusedUpload(() => sendSigned(endpoint, put, { credential }))).toEqual([
      403,
      'SignatureDoesNotMatch',
    ]);
    expect(endpoint.backend.refusals[0]).toMatchObject({
      code: 'SignatureDoesNotMatch',
      loggerSerial: '0000001',
    });
  });

  test('a clock more than 15 minutes off is refused (INGEST-03)', async () => {
    for (const minutes of [-16, 16]) {
      const now = Date.now() + minutes * 60_000;
      expect(await refusedUpload(() => sendSigned(endpoint, put, { now }))).toEqual([
        403,
        'RequestTimeTooSkewed',
      ]);
    }
    expect(endpoint.backend.refusals).toHaveLength(2);
  });

  test("another logger's folder can be neither written nor read (INGEST-01)", async () => {
    const path = '/telemetry/BM_SN0000002/snapshot.json';
    const own = { credential: OTHER_LOGGER };
    expect((await sendSigned(endpoint, { ...put, path }, own)).status).toBe(200);
    expect(await refusedUpload(() => sendSigned(endpoint, { ...put, path }))).toEqual([403, 'AccessDenied']);
    expect(await refusedUpload(() => sendSigned(endpoint, { method: 'GET', path }))).toEqual([
      403,
      'AccessDenied',
    ]);
    expect((await sendSigned(endpoint, { method: 'HEAD', path })).status).toBe(403);
    const list = await sendSigned(endpoint, { method: 'GET', path: '/telemetry?prefix=BM_SN0000002%2F' });
    expect(list.body).not.toContain('<Contents>');
  });

  test.each([
    ['/telemetry/snapshot.json', 403, 'AccessDenied'],
    ['/telemetry/BM_SN0000001', 403, 'AccessDenied'],
    ['/telemetry/BM_SN00000012/snapshot.json', 403, 'AccessDenied'],
    ['/telemetry/BM_SN0000001/../BM_SN0000002/snapshot.json', 400, 'InvalidArgument'],
    ['/telemetry/BM_SN0000001//a.json', 400, 'InvalidArgument'],
    ['/telemetry/BM_SN0000001/a%00.json', 400, 'InvalidArgument'],
    ['/telemetry/BM_SN0000001/', 400, 'InvalidArgument'],
    [`/telemetry/BM_SN0000001/${'a'.repeat(1024)}`, 400, 'KeyTooLongError'],
    ['/telemetry/BM_SN0000001/%zz.json', 400, 'InvalidURI'],
    ['/other/BM_SN0000001/a.json', 404, 'NoSuchBucket'],
  ])('the key %s is refused (INGEST-03)', async (path, status, code) => {
    expect(await refusedUpload(() => sendSigned(endpoint, { ...put, path }))).toEqual([status, code]);
  });

  test('encoded dots and slashes are checked after decoding (INGEST-03)', async () => {
    const { headers } = signRequest(endpoint, {
      ...put,
      path: '/telemetry/BM_SN0000001/../BM_SN0000002/a.json',
    });
    const path = '/telemetry/BM_SN0000001/%2e%2E%2FBM_SN0000002/a.json';
    expect(await refusedUpload(() => sendRawRequest(endpoint, { ...put, path, headers }))).toEqual([
      400,
      'InvalidArgument',
    ]);
  });
});

test.each([
  [{ url: '/api/live', headers: {} }, false],
  [{ url: '/telemetry', headers: {} }, true],
  [{ url: '/telemetry/a', headers: {} }, true],
  [{ url: '/telemetry?acl', headers: {} }, true],
  [{ url: '/telemetry2/a', headers: {} }, false],
  [{ url: '/telemetr', headers: {} }, false],
  [{ url: '/', headers: { authorization: 'AWS4-HMAC-SHA256 x' } }, true],
  [{ url: '/', headers: { authorization: 'Bearer x' } }, false],
])('whether the request %j is for the upload endpoint is %s (INGEST-01)', (request, expected) => {
  expect(isUpload(request as Parameters<typeof isUpload>[0], 'telemetry')).toBe(expected);
});

test('a signature is valid for one request only (INGEST-01)', async () => {
  const { headers } = signRequest(endpoint, { method: 'GET', path: '/telemetry' });
  expect((await sendRawRequest(endpoint, { method: 'GET', path: '/telemetry', headers })).status).toBe(200);
  const other = await sendRawRequest(endpoint, { method: 'GET', path: '/telemetry?prefix=x', headers });
  expect(errorCodeOfAnswer(other)).toBe('SignatureDoesNotMatch');
});
