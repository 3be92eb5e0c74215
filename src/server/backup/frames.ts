import { createHash } from 'node:crypto';
import { BackupError } from './backup-error.ts';

/**
 * Kind of a frame. An uncompressed backup is a sequence of frames: one byte for the kind, four bytes for the length (big endian),
 * content. H: header (JSON). For each table T: start (JSON), D: rows in COPY's binary format, E: end (JSON). J: waiting jobs
 * (JSON). S: sequences (JSON). Z: the SHA-256 of all frames before it.
 */
export type BackupFrameKind = 'H' | 'T' | 'D' | 'E' | 'J' | 'S' | 'Z';
export type BackupFrame = { readonly kind: BackupFrameKind; readonly body: Buffer };

const KINDS: ReadonlySet<string> = new Set<BackupFrameKind>(['H', 'T', 'D', 'E', 'J', 'S', 'Z']);
export const DAMAGED_MESSAGE = 'The backup is damaged: its checksum does not fit.';
export const CUT_OFF_MESSAGE = 'The backup was cut off: its end is missing.';
const TOO_LONG = 'The backup is damaged: it continues after its end.';
const HEAD_BYTES = 5;
/** Maximum length of a frame; no part of a backup comes near it. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** Encodes frames, and finally the frame with their checksum. */
export class FrameWriter {
  readonly #hash = createHash('sha256');

  frame(kind: Exclude<BackupFrameKind, 'Z'>, body: Buffer): Buffer {
    const frame = bytesOf(kind, body);
    this.#hash.update(frame);
    return frame;
  }

  json(kind: Exclude<BackupFrameKind, 'Z' | 'D'>, value: unknown): Buffer {
    return this.frame(kind, Buffer.from(JSON.stringify(value)));
  }

  end(): Buffer {
    return bytesOf('Z', this.#hash.digest());
  }
}

function bytesOf(kind: BackupFrameKind, body: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.write(kind, 0, 'latin1');
  frame.writeUInt32BE(body.length, 1);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

/**
 * Yields the frames of a backup, and checks the last one, the checksum.
 * @throws BackupError if the file is no backup, is truncated or damaged
 */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupFrame> {
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  let ended = false;
  for await (const chunk of chunks) {
    if (ended && chunk.length > 0) throw new BackupError(TOO_LONG);
    waiting.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let bytes = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting, size);
    for (;;) {
      needed = HEAD_BYTES;
      if (bytes.length < needed) break;
      const kind = bytes.toString('latin1', 0, 1);
      const length = bytes.readUInt32BE(1);
      if (!KINDS.has(kind) || length > MAX_FRAME_BYTES) throw new BackupError(DAMAGED_MESSAGE);
      needed += length;
      if (bytes.length < needed) break;
      const frame = bytes.subarray(0, needed);
      bytes = bytes.subarray(needed);
      const body = frame.subarray(HEAD_BYTES);
      if (kind === 'Z') {
        if (!body.equals(hash.digest())) throw new BackupError(DAMAGED_MESSAGE);
        if (bytes.length > 0) throw new BackupError(TOO_LONG);
        ended = true;
        break;
      }
      hash.update(frame);
      yield { kind: kind as BackupFrameKind, body };
    }
    waiting = bytes.length > 0 ? [bytes] : [];
    size = bytes.length;
  }
  if (!ended) throw new BackupError(CUT_OFF_MESSAGE);
}
