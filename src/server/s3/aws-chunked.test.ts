import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AwsChunkedDecoder } from './aws-chunked.ts';
import type { S3Error } from './s3-error.ts';

/** Decodes chunks of bytes. Returns what the listener received, with the data of each chunk joined. */
function decode(chunks: readonly (string | Buffer)[]): string[] {
  const received: string[] = [];
  let data = '';
  const decoder = new AwsChunkedDecoder({
    chunkStart: (size, signature) =>
      void received.push(`chunk ${size}${signature ? ` ${signature.slice(0, 4)}` : ''}`),
    data: (bytes) => {
      data += bytes.toString('latin1');
    },
    chunkEnd: () => {
      received.push(`"${data}"`);
      data = '';
    },
    trailer: (name, value) => void received.push(`${name}=${value}`),
  });
  for (const chunk of chunks) decoder.push(Buffer.from(chunk));
  decoder.end();
  return received;
}

const codeOf = (text: string): string => {
  try {
    decode([text]);
    return 'fine';
  } catch (error) {
    return (error as S3Error).code;
  }
};

const SIGNED = `;chunk-signature=${'ab'.repeat(32)}`;
const UNSIGNED_BODY = '3\r\nabc\r\nA\r\n0123\r\n6789\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n';
const UNSIGNED_RECEIVED = [
  'chunk 3',
  '"abc"',
  'chunk 10',
  '"0123\r\n6789"',
  'chunk 0',
  '""',
  'x-amz-checksum-crc32=AAAAAA==',
];

describe('AwsChunkedDecoder', () => {
  test('chunks with a trailer are decoded, as the AWS SDK sends them (INGEST-01)', () => {
    expect(decode([UNSIGNED_BODY])).toEqual(UNSIGNED_RECEIVED);
  });

  test('signed chunks are decoded (INGEST-01)', () => {
    const body = `3${SIGNED}\r\nabc\r\n0${SIGNED}\r\n\r\n`;
    expect(decode([body])).toEqual(['chunk 3 abab', '"abc"', 'chunk 0 abab', '""']);
  });

  test('a chunked body is decoded with the same result however its bytes are split (INGEST-01)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(UNSIGNED_BODY.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), UNSIGNED_BODY.length];
        const chunks = at.slice(1).map((end, index) => UNSIGNED_BODY.slice(at[index], end));
        expect(decode(chunks)).toEqual(UNSIGNED_RECEIVED);
      }),
    );
    expect(decode([...UNSIGNED_BODY])).toEqual(UNSIGNED_RECEIVED);
  });

  test.each([
    ['no final empty line', '0\r\nx-amz-checksum-crc32:AAAAAA=='],
    ['bare LF in the trailer', '0\r\nx-amz-checksum-crc32:AAAAAA==\n\r\n'],
    ['capitals and spaces', '0\r\nX-Amz-Checksum-CRC32: AAAAAA== \r\n\r\n'],
  ])('a trailer with %s is read (INGEST-01)', (_, body) => {
    expect(decode([body])).toEqual(['chunk 0', '""', 'x-amz-checksum-crc32=AAAAAA==']);
  });

  test.each([
    ['', 'IncompleteBody'],
    ['3', 'IncompleteBody'],
    ['3\r\n', 'IncompleteBody'],
    ['3\r\nab', 'IncompleteBody'],
    ['3\r\nabc', 'IncompleteBody'],
    ['3\r\nabc\r\n', 'IncompleteBody'],
    ['0', 'IncompleteBody'],
    ['3\r\nabcd\r\n0\r\n\r\n', 'InvalidRequest'],
    ['\r\n', 'InvalidRequest'],
    ['xyz\r\n', 'InvalidRequest'],
    ['-3\r\n', 'InvalidRequest'],
    ['123456789\r\n', 'InvalidRequest'],
    ['0\r\n\r\nmore', 'InvalidRequest'],
    [`${'0'.repeat(2000)}`, 'InvalidRequest'],
    ['0\r\nno colon\r\n\r\n', 'MalformedTrailerError'],
    [`0\r\n${'a:b\r\n'.repeat(11)}\r\n`, 'MalformedTrailerError'],
    ['{"RTC_UNIX":1}', 'IncompleteBody'],
  ])('the chunked body %j is refused: %s (INGEST-03)', (body, code) => {
    expect(codeOf(body)).toBe(code);
  });
});
