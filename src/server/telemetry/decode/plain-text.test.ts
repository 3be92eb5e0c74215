import { expect, test } from 'vitest';
import { decodeToUtf8, normalizeCarriageReturns } from './plain-text.ts';

const TEXT = 'tijd;Naam\r\n2026-11-20T08:00:00Z;€ 😀\r\n';
const little = Buffer.from(TEXT, 'utf16le');
const big = Buffer.from(little).swap16();
const marked = (mark: readonly number[], text: Buffer): Buffer => Buffer.concat([Buffer.from(mark), text]);

async function read(bytes: Buffer, pieceBytes: number): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const parts: Uint8Array[] = [];
  for await (const part of decodeToUtf8(pieces())) parts.push(part);
  return Buffer.concat(parts).toString();
}

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with its mark', marked([0xef, 0xbb, 0xbf], Buffer.from(TEXT))],
  ['UTF-16 with its mark', marked([0xff, 0xfe], little)],
  ['UTF-16, high byte first, with its mark', marked([0xfe, 0xff], big)],
  ['UTF-16 without a mark', little],
  ['UTF-16, high byte first, without a mark', big],
])('a text file in %s is read, in chunks of any size (52.3)', async (_, bytes) => {
  for (const pieceBytes of [1, 2, 3, 7, 1000]) expect(await read(bytes, pieceBytes)).toBe(TEXT);
});

test('decodeToUtf8 returns a text of at most two bytes unchanged (52.3)', async () => {
  expect([await read(Buffer.from('a'), 1), await read(Buffer.from('ab'), 1)]).toEqual(['a', 'ab']);
  expect(await read(Buffer.alloc(0), 1)).toBe('');
});

test.each([
  ['a\rb\rc', 'a\nb\nc'],
  ['a\r', 'a\n'],
  ['\rb\r', '\nb\n'],
  ['a\r\nb\rc\r\n', 'a\r\nb\rc\r\n'],
  ['a\nb\rc', 'a\nb\rc'],
  ['abc', 'abc'],
  ['', ''],
])('lines that end with only a carriage return are separated: %j (52.3)', async (text, expected) => {
  for (const pieceBytes of [1, 2, 3, 1000]) {
    const bytes = Buffer.from(text);
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    const parts: Uint8Array[] = [];
    for await (const part of normalizeCarriageReturns(pieces())) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(expected);
  }
});
