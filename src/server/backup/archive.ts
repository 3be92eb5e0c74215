import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type DumpCounts,
  type DumpedTableHeader,
  type DumpedTableTrailer,
} from './dump.ts';
import { type BackupFrame, CUT_OFF_MESSAGE, DAMAGED_MESSAGE, readFrames } from './frames.ts';
import type { Sequence } from './tables.ts';
import type { WaitingJob } from './waiting-jobs.ts';

/** Compresses a dump into a file. @param parts the frames that dumpDatabase() yields */
export async function writeArchive(
  parts: AsyncIterable<Buffer>,
  file: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  await pipeline(
    parts,
    compress,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await file.writeFile(chunk);
    },
    { signal },
  );
}

/** A part of a backup. Its `rows` must be read before the next part is requested. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | {
      readonly kind: 'table';
      readonly table: DumpedTableHeader;
      rows(): AsyncGenerator<Buffer, DumpedTableTrailer>;
    }
  | { readonly kind: 'jobs'; readonly jobs: readonly WaitingJob[] }
  | { readonly kind: 'sequences'; readonly sequences: readonly Sequence[] };

/**
 * Reads a backup from its file, in order. Only the checksum at the end shows that the parts before it are intact.
 * @param progress receives the number of bytes read
 * @throws BackupError if the file is no backup, is truncated or damaged, or has a newer format
 */
export async function* readArchive(
  path: string,
  progress: (done: number) => void,
): AsyncGenerator<BackupPart> {
  const frames = readFrames(decompressed(path, progress));
  try {
    for (let first = true; ; first = false) {
      const { value: frame, done } = await frames.next();
      if (done) return;
      if (first !== (frame.kind === 'H')) throw new BackupError(DAMAGED_MESSAGE);
      if (frame.kind === 'H') yield { kind: 'header', header: headerOf(frame) };
      else if (frame.kind === 'J') yield { kind: 'jobs', jobs: json(frame) as WaitingJob[] };
      else if (frame.kind === 'S') yield { kind: 'sequences', sequences: json(frame) as Sequence[] };
      else if (frame.kind === 'T') {
        yield { kind: 'table', table: json(frame) as DumpedTableHeader, rows: () => rowsOf(frames) };
      } else throw new BackupError(DAMAGED_MESSAGE);
    }
  } finally {
    await frames.return(undefined);
  }
}

async function* rowsOf(frames: AsyncGenerator<BackupFrame>): AsyncGenerator<Buffer, DumpedTableTrailer> {
  for (;;) {
    const { value: frame, done } = await frames.next();
    if (done) throw new BackupError(CUT_OFF_MESSAGE);
    if (frame.kind === 'E') return json(frame) as DumpedTableTrailer;
    if (frame.kind !== 'D') throw new BackupError(DAMAGED_MESSAGE);
    yield frame.body;
  }
}

function headerOf(frame: BackupFrame): BackupHeader {
  const header = json(frame) as BackupHeader;
  if (header.format > BACKUP_FORMAT) {
    throw new BackupError(
      `The backup was made by a newer Werkstroom (${header.app}, format ${header.format}; this one reads ${BACKUP_FORMAT}). Restore it with that version.`,
    );
  }
  return header;
}

function json({ body }: BackupFrame): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new BackupError(DAMAGED_MESSAGE);
  }
}

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function* decompressed(path: string, progress: (done: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const out = createZstdDecompress();
  const whole = pipeline(
    file,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (read === 0 && !chunk.subarray(0, 4).equals(MAGIC)) {
          throw new BackupError(`${path} is no backup of Werkstroom.`);
        }
        read += chunk.length;
        progress(read);
        yield chunk;
      }
    },
    out,
  );
  // The error is ignored here, because the loop over `out` below throws it.
  whole.catch(() => {});
  try {
    yield* out as AsyncIterable<Buffer>;
    await whole;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new BackupError(CUT_OFF_MESSAGE);
    if (/^(ZSTD|Z)_/.test(code)) throw new BackupError(DAMAGED_MESSAGE);
    if (/^E[A-Z]+$/.test(code)) throw new BackupError(`${path} cannot be read: ${message}`);
    throw error;
  } finally {
    file.destroy();
  }
}

/** Header and counts of an intact backup. */
export type BackupContents = DumpCounts & {
  readonly header: BackupHeader;
  /** Names of the queues with waiting jobs. */
  readonly queues: ReadonlySet<string>;
};

/** Reads a whole backup, and so verifies it. @param progress receives the number of bytes read @throws BackupError as readArchive */
export async function verifyArchive(path: string, progress: (done: number) => void): Promise<BackupContents> {
  let header: BackupHeader | undefined;
  const queues = new Set<string>();
  const tables = new Set<string>();
  let [rows, jobs] = [0, 0];
  for await (const part of readArchive(path, progress)) {
    if (part.kind === 'header') header = part.header;
    else if (part.kind === 'jobs') {
      for (const { name } of part.jobs) queues.add(name);
      jobs += part.jobs.length;
    } else if (part.kind === 'table') {
      tables.add(part.table.table);
      rows += await rowsOfTable(part.rows());
    }
  }
  if (!header) throw new BackupError(CUT_OFF_MESSAGE);
  return { header, queues, rows, tables: tables.size, jobs };
}

/** Reads a table to its end, and returns its number of rows. */
async function rowsOfTable(bodies: AsyncGenerator<Buffer, DumpedTableTrailer>): Promise<number> {
  for (;;) {
    const { value, done } = await bodies.next();
    if (done) return value.rows;
  }
}
