import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { LogError } from './log-outcome.ts';

/**
 * Size of a part of the file. Its decompressed text (up to 1,032 times as large) fits in memory, even for all files that wait to be
 * decoded.
 */
const FILE_PIECE_BYTES = 8 * 1024;
/** Size of a part of the text, small enough that any content is decoded quickly. */
const TEXT_PIECE_BYTES = 4 * 1024;
/** Text up to this size decodes in about a second, so its compression ratio is not limited. */
const FREE_OF_RATIO_BYTES = 16 * 1024 ** 2;

export type TextLimits = {
  /** Largest size of the text after decompression. */
  readonly maxTextBytes: number;
  /** Maximum number of bytes of text per byte of the file, checked above 16 MiB of text; default: no limit. */
  readonly maxRatio?: number;
};

/**
 * Yields the text of a log in small parts; other tasks of the event loop run between them. Gzip is recognized by the first two
 * bytes, whatever the name of the file.
 * @throws LogError 'truncated' or 'corrupt' after the last readable part of a gzip file
 * @throws LogError 'too large' above the limits
 */
export async function* readLogText(
  chunks: AsyncIterable<Uint8Array>,
  { maxTextBytes, maxRatio = Number.POSITIVE_INFINITY }: TextLimits,
  pieceBytes: number = TEXT_PIECE_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  let packed = 0;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of inPieces(chunks)) {
      packed += piece.length;
      yield piece;
    }
  }
  for await (const text of decompressed(counted())) {
    for (const piece of piecesOf(text, pieceBytes)) {
      bytes += piece.length;
      if (bytes > maxTextBytes)
        throw new LogError('too large', {
          kind: 'text-too-large',
          mebibytes: maxTextBytes / 1024 ** 2,
        });
      if (bytes > FREE_OF_RATIO_BYTES && bytes > maxRatio * packed)
        throw new LogError('too large', { kind: 'ratio-too-large', ratio: maxRatio });
      yield piece;
    }
  }
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) yield* piecesOf(chunk, FILE_PIECE_BYTES);
}

function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function* decompressed(
  pieces: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    let head: Uint8Array = new Uint8Array();
    while (head.length < 2) {
      const { done, value } = await pieces.next();
      if (done === true) break;
      head = Buffer.concat([head, value]);
    }
    if (head[0] === 0x1f && head[1] === 0x8b) {
      yield* gunzipped(head, pieces);
    } else {
      yield head;
      yield* pieces;
    }
  } finally {
    await pieces.return(undefined); // closes the file also when the reader stops early
  }
}

async function* gunzipped(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  const ready: Buffer[] = [];
  let failure: unknown;
  gunzip.on('data', (text: Buffer) => ready.push(text));
  const end = finished(gunzip).catch((error: unknown) => {
    failure = error;
  });
  // If garbage follows the gzip data, the stream ends without completing the write, so the write is raced against the end.
  const write = (piece: Uint8Array): Promise<void> =>
    Promise.race([end, new Promise<void>((done) => gunzip.write(piece, () => done()))]);
  try {
    await write(head);
    yield* ready.splice(0);
    for await (const piece of rest) {
      if (gunzip.readableEnded || failure !== undefined) break;
      await write(piece);
      yield* ready.splice(0);
    }
    gunzip.end();
    await end;
    yield* ready.splice(0);
  } finally {
    gunzip.destroy();
  }
  if (failure !== undefined) throw gzipError(failure);
}

function gzipError(cause: unknown): LogError {
  const truncated = cause instanceof Error && 'code' in cause && cause.code === 'Z_BUF_ERROR';
  return truncated
    ? new LogError('truncated', { kind: 'gzip-cut-off' }, { cause })
    : new LogError('corrupt', { kind: 'gzip-damaged' }, { cause });
}

/**
 * Decodes the text of a DBC or CSV header: as UTF-8 if the bytes are valid UTF-8, otherwise as Windows-1252, which programs that
 * write DBC files use in the Netherlands (docs/log-files.md). Removes a byte order mark.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
