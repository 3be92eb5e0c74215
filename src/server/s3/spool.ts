import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EndpointUnavailable } from './upload-backend.ts';

/**
 * Names of leftovers in the directory: `upload-….part` files whose process died between creating and unlinking them, and `{pid}` folders of
 * earlier versions of the portal, which did not unlink their files.
 */
const LEFTOVER = /^(?:upload-[0-9a-f]+\.part|\d+)$/;
const LEFTOVER_MS = 24 * 3600_000;
const READ_BYTES = 64 * 1024;

/**
 * A file that receives an upload. It is unlinked as soon as it is open. So the system frees it whatever happens to the process, and no
 * other process can mistake it for a leftover.
 */
type SpoolFile = {
  /** Buffers the bytes until `flush`. */
  write(bytes: Buffer): void;
  /** Resolves when all bytes so far are in the file. @throws EndpointUnavailable, also in later calls */
  flush(): Promise<void>;
  /** Returns all flushed bytes, any number of times before `remove`. */
  read(): AsyncIterable<Buffer>;
  /** Releases the file; always called at the end, possibly more than once. */
  remove(): Promise<void>;
};

/** Creates the directory (0700) and removes files that a crash may have left. Passes on errors of the file system. */
export async function prepareSpool(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (!LEFTOVER.test(name)) continue;
    const path = join(directory, name);
    // Another process may have just removed the leftover.
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (changed !== undefined && changed < Date.now() - LEFTOVER_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Opens a new file, readable by the server's user only. @throws EndpointUnavailable when the disk refuses (full …) */
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

/** Yields the content of a file. Node's own read stream would close the file for all readers when one of them stops early. */
async function* contentOf(handle: FileHandle): AsyncIterable<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Writes all buffers: `writev` alone may write only a part of them (disk nearly full, signals). */
async function writeAll(handle: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  const total = buffers.reduce((sum, bytes) => sum + bytes.length, 0);
  const { bytesWritten } = await handle.writev(buffers);
  if (bytesWritten < total) await handle.writeFile(Buffer.concat(buffers).subarray(bytesWritten));
}

function unavailable(cause: unknown): never {
  if (cause instanceof EndpointUnavailable) throw cause;
  throw new EndpointUnavailable('The spool file cannot be written', { cause });
}
