import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendSigned,
} from './test/running-endpoint.ts';

/** Requests of clients before and after an upload: HEAD, GET, lists, sub-resources. */
const SNAPSHOT = '{"RTC_UNIX":1763690000,"LATITUDE":52.1}';
const ETAG = /^"[0-9a-f]{32}"$/;

let endpoint: RunningEndpoint;
beforeAll(async () => {
  endpoint = await runUploadEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.backend.refusals.length = 0;
});

const path = '/telemetry/BM_SN0000001/asked.json';
beforeAll(async () => {
  const headers = { 'content-type': 'application/json', 'x-amz-meta-mtime': '12.5' };
  await sendSigned(endpoint, { method: 'PUT', path, headers, body: SNAPSHOT });
});

test('HEAD returns size, ETag, time and metadata (INGEST-01)', async () => {
  const answer = await sendSigned(endpoint, { method: 'HEAD', path });
  expect([answer.status, answer.body]).toEqual([200, '']);
  expect(answer.headers).toMatchObject({
    'content-length': String(SNAPSHOT.length),
    'content-type': 'application/json',
    'x-amz-meta-mtime': '12.5',
    etag: expect.stringMatching(ETAG),
    'last-modified': expect.stringMatching(/GMT$/),
  });
});

test('GET of an object is refused, whether it exists or not: no logger reads what it uploaded (INGEST-06)', async () => {
  for (const object of [path, '/telemetry/BM_SN0000001/missing.json']) {
    const answer = await sendSigned(endpoint, { method: 'GET', path: `${object}?x-id=GetObject` });
    expect([answer.status, errorCodeOfAnswer(answer)]).toEqual([403, 'AccessDenied']);
    expect(answer.body).not.toContain(SNAPSHOT);
  }
});

test.each([
  ['a stored object', 'GET', path, 403],
  ['its head', 'HEAD', path, 200],
  ['a list', 'GET', '/telemetry', 200],
  ['an upload', 'PUT', path, 200],
  ['what is not there', 'HEAD', '/telemetry/BM_SN0000001/missing.json', 404],
  ['a refusal', 'DELETE', path, 403],
])(
  'the answer to %s forbids browsers to guess its content type (INGEST-01)',
  async (_, method, asked, status) => {
    const answer = await sendSigned(endpoint, {
      method,
      path: asked,
      ...(method === 'PUT' && { body: SNAPSHOT }),
    });
    expect([answer.status, answer.headers['x-content-type-options']]).toEqual([status, 'nosniff']);
  },
);

test('HEAD of a missing object returns 404 without a body, and is not counted as a refusal (INGEST-01)', async () => {
  const missing = '/telemetry/BM_SN0000001/missing.json';
  const head = await sendSigned(endpoint, { method: 'HEAD', path: missing });
  expect([head.status, head.body]).toEqual([404, '']);
  expect(endpoint.backend.refusals).toEqual([]);
});

test.each([
  ['HEAD', '/telemetry', 200, undefined],
  ['HEAD', '/telemetry/', 200, undefined],
  ['HEAD', '/other', 404, undefined],
  ['HEAD', '/telemetry/BM_SN0000001', 404, undefined],
  ['HEAD', '/telemetry/BM_SN0000001/', 404, undefined],
  ['PUT', '/telemetry', 409, 'BucketAlreadyOwnedByYou'],
  ['PUT', '/telemetry/', 409, 'BucketAlreadyOwnedByYou'],
  ['GET', '/telemetry/?policy=', 404, 'NoSuchBucketPolicy'],
  ['GET', '/telemetry/?cors=', 404, 'NoSuchCORSConfiguration'],
  ['GET', '/telemetry/BM_SN0000001/asked.json?tagging=', 404, 'NoSuchTagSet'],
  ['GET', '/telemetry/?uploads=', 501, 'NotImplemented'],
  ['PUT', '/telemetry/BM_SN0000001/asked.json?acl=', 501, 'NotImplemented'],
  ['PUT', '/telemetry/?versioning=', 501, 'NotImplemented'],
  ['POST', '/telemetry/BM_SN0000001/asked.json', 405, 'MethodNotAllowed'],
  ['PATCH', '/telemetry', 405, 'MethodNotAllowed'],
  ['DELETE', '/telemetry/BM_SN0000001/asked.json', 403, 'AccessDenied'],
  ['DELETE', '/telemetry', 403, 'AccessDenied'],
  ['POST', '/telemetry/?delete=', 403, 'AccessDenied'],
  ['PUT', '/', 405, 'MethodNotAllowed'],
])('%s %s returns %i %s (INGEST-01)', async (method, url, status, code) => {
  const answer = await sendSigned(endpoint, { method, path: url });
  expect([answer.status, errorCodeOfAnswer(answer)]).toEqual([status, code]);
});

test.each([
  ['/', '<ListAllMyBucketsResult'],
  ['/telemetry/?location=', '<LocationConstraint'],
  ['/telemetry/?versioning=', '<VersioningConfiguration'],
  ['/telemetry/?acl=', '<AccessControlPolicy'],
  ['/telemetry/BM_SN0000001/asked.json?acl=', '<AccessControlPolicy'],
  ['/telemetry?delimiter=%2F', '<CommonPrefixes><Prefix>BM_SN0000001/</Prefix></CommonPrefixes>'],
  ['/telemetry/?list-type=2&prefix=BM_SN0000001%2Fasked', '<Key>BM_SN0000001/asked.json</Key>'],
])('GET %s is answered as by S3 (INGEST-01)', async (url, expected) => {
  const answer = await sendSigned(endpoint, { method: 'GET', path: url });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/xml');
  expect(answer.body).toContain(expected);
});

test.each(['x-amz-copy-source', 'if-none-match', 'if-match'])(
  'a PUT with the unsupported header %s is refused (INGEST-03)',
  async (name) => {
    const answer = await sendSigned(endpoint, { method: 'PUT', path, headers: { [name]: '*' }, body: 'x' });
    expect([answer.status, errorCodeOfAnswer(answer)]).toEqual([501, 'NotImplemented']);
  },
);

test('the size of the metadata of an object is limited as in S3 (INGEST-03)', async () => {
  const headers = { 'x-amz-meta-a': 'a'.repeat(2048) };
  const answer = await sendSigned(endpoint, { method: 'PUT', path, headers, body: 'x' });
  expect([answer.status, errorCodeOfAnswer(answer)]).toEqual([400, 'MetadataTooLarge']);
});
