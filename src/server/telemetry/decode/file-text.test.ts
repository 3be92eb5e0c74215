import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeText, readLogText, type TextLimits } from './file-text.ts';
import { splitInChunks } from './test/small-log.ts';

const LIMIT = 1e9;
const text = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join(''));

/** Returns the text that was read, and the error that ended it. */
async function read(
  chunks: AsyncIterable<Uint8Array>,
  limit = LIMIT,
): Promise<{ got: Buffer; error?: unknown }> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of readLogText(chunks, { maxTextBytes: limit }))
      pieces.push(Uint8Array.from(piece));
  } catch (error) {
    return { got: Buffer.concat(pieces), error };
  }
  return { got: Buffer.concat(pieces) };
}

describe('the text of a log, compressed or not (INGEST-05)', () => {
  test.each([1, 1000, 65_536, 10_000_000])(
    'the text of a log is read in chunks of %i bytes',
    async (size) => {
      const bytes = size === 1 ? text.subarray(0, 5000) : text;
      expect((await read(splitInChunks(bytes, size))).got.equals(bytes)).toBe(true);
      expect((await read(splitInChunks(gzipSync(bytes), size))).got.equals(bytes)).toBe(true);
    },
  );

  test('the text of a log is read from two concatenated gzip files', async () => {
    const both = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]);
    expect((await read(splitInChunks(both, 7))).got.toString()).toBe('one\ntwo\n');
  });

  test('the text of a log may be empty or one byte', async () => {
    expect(await read(splitInChunks(Buffer.alloc(0), 1))).toEqual({ got: Buffer.alloc(0) });
    expect(await read(splitInChunks(Buffer.from('x'), 1))).toEqual({ got: Buffer.from('x') });
  });
});

describe('a damaged gzip file (INGEST-03)', () => {
  const zipped = gzipSync(text);
  test.each([
    ['cut in half', zipped.subarray(0, zipped.length / 2), 'truncated', 10_000],
    ['without its last byte', zipped.subarray(0, -1), 'truncated', text.length],
    ['only a header', zipped.subarray(0, 10), 'truncated', 0],
    ['only the first two bytes', zipped.subarray(0, 2), 'truncated', 0],
    [
      'a wrong checksum',
      Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)]),
      'corrupt',
      text.length - 65_536,
    ],
    ['a wrong method', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5]), 'corrupt', 0],
  ])('a damaged gzip file gives its readable part and then an error: %s', async (_, bytes, kind, atLeast) => {
    const { got, error } = await read(splitInChunks(bytes, 1000));
    expect(error).toMatchObject({ name: 'LogError', kind });
    expect(got.length).toBeGreaterThanOrEqual(atLeast);
    expect(got.equals(text.subarray(0, got.length))).toBe(true);
  });

  test('a gzip file is read when garbage follows it', async () => {
    const { got, error } = await read(splitInChunks(Buffer.concat([zipped, Buffer.alloc(100_000)]), 1000));
    expect(error).toBeUndefined();
    expect(got.equals(text)).toBe(true);
  });
});

test('a gzip bomb is stopped at the limit and needs little memory until then (INGEST-03)', async () => {
  const bomb = gzipSync(Buffer.alloc(128_000_000), { level: 1 });
  const before = process.memoryUsage.rss();
  let bytes = 0;
  let most = 0;
  const reading = async () => {
    for await (const piece of readLogText(splitInChunks(bomb, 1_000_000), { maxTextBytes: 120_000_000 })) {
      bytes += piece.length;
      if (bytes % (64 * piece.length) === 0) most = Math.max(most, process.memoryUsage.rss() - before);
    }
  };
  await expect(reading()).rejects.toMatchObject({ kind: 'too large' });
  expect(bytes).toBeGreaterThan(119_000_000);
  expect(bytes).toBeLessThanOrEqual(120_000_000);
  expect(most).toBeLessThan(100_000_000);
}, 30_000);

test('a file with more than 16 MiB of text is stopped when it exceeds the compression ratio (12.B4)', async () => {
  const limits = { maxTextBytes: LIMIT, maxRatio: 300 };
  const bytesOf = async (bytes: Buffer, given: TextLimits = limits) => {
    let read = 0;
    for await (const piece of readLogText(splitInChunks(gzipSync(bytes), 65_536), given))
      read += piece.length;
    return read;
  };
  await expect(bytesOf(Buffer.alloc(18_000_000))).rejects.toMatchObject({
    kind: 'too large',
    message: 'Het logbestand is uitgepakt meer dan 300 keer zo groot; alleen het begin is gelezen.',
  });
  expect(await bytesOf(Buffer.alloc(16_000_000))).toBe(16_000_000);
  expect(await bytesOf(Buffer.alloc(18_000_000), { maxTextBytes: LIMIT })).toBe(18_000_000);
  // The most repetitive realistic log, ten equal frames a second, has a ratio of 110 to 170.
  const second = (n: number) => `(${1_780_000_000 + n}.000000) can0 18FEF100#FFFFFFFFFFFFFFFF\n`.repeat(10);
  const frames = Buffer.from(Array.from({ length: 33_500 }, (_, n) => second(n)).join(''));
  expect(await bytesOf(frames)).toBe(frames.length);
});

test('the error of an upload that breaks off is passed on unchanged (INGEST-03)', async () => {
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield gzipSync(text).subarray(0, 100);
    throw new Error('connection lost');
  }
  expect((await read(breaking())).error).toEqual(new Error('connection lost'));
});

test.each([text, gzipSync(text)])(
  'the file is closed when the reader stops early (INGEST-05)',
  async (bytes) => {
    let closed = false;
    async function* file(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield bytes;
      } finally {
        closed = true;
      }
    }
    for await (const _ of readLogText(file(), { maxTextBytes: LIMIT })) break;
    expect(closed).toBe(true);
  },
);

test.each([
  ['plain', [0x41, 0x42], 'AB'],
  ['UTF-8', [0xc2, 0xb0, 0x43], '°C'],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x41], 'A'],
  ['cp1252: a degree sign of one byte', [0xb0, 0x43], '°C'],
  ['cp1252: a euro sign, which latin-1 does not have', [0x80], '€'],
  ['nothing', [], ''],
])('the text of a DBC is decoded: %s (INGEST-04)', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
});
