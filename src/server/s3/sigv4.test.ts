import { describe, expect, test } from 'vitest';
import { SigningKeys } from './signing-key.ts';
import { sha256 } from './test/naive-signer.ts';
import {
  ACCESS_KEY,
  EXAMPLE_SECRET,
  HOST,
  NOW,
  refusalCodeOf,
  signUpload,
  verifyExampleRequest,
} from './test/verification.ts';

describe('the signed parts of a request', () => {
  const paths = [
    ['a space', '/examplebucket/a%20b', '/examplebucket/a%20b'],
    ['an encoded plus', '/examplebucket/a%2Bb', '/examplebucket/a%2Bb'],
    ['a plus as it is', '/examplebucket/a+b', '/examplebucket/a%2Bb'],
    ['parentheses as they are', '/examplebucket/a(1)!*.json', '/examplebucket/a%281%29%21%2A.json'],
    ['lower case escapes', '/examplebucket/%c3%bc', '/examplebucket/%C3%BC'],
    ['ünïcode', '/examplebucket/%C3%BCn%C3%AFcode', '/examplebucket/%C3%BCn%C3%AFcode'],
    ['an escaped letter', '/examplebucket/%41', '/examplebucket/A'],
  ] as const;
  test.each(paths)('a path with %s is signed in its canonical form (INGEST-01)', (_, url, path) => {
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, signUpload({ path }).headers))).toBe(
      'accepted',
    );
  });

  const queries = [
    ['sorted by the client or not', '?b=2&a=1&x-id=PutObject', 'a=1&b=2&x-id=PutObject'],
    ['sorted by name, not by name=value', '?a-b=1&a=1', 'a=1&a-b=1'],
    ['repeated names sorted by value', '?a=2&a=1', 'a=1&a=2'],
    ['a name without value', '?acl', 'acl='],
    ['a slash and a plus in the value', '?prefix=a/b+c', 'prefix=a%2Fb%20c'],
  ] as const;
  test.each(queries)('a query is signed in its canonical form: %s (INGEST-01)', (_, url, query) => {
    const { headers } = signUpload({ query });
    expect(
      refusalCodeOf(() =>
        verifyExampleRequest('PUT', `/examplebucket/BM_SN0000001/snapshot.json${url}`, headers),
      ),
    ).toBe('accepted');
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
  test.each(changed)(
    'a request with %s than was signed is refused (INGEST-01)',
    (_, method, changedUrl, headers) => {
      const request = { ...signUpload().headers, ...headers };
      expect(refusalCodeOf(() => verifyExampleRequest(method, changedUrl, request))).toBe(
        'SignatureDoesNotMatch',
      );
    },
  );

  test('a signature with a wrong secret is refused (INGEST-01)', () => {
    const { headers } = signUpload({ secret: 'guessed' });
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, headers))).toBe('SignatureDoesNotMatch');
  });

  test('a request with an unsigned x-amz header is refused, as by S3 (INGEST-01)', () => {
    const headers = { ...signUpload().headers, 'x-amz-meta-note': 'added on the way' };
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, headers))).toBe('AccessDenied');
  });

  test('a signature that does not cover the host is refused (INGEST-01)', () => {
    expect(
      refusalCodeOf(() =>
        verifyExampleRequest('PUT', url, { ...signUpload({ headers: {} }).headers, host: HOST }),
      ),
    ).toBe('AccessDenied');
  });

  test('a repeated header is signed with all its values (INGEST-01)', () => {
    const { headers } = signUpload({ headers: { host: HOST, 'x-amz-meta-a': 'one,two' } });
    const sent = (values: string[]) => ({ ...headers, 'x-amz-meta-a': values });
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, sent(['one', 'two'])))).toBe('accepted');
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, sent(['one'])))).toBe(
      'SignatureDoesNotMatch',
    );
  });

  test('repeated spaces inside a header value count once (INGEST-01)', () => {
    const { headers } = signUpload({ headers: { host: HOST, 'x-amz-meta-a': 'one two' } });
    expect(
      refusalCodeOf(() => verifyExampleRequest('PUT', url, { ...headers, 'x-amz-meta-a': 'one    two' })),
    ).toBe('accepted');
  });

  test('a signed header named constructor, which the request lacks, counts as empty, so that the signature does not match (INGEST-01)', () => {
    const { headers } = signUpload();
    const authorization = headers.authorization!.replace('SignedHeaders=', 'SignedHeaders=constructor;');
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, { ...headers, authorization }))).toBe(
      'SignatureDoesNotMatch',
    );
  });

  test('a request without x-amz-content-sha256 is refused as InvalidRequest (INGEST-01)', () => {
    const { 'x-amz-content-sha256': _, ...headers } = signUpload().headers;
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, headers))).toBe('InvalidRequest');
  });
});

describe('the time of a signature', () => {
  const url = '/examplebucket/BM_SN0000001/snapshot.json';
  const MINUTE = 60_000;
  test.each([
    [15 * MINUTE, 'accepted'],
    [-15 * MINUTE, 'accepted'],
    [15 * MINUTE + 1, 'RequestTimeTooSkewed'],
    [-15 * MINUTE - 1, 'RequestTimeTooSkewed'],
  ])('the result for a clock that differs by %d ms is: %s (INGEST-03)', (difference, expected) => {
    expect(
      refusalCodeOf(() => verifyExampleRequest('PUT', url, signUpload().headers, { now: NOW + difference })),
    ).toBe(expected);
  });

  test('clock skew is reported only to clients with the right secret (INGEST-01)', () => {
    const { headers } = signUpload({ secret: 'guessed' });
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, headers, { now: 0 }))).toBe(
      'SignatureDoesNotMatch',
    );
  });

  test('a credential scope of another day or another service than s3 is refused (INGEST-01)', () => {
    expect(
      refusalCodeOf(() => verifyExampleRequest('PUT', url, signUpload({ scopeDate: '20130523' }).headers)),
    ).toBe('AuthorizationHeaderMalformed');
    const { headers } = signUpload();
    const authorization = headers.authorization!.replace('/s3/', '/sqs/');
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, { ...headers, authorization }))).toBe(
      'AuthorizationHeaderMalformed',
    );
  });

  test('the Date header is used when x-amz-date is absent (INGEST-01)', () => {
    const { headers } = signUpload({
      headers: { host: HOST, date: 'Fri, 24 May 2013 00:00:00 GMT' },
      amzDate: false,
    });
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, headers))).toBe('accepted');
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, headers, { now: 0 }))).toBe(
      'RequestTimeTooSkewed',
    );
  });

  test.each(['', 'yesterday', '20130524T000000', '2013-05-24T00:00:00Z'])(
    'a request with x-amz-date "%s" is refused (INGEST-03)',
    (at) => {
      expect(
        refusalCodeOf(() => verifyExampleRequest('PUT', url, { ...signUpload().headers, 'x-amz-date': at })),
      ).toBe('AccessDenied');
    },
  );
});

describe('the cache of signing keys', () => {
  const url = '/examplebucket/BM_SN0000001/snapshot.json';
  test('a changed secret takes effect at once (INGEST-01)', () => {
    const keys = new SigningKeys();
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, signUpload().headers, { keys }))).toBe(
      'accepted',
    );
    expect(
      refusalCodeOf(() => verifyExampleRequest('PUT', url, signUpload().headers, { keys, secret: 'new' })),
    ).toBe('SignatureDoesNotMatch');
    const renewed = signUpload({ secret: 'new' }).headers;
    expect(refusalCodeOf(() => verifyExampleRequest('PUT', url, renewed, { keys, secret: 'new' }))).toBe(
      'accepted',
    );
  });

  test('a wrong signature is not cached (INGEST-03)', () => {
    const keys = new SigningKeys();
    const { headers } = signUpload({ secret: 'guessed', region: 'made-up-1' });
    refusalCodeOf(() => verifyExampleRequest('PUT', url, headers, { keys }));
    expect(keys.find(ACCESS_KEY, EXAMPLE_SECRET, '20130524', 'made-up-1')).toBeUndefined();
  });
});

test('the signing key depends on region and day (INGEST-01)', () => {
  const url = '/examplebucket/BM_SN0000001/snapshot.json';
  const keys = new SigningKeys();
  const nextDay = { timestamp: '20130525T000000Z' };
  for (const changes of [{}, { region: 'eu-west-1' }, {}, nextDay, { ...nextDay, region: 'eu-west-1' }]) {
    const now = NOW + ('timestamp' in changes ? 24 * 3_600_000 : 0);
    expect(
      refusalCodeOf(() => verifyExampleRequest('PUT', url, signUpload(changes).headers, { keys, now })),
    ).toBe('accepted');
  }
});

test('the cache of signing keys is limited (INGEST-03)', () => {
  const keys = new SigningKeys(2);
  const key = { inner: Buffer.alloc(64), outer: Buffer.alloc(64) };
  for (const accessKey of ['a', 'b', 'c']) keys.remember(accessKey, 's', 'd', 'r', key);
  expect(['a', 'b', 'c'].map((accessKey) => keys.find(accessKey, 's', 'd', 'r'))).toEqual([
    undefined,
    key,
    key,
  ]);
});
