import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { crc32c } from './crc32c.ts';
import { type Crc64, crc64nvme } from './crc64nvme.ts';

/** What the door can compute over a body. xxHash, which newer SDKs offer on request, is not among them. */
export type DigestName = 'md5' | 'sha1' | 'sha256' | 'sha512' | 'crc32' | 'crc32c' | 'crc64nvme';

/** A digest that grows with the body. `value()` is big-endian bytes, to be asked once. */
export type RunningDigest = { update(bytes: Uint8Array): void; value(): Buffer };

/** The digest of bytes that are all there. */
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

/** A digest of bytes that come in pieces. */
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
