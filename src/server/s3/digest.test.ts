import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DigestName, digestOf, startDigest } from './digest.ts';

const CHECK = Buffer.from('123456789');

/** The catalogue's check values (reveng.sourceforge.io/crc-catalogue), and RFC 3720 B.4 for 32 zero bytes. */
test.each([
  ['crc32', CHECK, 'cbf43926'],
  ['crc32c', CHECK, 'e3069283'],
  ['crc32c', Buffer.alloc(32), '8a9136aa'],
  ['crc32c', Buffer.alloc(32, 0xff), '62a8ab43'],
  ['crc64nvme', CHECK, 'ae8b14860a799888'],
  ['crc64nvme', Buffer.alloc(0), '0000000000000000'],
  ['md5', Buffer.alloc(0), 'd41d8cd98f00b204e9800998ecf8427e'],
  ['sha1', Buffer.alloc(0), 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
] as const)('the digest %s of %o is %s (INGEST-03)', (name, bytes, expected) => {
  expect(digestOf(name, bytes).toString('hex')).toBe(expected);
});

/** Computes CRC-64/NVME bit by bit with BigInt, as defined. */
function slowCrc64(bytes: Uint8Array): string {
  const ones = 0xffff_ffff_ffff_ffffn;
  let crc = ones;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0x9a6c9329ac4bc9b5n : crc >> 1n;
  }
  return (crc ^ ones).toString(16).padStart(16, '0');
}

test('CRC-64, which is computed in two halves of 32 bits, equals its 64-bit definition (INGEST-03)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(digestOf('crc64nvme', bytes).toString('hex')).toBe(slowCrc64(bytes));
    }),
  );
});

const NAMES: DigestName[] = ['md5', 'sha1', 'sha256', 'sha512', 'crc32', 'crc32c', 'crc64nvme'];
test.each(NAMES)('%s of consecutive slices equals the digest of the whole (INGEST-03)', (name) => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), (chunks) => {
      const running = startDigest(name);
      for (const chunk of chunks) running.update(chunk);
      expect(running.value().equals(digestOf(name, Buffer.concat(chunks)))).toBe(true);
    }),
  );
});

test('digestOf computes the same SHA-256 as node:crypto (INGEST-03)', () => {
  expect(digestOf('sha256', CHECK).toString('hex')).toBe(hash('sha256', CHECK));
});
