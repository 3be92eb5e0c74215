import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EndpointUnavailable } from './upload-backend.ts';

/**
 * What may be in the directory: a file whose process died in the moment between its making and the loss of its name,
 * and the `{pid}` folders of versions whose files kept their names.
 */
const LEFTOVER = /^(?:upload-[0-9a-f]+\.part|\d+)$/;
const LEFTOVER_MS = 24 * 3600_000;
const READ_BYTES = 64 * 1024;

/**
 * A file that takes an upload. It has no name: whatever becomes of its process, the system frees it, and no other
 * process can mistake it for a leftover.
 */
type SpoolFile = {
  /** Keeps the bytes until `flush`. */
  write(bytes: Buffer): void;
  /** Resolves when all that was written so far is in the file. @throws EndpointUnavailable, then and ever after */
  flush(): Promise<void>;
  /** All that was flushed, from the beginning; any number of times before `remove`. */
  read(): AsyncIterable<Buffer>;
  /** Always, in the end; also more than once. */
  remove(): Promise<void>;
};

/** Makes the directory (0700) and removes what a crash may have left. Errors of the file system pass on. */
export async function prepareSpool(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (!LEFTOVER.test(name)) continue;
    const path = join(directory, name);
    // Another process may have taken it away just now.
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (changed !== undefined && changed < Date.now() - LEFTOVER_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** A new file, of the server's user only. @throws EndpointUnavailable when the disk refuses (full …) */
export async function openSpoolFile(directory: string): Promise<SpoolFile> {
  const handle = await openNameless(join(directory, `upload-${randomBytes(12).toString('hex')}.part`)).catch(
    unavailable,
  );
  let pending: Buffer[] = [];
  let flushed: Promise<void> = Promise.resolve();
  let closed: Promise<void> | undefined;
  return {
    write: (bytes) => void pending.push(bytes),
    flush() {
      const buffers = pending;
      pending = [];
      if (buffers.length > 0) flushed = flushed.then(() => writeAll(handle, buffers)).catch(unavailable);
      return flushed;
    },
    read: () => contentOf(handle),
    remove() {
      closed ??= handle.close();
      return closed;
    },
  };
}

async function openNameless(path: string): Promise<FileHandle> {
  const handle = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** node's own stream of a file closes it for all others when its reader stops early. */
async function* contentOf(handle: FileHandle): AsyncIterable<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** `writev` may write less than it was given (disk nearly full, signals). */
async function writeAll(handle: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  const total = buffers.reduce((sum, bytes) => sum + bytes.length, 0);
  const { bytesWritten } = await handle.writev(buffers);
  if (bytesWritten < total) await handle.writeFile(Buffer.concat(buffers).subarray(bytesWritten));
}

function unavailable(cause: unknown): never {
  if (cause instanceof EndpointUnavailable) throw cause;
  throw new EndpointUnavailable('The spool file cannot be written', { cause });
}
