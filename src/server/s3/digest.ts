import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Digests that the upload endpoint supports. It does not support xxHash, which newer SDKs offer on request. */
export type DigestName = 'md5' | 'sha1' | 'sha256' | 'sha512' | 'crc32' | 'crc32c' | 'crc64nvme';

/** A digest that is updated with the body. `value()` returns big-endian bytes and may be called once. */
export type RunningDigest = { update(bytes: Uint8Array): void; value(): Buffer };

/** Returns the digest of bytes that are complete. */
export function digestOf(name: DigestName, bytes: Uint8Array): Buffer {
  switch (name) {
    case 'crc32':
      return uint32(crc32(bytes));
    case 'crc32c':
      return uint32(crc32c(bytes));
    case 'crc64nvme':
      return uint64(crc64nvme(bytes));
    default:
      return hash(name, bytes, 'buffer');
  }
}

/** Starts a digest of bytes that arrive in chunks. */
export function startDigest(name: DigestName): RunningDigest {
  if (name === 'crc64nvme') {
    let crc: Crc64 = { high: 0, low: 0 };
    return {
      update(bytes) {
        crc = crc64nvme(bytes, crc);
      },
      value: () => uint64(crc),
    };
  }
  if (name === 'crc32' || name === 'crc32c') {
    const step = name === 'crc32' ? crc32 : crc32c;
    let crc = 0;
    return {
      update(bytes) {
        crc = step(bytes, crc);
      },
      value: () => uint32(crc),
    };
  }
  const running = createHash(name);
  return { update: (bytes) => void running.update(bytes), value: () => running.digest() };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint64({ high, low }: Crc64): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(high, 0);
  bytes.writeUInt32BE(low, 4);
  return bytes;
}

/** CRC-32C (Castagnoli): RFC 3720 appendix B.4, reflected polynomial 0x82F63B78; check value 0xE3069283. */
const CRC32C = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0x82f63b78 : remainder >>> 1;
  return remainder;
});

/**
 * Returns the CRC-32C of bytes.
 * @param previous the result over the preceding bytes; 0 for the first bytes
 * @returns unsigned 32 bits
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous;
  for (let i = 0; i < bytes.length; i++) crc = CRC32C[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A 64-bit remainder as two unsigned halves, because BigInt would cost a hundred times as much per byte. */
type Crc64 = { readonly high: number; readonly low: number };

/**
 * CRC-64/NVME (NVM Express, NVM Command Set 5.2.1.3.4): reflected polynomial 0x9A6C9329AC4BC9B5, initial value and
 * final XOR all ones; check value 0xAE8B14860A799888.
 */
const POLYNOMIAL_HIGH = 0x9a6c9329;
const POLYNOMIAL_LOW = 0xac4bc9b5;

const CRC64_HIGH = new Int32Array(256);
const CRC64_LOW = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    const odd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (odd) {
      low ^= POLYNOMIAL_LOW;
      high ^= POLYNOMIAL_HIGH;
    }
  }
  CRC64_HIGH[byte] = high;
  CRC64_LOW[byte] = low;
}

/**
 * Returns the CRC-64/NVME of bytes.
 * @param previous the result over the preceding bytes
 */
export function crc64nvme(bytes: Uint8Array, previous: Crc64 = { high: 0, low: 0 }): Crc64 {
  let high = ~previous.high;
  let low = ~previous.low;
  for (let i = 0; i < bytes.length; i++) {
    const index = (low ^ bytes[i]!) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ CRC64_LOW[index]!;
    high = (high >>> 8) ^ CRC64_HIGH[index]!;
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}
