import { statfs } from 'node:fs/promises';

/** Space of a disk in bytes; `free` is the space that a process without privileges may still use. */
export type DiskSpace = { readonly free: number; readonly all: number };

/** Returns the space of the disk that a folder is on. */
export async function freeSpace(folder: string): Promise<DiskSpace> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return { free: bavail * bsize, all: blocks * bsize };
}
