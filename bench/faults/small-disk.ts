import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchContext } from '../context.ts';
import { FaultSkipped } from './fault.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;

/** A disk that can be filled to its last byte. */
export type SmallDisk = {
  fill(): Promise<void>;
  /** Removes the file that filled the disk. */
  free(): Promise<void>;
};

/**
 * Mounts a disk of `mib` MiB at `folder`, which exists and is empty. Unmounts it when the context closes.
 * @throws FaultSkipped where mounting is not allowed
 */
export async function mountSmallDisk(context: BenchContext, folder: string, mib: number): Promise<SmallDisk> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'werkstroom-faults', folder]).catch(
    (error: Error) => {
      throw new FaultSkipped(
        `a disk of our own cannot be mounted here: ${error.message.split('\n').at(-2) ?? ''}`,
      );
    },
  );
  // Detaches at once (`--lazy`), because a process that is ending may still have a file open on the disk.
  context.onClose(() => run('umount', ['--lazy', folder]));
  const filler = join(folder, 'filler');
  return {
    async fill() {
      const file = await open(filler, 'a', 0o600);
      try {
        for (let block = Buffer.alloc(MIB); block.length > 0; ) {
          try {
            const { bytesWritten } = await file.write(block);
            if (bytesWritten === 0) break;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            // Fills the last bytes by ever smaller writes.
            block = block.subarray(0, Math.floor(block.length / 2));
          }
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
  };
}
