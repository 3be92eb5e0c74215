import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { giveToFolderOwner } from './data-folder.ts';

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

/** Puts a log over 10 MB aside as `{file}.1`, replacing the one before. Only while no PostgreSQL writes to it. */
export async function rotateLog(file: string): Promise<void> {
  if ((await logSize(file)) > ROTATE_ABOVE_BYTES) await rename(file, `${file}.1`);
}

/** Opened for PostgreSQL's own stdout and stderr; the caller closes it when the program runs. */
export async function openLog(file: string): Promise<FileHandle> {
  const log = await open(file, 'a', 0o600);
  await giveToFolderOwner(file);
  return log;
}

/** Bytes; 0 when there is no log yet. */
export async function logSize(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** What was written since `from` (bytes), at most its last 8 kB. */
export async function logSince(file: string, from: number): Promise<string> {
  const size = await logSize(file);
  const start = Math.max(from, size - TAIL_BYTES);
  if (size <= start) return '';
  const log = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await log.close();
  }
}
