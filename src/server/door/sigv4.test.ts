import { describe, expect, test } from 'vitest';
import { parseAuthorization } from './authorization.ts';
import type { SignedMessage } from './canonical-request.ts';
import { S3Error } from './s3-error.ts';
import { readTarget } from './s3-request.ts';
import { SigningKeys } from './signing-key.ts';
import { verifyRequest } from './sigv4.ts';
import { sha256, sign } from './test/naive-signer.ts';

/** AWS's own example credentials and time. */
const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const TIMESTAMP = '20130524T000000Z';
const NOW = Date.UTC(2013, 4, 24);
const HOST = 'examplebucket.s3.amazonaws.com';
const EMPTY = sha256('');

function message(method: string, headers: Record<string, string | string[]>): SignedMessage {
  const rawHeaders: string[] = [];
  const headersDistinct: Record<string, string[]> = {};
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) rawHeaders.push(name, one);
    headersDistinct[name] = values;
    joined[name] = values.join(', ');
  }
  return { method, headers: joined, headersDistinct, rawHeaders };
}

type Options = { now?: number; keys?: SigningKeys; secret?: string };

function verify(
  method: string,
  url: string,
  headers: Record<string, string | string[]>,
  options: Options = {},
) {
  const authorization = parseAuthorization(String(headers.authorization));
  if (!authorization) throw new Error('unreadable authorization');
  const { now = NOW, keys = new SigningKeys(), secret = SECRET } = options;
  const credential = { accessKey: ACCESS_KEY, secret, loggerSerial: '0000001' };
  const target = readTarget(url, String(headers.host), 'examplebucket');
  return verifyRequest(message(method, headers), target, authorization, credential, keys, now);
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

const signIt = (changes: Partial<Parameters<typeof sign>[0]> = {}) =>
  sign({
    method: 'PUT',
    path: '/examplebucket/BM_SN0000001/snapshot.json',
    headers: { host: HOST },
    payloadHash: EMPTY,
    accessKey: ACCESS_KEY,
    secret: SECRET,
    timestamp: TIMESTAMP,
    ...changes,
  });

describe('examples of the AWS documentation ("Using the Authorization Header", Examples)', () => {
  const examples = [
    {
      name: 'GET Object',
      method: 'GET',
      url: '/test.txt',
      headers: { range: 'bytes=0-9' },
      payloadHash: EMPTY,
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      name: 'PUT Object',
      method: 'PUT',
      url: '/test%24file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      payloadHash: sha256('Welcome to Amazon S3.'),
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      name: 'GET Bucket Lifecycle',
      method: 'GET',
      url: '/?lifecycle',
      headers: {},
      payloadHash: EMPTY,
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      name: 'Get Bucket (List Objects)',
      method: 'GET',
      url: '/?max-keys=2&prefix=J',
      headers: {},
      payloadHash: EMPTY,
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ];

  test.each(examples)('INGEST-01 $name: the documented signature is accepted', (example) => {
    const { method, url, payloadHash, signature } = example;
    const headers: Record<string, string> = {
      ...example.headers,
      host: HOST,
      'x-amz-content-sha256': payloadHash,
      'x-amz-date': TIMESTAMP,
    };
    const names = Object.keys(headers).sort().join(';');
    const authorization =
      `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/20130524/us-east-1/s3/aws4_request,` +
      `SignedHeaders=${names},Signature=${signature}`;
    expect(verify(method, url, { ...headers, authorization })).toMatchObject({
      signature,
      timestamp: TIMESTAMP,
    });

    const [path = '', query = ''] = url.split('?');
    const canonicalQuery = query === 'lifecycle' ? 'lifecycle=' : query;
    const naive = signIt({
      method,
      path,
      query: canonicalQuery,
      headers: { ...example.headers, host: HOST },
      payloadHash,
    });
    expect(naive.signature).toBe(signature);
  });
});

describe('what is signed', () => {
  const paths = [
    ['a space', '/examplebucket/a%20b', '/examplebucket/a%20b'],
    ['an encoded plus', '/examplebucket/a%2Bb', '/examplebucket/a%2Bb'],
    ['a plus as it is', '/examplebucket/a+b', '/examplebucket/a%2Bb'],
    ['parentheses as they are', '/examplebucket/a(1)!*.json', '/examplebucket/a%281%29%21%2A.json'],
    ['lower case escapes', '/examplebucket/%c3%bc', '/examplebucket/%C3%BC'],
    ['ünïcode', '/examplebucket/%C3%BCn%C3%AFcode', '/examplebucket/%C3%BCn%C3%AFcode'],
    ['an escaped letter', '/examplebucket/%41', '/examplebucket/A'],
  ] as const;
  test.each(paths)('INGEST-01 a path with %s is signed in its canonical form', (_, url, path) => {
    expect(codeOf(() => verify('PUT', url, signIt({ path }).headers))).toBe('accepted');
  });

  const queries = [
    ['sorted by the client or not', '?b=2&a=1&x-id=PutObject', 'a=1&b=2&x-id=PutObject'],
    ['sorted by name, not by name=value', '?a-b=1&a=1', 'a=1&a-b=1'],
    ['repeated names sorted by value', '?a=2&a=1', 'a=1&a=2'],
    ['a name without value', '?acl', 'acl='],
    ['a slash and a plus in the value', '?prefix=a/b+c', 'prefix=a%2Fb%20c'],
  ] as const;
  test.each(queries)('INGEST-01 a query: %s', (_, url, query) => {
    const { headers } = signIt({ query });
    expect(codeOf(() => verify('PUT', `/examplebucket/BM_SN0000001/snapshot.json${url}`, headers))).toBe(
      'accepted',
    );
  });

  const url = '/examplebucket/BM_SN0000001/snapshot.json';
  const changed: [string, string, string, Record<string, string>][] = [
    ['another method', 'GET', url, {}],
    ['another path', 'PUT', '/examplebucket/BM_SN0000001/Status.json', {}],
    ['another query', 'PUT', `${url}?acl`, {}],
    ['another host', 'PUT', url, { host: 'elsewhere' }],
    ['another body hash', 'PUT', url, { 'x-amz-content-sha256': sha256('x') }],
    ['another second', 'PUT', url, { 'x-amz-date': '20130524T000001Z' }],
  ];
  test.each(changed)('INGEST-01 %s than was signed is refused', (_, method, changedUrl, headers) => {
    const request = { ...signIt().headers, ...headers };
    expect(codeOf(() => verify(method, changedUrl, request))).toBe('SignatureDoesNotMatch');
  });

  test('INGEST-01 the wrong secret is refused', () => {
    const { headers } = signIt({ secret: 'guessed' });
    expect(codeOf(() => verify('PUT', url, headers))).toBe('SignatureDoesNotMatch');
  });

  test('INGEST-01 an x-amz header that is not signed is refused, as S3 does', () => {
    const headers = { ...signIt().headers, 'x-amz-meta-note': 'added on the way' };
    expect(codeOf(() => verify('PUT', url, headers))).toBe('AccessDenied');
  });

  test('INGEST-01 a signature without the host is refused', () => {
    expect(codeOf(() => verify('PUT', url, { ...signIt({ headers: {} }).headers, host: HOST }))).toBe(
      'AccessDenied',
    );
  });

  test('INGEST-01 a repeated header is signed with all its values', () => {
    const { headers } = signIt({ headers: { host: HOST, 'x-amz-meta-a': 'one,two' } });
    const sent = (values: string[]) => ({ ...headers, 'x-amz-meta-a': values });
    expect(codeOf(() => verify('PUT', url, sent(['one', 'two'])))).toBe('accepted');
    expect(codeOf(() => verify('PUT', url, sent(['one'])))).toBe('SignatureDoesNotMatch');
  });

  test('INGEST-01 spaces inside a header value count once', () => {
    const { headers } = signIt({ headers: { host: HOST, 'x-amz-meta-a': 'one two' } });
    expect(codeOf(() => verify('PUT', url, { ...headers, 'x-amz-meta-a': 'one    two' }))).toBe('accepted');
  });

  test('INGEST-01 a signed header that is no header (constructor) is empty, not a crash', () => {
    const { headers } = signIt();
    const authorization = headers.authorization!.replace('SignedHeaders=', 'SignedHeaders=constructor;');
    expect(codeOf(() => verify('PUT', url, { ...headers, authorization }))).toBe('SignatureDoesNotMatch');
  });

  test('INGEST-01 a request without x-amz-content-sha256 is told so', () => {
    const { 'x-amz-content-sha256': _, ...headers } = signIt().headers;
    expect(codeOf(() => verify('PUT', url, headers))).toBe('InvalidRequest');
  });
});

describe('time', () => {
  const url = '/examplebucket/BM_SN0000001/snapshot.json';
  const MINUTE = 60_000;
  test.each([
    [15 * MINUTE, 'accepted'],
    [-15 * MINUTE, 'accepted'],
    [15 * MINUTE + 1, 'RequestTimeTooSkewed'],
    [-15 * MINUTE - 1, 'RequestTimeTooSkewed'],
  ])('INGEST-03 a clock that differs by %d ms: %s', (difference, expected) => {
    expect(codeOf(() => verify('PUT', url, signIt().headers, { now: NOW + difference }))).toBe(expected);
  });

  test('INGEST-01 clock skew is only said to who holds the secret', () => {
    const { headers } = signIt({ secret: 'guessed' });
    expect(codeOf(() => verify('PUT', url, headers, { now: 0 }))).toBe('SignatureDoesNotMatch');
  });

  test('INGEST-01 the scope must be of the same day and of service s3', () => {
    expect(codeOf(() => verify('PUT', url, signIt({ scopeDate: '20130523' }).headers))).toBe(
      'AuthorizationHeaderMalformed',
    );
    const { headers } = signIt();
    const authorization = headers.authorization!.replace('/s3/', '/sqs/');
    expect(codeOf(() => verify('PUT', url, { ...headers, authorization }))).toBe(
      'AuthorizationHeaderMalformed',
    );
  });

  test('INGEST-01 a Date header serves when there is no x-amz-date', () => {
    const { headers } = signIt({
      headers: { host: HOST, date: 'Fri, 24 May 2013 00:00:00 GMT' },
      amzDate: false,
    });
    expect(codeOf(() => verify('PUT', url, headers))).toBe('accepted');
    expect(codeOf(() => verify('PUT', url, headers, { now: 0 }))).toBe('RequestTimeTooSkewed');
  });

  test.each(['', 'yesterday', '20130524T000000', '2013-05-24T00:00:00Z'])(
    'INGEST-03 x-amz-date "%s" is refused',
    (at) => {
      expect(codeOf(() => verify('PUT', url, { ...signIt().headers, 'x-amz-date': at }))).toBe(
        'AccessDenied',
      );
    },
  );
});

describe('key cache', () => {
  const url = '/examplebucket/BM_SN0000001/snapshot.json';
  test('INGEST-01 a changed secret counts at once', () => {
    const keys = new SigningKeys();
    expect(codeOf(() => verify('PUT', url, signIt().headers, { keys }))).toBe('accepted');
    expect(codeOf(() => verify('PUT', url, signIt().headers, { keys, secret: 'new' }))).toBe(
      'SignatureDoesNotMatch',
    );
    const renewed = signIt({ secret: 'new' }).headers;
    expect(codeOf(() => verify('PUT', url, renewed, { keys, secret: 'new' }))).toBe('accepted');
  });

  test('INGEST-03 a wrong signature leaves nothing in the cache', () => {
    const keys = new SigningKeys();
    const { headers } = signIt({ secret: 'guessed', region: 'made-up-1' });
    codeOf(() => verify('PUT', url, headers, { keys }));
    expect(keys.find(`${ACCESS_KEY}/20130524/made-up-1`, SECRET)).toBeUndefined();
  });
});
