import { constants, inflateSync } from 'node:zlib';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';

/**
 * Maximum number of unpacked bytes: writers compress 128 KiB (BLF) or 4 MiB (MF4) at a time. The event loop is blocked for about
 * 50 ms while so many bytes are decompressed and decoded.
 */
export const MAX_UNPACKED_BYTES = 8 * 1024 ** 2;
const MIN_CHUNK_BYTES = 4 * 1024;
const MAX_CHUNK_BYTES = 1024 ** 2;

/**
 * Decompresses a zlib stream; for a truncated stream, the part before the cut. Returns undefined when the stream is damaged or
 * contains more bytes than stated.
 * @throws LogError 'too large' for more bytes than a writer packs
 */
export function decompressBlock(packed: Uint8Array, statedBytes: number): Uint8Array | undefined {
  requireAllowedUnpackedSize(statedBytes);
  try {
    return inflateSync(packed, {
      maxOutputLength: Math.max(statedBytes, 1),
      chunkSize: Math.min(Math.max(statedBytes, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES),
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch {
    return undefined;
  }
}

/** Checks a number of unpacked bytes. @throws LogError 'too large' for more bytes than a writer packs */
export function requireAllowedUnpackedSize(bytes: number): void {
  if (bytes <= MAX_UNPACKED_BYTES) return;
  throw new LogError('too large', {
    kind: 'packed-block-too-large',
    mebibytes: MAX_UNPACKED_BYTES / 1024 ** 2,
  });
}
