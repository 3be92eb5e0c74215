import { describe, expect, test } from 'vitest';
import { readPayload } from './payload.ts';
import type { S3Error } from './s3-error.ts';

const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const MD5 = '1B2M2Y8AsgTpgAmY7PhCfg==';
const plain = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': '3' };
const streamed = {
  'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'x-amz-decoded-content-length': '3',
  'x-amz-trailer': 'x-amz-checksum-crc32',
};

const codeOf = (headers: Record<string, string>, overHttps = true, signed: string[] = []): string => {
  try {
    readPayload(headers, overHttps, signed);
    return 'fine';
  } catch (error) {
    return (error as S3Error).code;
  }
};

describe('readPayload', () => {
  test.each([
    [HASH, { kind: 'plain', sha256: HASH }],
    ['UNSIGNED-PAYLOAD', { kind: 'plain' }],
    ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { kind: 'chunked', signed: false, trailer: true }],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { kind: 'chunked', signed: true, trailer: false }],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', { kind: 'chunked', signed: true, trailer: true }],
  ])('the framing %s of a body is read (INGEST-01)', (kind, framing) => {
    const headers = {
      'x-amz-content-sha256': kind,
      'content-length': '9',
      'x-amz-decoded-content-length': '9',
    };
    expect(readPayload(headers, true, []).framing).toEqual(framing);
  });

  test.each([
    ['UNSIGNED-PAYLOAD', 'InvalidRequest'],
    ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', 'InvalidRequest'],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'fine'],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', 'fine'],
    [HASH, 'fine'],
  ])('a body over plain http, %s, gives: %s (12.B6, INGEST-01)', (kind, expected) => {
    const lengths = { 'content-length': '9', 'x-amz-decoded-content-length': '9' };
    // Other digests in the headers change nothing: this Content-MD5 is not signed, and anyone can compute a CRC.
    const claims = { 'content-md5': MD5, 'x-amz-checksum-crc32': 'AAAAAA==' };
    const headers = { 'x-amz-content-sha256': kind, ...lengths };
    expect([codeOf(headers, false), codeOf({ ...headers, ...claims }, false)]).toEqual([expected, expected]);
  });

  test.each([
    ['content-md5', MD5, ['host', 'content-md5'], 'fine'],
    ['content-md5', MD5, ['host'], 'InvalidRequest'],
    ['x-amz-checksum-sha256', Buffer.from(HASH, 'hex').toString('base64'), ['x-amz-checksum-sha256'], 'fine'],
    ['x-amz-checksum-crc32', 'AAAAAA==', ['x-amz-checksum-crc32'], 'InvalidRequest'],
  ])(
    'an unsigned body over plain http, with %s %s, signed %s, gives: %s (12.B6, INGEST-01)',
    (name, value, signed, expected) => {
      expect(codeOf({ ...plain, [name]: value }, false, signed)).toBe(expected);
    },
  );

  test('the size of an aws-chunked body is its decoded length (INGEST-01)', () => {
    expect(readPayload({ ...streamed, 'content-length': '90' }, true, []).size).toBe(3);
    expect(readPayload(plain, true, []).size).toBe(3);
    const unknown = { 'x-amz-content-sha256': HASH, 'transfer-encoding': 'chunked' };
    expect(readPayload(unknown, true, []).size).toBeUndefined();
  });

  test('every digest of the body in the headers is kept for verification (INGEST-03)', () => {
    const headers = {
      'x-amz-content-sha256': HASH,
      'content-length': '0',
      'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==',
      'x-amz-checksum-crc32': 'AAAAAA==',
      'x-amz-sdk-checksum-algorithm': 'CRC32',
      'x-amz-checksum-algorithm': 'CRC32',
    };
    expect(readPayload(headers, true, []).checksums.map(({ name, mismatch }) => [name, mismatch])).toEqual([
      ['sha256', 'XAmzContentSHA256Mismatch'],
      ['md5', 'BadDigest'],
      ['crc32', 'BadDigest'],
    ]);
    expect(readPayload(streamed, true, []).trailerChecksum).toBe('crc32');
  });

  const { 'content-length': _length, ...noLength } = plain;
  const { 'x-amz-decoded-content-length': _decoded, ...noDecodedLength } = streamed;
  test.each<[string, Record<string, string>, string]>([
    ['no kind', { 'content-length': '3' }, 'InvalidArgument'],
    ['an unknown kind', { ...plain, 'x-amz-content-sha256': 'STREAMING' }, 'InvalidArgument'],
    ['a hash in capitals', { ...plain, 'x-amz-content-sha256': HASH.toUpperCase() }, 'InvalidArgument'],
    ['no length', noLength, 'MissingContentLength'],
    ['no decoded length', { ...noDecodedLength, 'content-length': '3' }, 'MissingContentLength'],
    ['a negative length', { ...streamed, 'x-amz-decoded-content-length': '-1' }, 'InvalidArgument'],
    ['a length of 1e3', { ...streamed, 'x-amz-decoded-content-length': '1e3' }, 'InvalidArgument'],
    ['a short Content-MD5', { ...plain, 'content-md5': 'AAAA' }, 'InvalidDigest'],
    [
      'Content-MD5 in hexadecimal',
      { ...plain, 'content-md5': 'd41d8cd98f00b204e9800998ecf8427e' },
      'InvalidDigest',
    ],
    ['a checksum of another length', { ...plain, 'x-amz-checksum-crc32': 'AAAA' }, 'InvalidRequest'],
    ['base64 with dirt', { ...plain, 'x-amz-checksum-crc32': 'AA!AAAA==' }, 'InvalidRequest'],
    [
      'two checksums',
      { ...plain, 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-crc32c': 'AAAAAA==' },
      'InvalidRequest',
    ],
    [
      'a checksum we cannot compute',
      { ...plain, 'x-amz-checksum-xxhash3': 'AAAAAAAAAAA=' },
      'NotImplemented',
    ],
    ['a trailer that is no checksum', { ...streamed, 'x-amz-trailer': 'expires' }, 'NotImplemented'],
  ])('the headers of a body are refused: %s (INGEST-03)', (_, headers, code) => {
    expect(codeOf(headers)).toBe(code);
  });
});
