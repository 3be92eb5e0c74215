import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DoorUnavailable } from './door-world.ts';

/** `upload-{pid}-{random}.part`: the pid tells a crash's leftover from another server's upload. */
const SPOOL_FILE = /^upload-(\d+)-[0-9a-f]+\.part$/;

/** A file that takes an upload; always removed in the end. */
export type SpoolFile = {
  readonly path: string;
  /** Keeps the bytes until `flush`. */
  write(bytes: Buffer): void;
  flush(): Promise<void>;
  close(): Promise<void>;
  remove(): Promise<void>;
};

/** Makes the directory (0700) and removes what crashed servers left in it. Errors of the file system pass on. */
export async function prepareSpool(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    const owner = SPOOL_FILE.exec(name)?.[1];
    if (owner !== undefined && !isOtherLivingProcess(Number(owner)))
      await rm(join(directory, name), { force: true });
  }
}

/** A new file, readable by the server's user only. @throws DoorUnavailable when the disk refuses (full …) */
export async function openSpoolFile(directory: string): Promise<SpoolFile> {
  const path = join(directory, `upload-${process.pid}-${randomBytes(12).toString('hex')}.part`);
  const handle = await open(path, 'wx', 0o600).catch(unavailable);
  let pending: Buffer[] = [];
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await handle.close().catch(unavailable);
  };
  return {
    path,
    write: (bytes) => void pending.push(bytes),
    flush() {
      const buffers = pending;
      pending = [];
      return writeAll(handle, buffers).catch(unavailable);
    },
    close,
    remove: () => close().finally(() => rm(path, { force: true })),
  };
}

/** `writev` may write less than it was given (disk nearly full, signals). */
async function writeAll(handle: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  const total = buffers.reduce((sum, bytes) => sum + bytes.length, 0);
  const { bytesWritten } = await handle.writev(buffers);
  if (bytesWritten < total) await handle.writeFile(Buffer.concat(buffers).subarray(bytesWritten));
}

function unavailable(cause: unknown): never {
  throw new DoorUnavailable('The spool file cannot be written', { cause });
}

function isOtherLivingProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
