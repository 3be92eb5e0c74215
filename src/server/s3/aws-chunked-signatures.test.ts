import { describe, expect, test } from 'vitest';
import { AwsChunkedDecoder, ChunkSignatures } from './aws-chunked.ts';
import { crc32c } from './digest.ts';
import type { S3Error } from './s3-error.ts';
import { signingKey } from './signing-key.ts';
import { type SignedRequest, signChunks, signNaively } from './test/naive-signer.ts';

/**
 * The two examples of the AWS documentation: 66,560 times the letter a, in chunks of 64 KiB and 1 KiB
 * ("Transferring Payload in Multiple Chunks", without and with trailing headers).
 */
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const CHUNKS = [Buffer.alloc(65536, 'a'), Buffer.alloc(1024, 'a')];
const TRAILER = { name: 'x-amz-checksum-crc32c', value: 'sOO8/Q==' };

function exampleHead(payloadHash: string, more: Record<string, string>): SignedRequest {
  return signNaively({
    method: 'PUT',
    path: '/examplebucket/chunkObject.txt',
    headers: {
      'content-encoding': 'aws-chunked',
      host: 's3.amazonaws.com',
      'x-amz-decoded-content-length': '66560',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      ...more,
    },
    payloadHash,
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secret: SECRET,
    timestamp: '20130524T000000Z',
  });
}

const plainHead = exampleHead('STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { 'content-length': '66824' });
const trailerHead = exampleHead('STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', {
  'x-amz-trailer': TRAILER.name,
});

/** Runs a body through decoder and signature chain. Returns the code of the refusal, or 'accepted'. */
function verify(head: SignedRequest, body: Buffer, withTrailer: boolean): string {
  const chain = new ChunkSignatures({
    key: signingKey(SECRET, '20130524', 'us-east-1'),
    timestamp: '20130524T000000Z',
    scope: head.scope,
    signature: head.signature,
    signedHeaders: [],
  });
  let trailerSignature: string | undefined;
  const decoder = new AwsChunkedDecoder({
    chunkStart: (size, signature) => chain.start(size, signature),
    data: (bytes) => chain.data(bytes),
    chunkEnd: () => chain.end(),
    trailer(name, value) {
      if (name === 'x-amz-trailer-signature') trailerSignature = value;
      else chain.trailer(name, value);
    },
  });
  try {
    decoder.push(body);
    decoder.end();
    if (withTrailer) chain.endTrailers(trailerSignature);
    return 'accepted';
  } catch (error) {
    return (error as S3Error).code;
  }
}

const replaced = (body: Buffer, from: string, to: string): Buffer => {
  const at = body.indexOf(from);
  if (at < 0 || from.length !== to.length) throw new Error('nothing to replace');
  const copy = Buffer.from(body);
  copy.write(to, at);
  return copy;
};

describe('the documented chain without a trailer', () => {
  const { body, signatures } = signChunks(plainHead, CHUNKS);

  test('the signing code of the tests computes the signatures that AWS documents (INGEST-01)', () => {
    expect(plainHead.signature).toBe('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9');
    expect(signatures).toEqual([
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ]);
    expect(body.length).toBe(66824);
  });

  test('the documented body without a trailer is accepted (INGEST-01)', () => {
    expect(verify(plainHead, body, false)).toBe('accepted');
  });

  const withoutSecond = Buffer.concat([
    body.subarray(0, body.indexOf('400;')),
    body.subarray(body.indexOf('\r\n0;') + 2),
  ]);
  test.each([
    ['one changed byte in the first chunk', replaced(body, 'aaaaa', 'aabaa'), 'SignatureDoesNotMatch'],
    ['a changed signature', replaced(body, 'ad80c7', 'ad80c8'), 'SignatureDoesNotMatch'],
    ['no signature', Buffer.from('5\r\naaaaa\r\n0\r\n\r\n'), 'SignatureDoesNotMatch'],
    ['a chunk left out', withoutSecond, 'SignatureDoesNotMatch'],
    ['cut in the data', body.subarray(0, 40_000), 'IncompleteBody'],
    ['cut before the last chunk', body.subarray(0, body.indexOf('\r\n0;') + 2), 'IncompleteBody'],
  ])('a body without a trailer is refused with %s (INGEST-03)', (_, changed, code) => {
    expect(verify(plainHead, changed, false)).toBe(code);
  });

  test('a chain of chunk signatures that starts from another header signature is refused (INGEST-03)', () => {
    expect(verify({ ...plainHead, signature: trailerHead.signature }, body, false)).toBe(
      'SignatureDoesNotMatch',
    );
  });

  test('only the last signed chunk may be smaller than 8 KiB, as in S3 (INGEST-03)', () => {
    const small = signChunks(plainHead, [Buffer.alloc(8191), Buffer.alloc(8192)]);
    expect(verify(plainHead, small.body, false)).toBe('InvalidChunkSizeError');
    const right = signChunks(plainHead, [Buffer.alloc(8192), Buffer.alloc(8191)]);
    expect(verify(plainHead, right.body, false)).toBe('accepted');
  });
});

describe('the documented chain with a trailer', () => {
  const { body, signatures, trailerSignature } = signChunks(trailerHead, CHUNKS, TRAILER);

  test('the signing code of the tests computes the signatures and checksum that AWS documents for a body with a trailer (INGEST-01)', () => {
    expect(trailerHead.signature).toBe('106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e');
    expect(signatures).toEqual([
      'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
      '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
      '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
    ]);
    expect(trailerSignature).toBe('d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435');
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32c(Buffer.concat(CHUNKS)));
    expect(crc.toString('base64')).toBe(TRAILER.value);
  });

  test('the documented body with a trailer is accepted (INGEST-01)', () => {
    expect(verify(trailerHead, body, true)).toBe('accepted');
  });

  test.each([
    ['a changed trailer', replaced(body, 'sOO8/Q==', 'sOO8/A=='), 'SignatureDoesNotMatch'],
    ['a changed trailer signature', replaced(body, 'd81f82', 'd81f83'), 'SignatureDoesNotMatch'],
    [
      'no trailer signature',
      body.subarray(0, body.indexOf('x-amz-trailer-signature')),
      'SignatureDoesNotMatch',
    ],
    ['a cut trailer signature', body.subarray(0, body.length - 6), 'SignatureDoesNotMatch'],
  ])('a body with a trailer is refused with %s (INGEST-03)', (_, changed, code) => {
    expect(verify(trailerHead, changed, true)).toBe(code);
  });
});
