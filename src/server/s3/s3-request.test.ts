import { describe, expect, test } from 'vitest';
import type { S3Error } from './s3-error.ts';
import { queryValue, readTarget } from './s3-request.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'fine';
  } catch (error) {
    return (error as S3Error).code;
  }
};

describe('readTarget', () => {
  const cases: [string, string, string, string][] = [
    // Each row: the URL, the Host header, the expected bucket and the expected key.
    ['/', 'localhost:3000', '', ''],
    ['/telemetry', 'localhost:3000', 'telemetry', ''],
    ['/telemetry/', 'localhost:3000', 'telemetry', ''],
    ['/telemetry?list-type=2', 'localhost:3000', 'telemetry', ''],
    ['/telemetry/BM_SN0000001/a.json', 'localhost:3000', 'telemetry', 'BM_SN0000001/a.json'],
    ['/telemetry/a%20b+c%2Bd(%28)/%C3%BC', 'localhost', 'telemetry', 'a b+c+d(()/ü'],
    ['/telemetry/100%2525', 'localhost', 'telemetry', '100%25'],
    ['/other/key', 'localhost', 'other', 'key'],
    ['/', 'telemetry.localhost:3000', 'telemetry', ''],
    ['/?delimiter=%2F', 'telemetry.localhost:3000', 'telemetry', ''],
    ['/BM_SN0000001/a.json', 'telemetry.s3.example.nl', 'telemetry', 'BM_SN0000001/a.json'],
    // The portal itself may be at telemetry.example.nl and get requests in path style.
    ['/telemetry/BM_SN0000001/a.json', 'telemetry.example.nl', 'telemetry', 'BM_SN0000001/a.json'],
    ['/telemetry', 'telemetry.example.nl', 'telemetry', ''],
    ['/BM_SN0000001/a.json', 'telemetry2.example.nl', 'BM_SN0000001', 'a.json'],
  ];
  test.each(cases)('the url %s at the host %s is read (INGEST-01)', (url, host, bucket, key) => {
    expect(readTarget(url, host, 'telemetry')).toMatchObject({ bucket, key });
  });

  test.each([
    'http://localhost/telemetry',
    '*',
    '',
    '/%',
    '/%zz',
    '/%C3',
    '/%ED%A0%80',
    '/a b',
    '/\u00fc',
    '/?a=%',
    '/?%=a',
  ])('the url "%s" is refused (INGEST-03)', (url) => {
    expect(codeOf(() => readTarget(url, 'localhost', 'telemetry'))).toBe('InvalidURI');
  });

  test('a query string is decoded like a form, with + as a space (INGEST-01)', () => {
    const { query } = readTarget('/telemetry?prefix=a%2Fb+c%2B&acl&&x=1=2', 'localhost', 'telemetry');
    expect(query).toEqual([
      ['prefix', 'a/b c+'],
      ['acl', ''],
      ['x', '1=2'],
    ]);
    expect(queryValue(query, 'acl')).toBe('');
    expect(queryValue(query, 'uploads')).toBeUndefined();
  });
});
