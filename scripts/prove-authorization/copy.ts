import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The working tree as it is now, what git does not know yet included, with the same packages. */
export async function copyTree(from: string, to: string): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: from,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of new Set(stdout.split('\0').filter(Boolean))) {
    await mkdir(join(to, dirname(file)), { recursive: true });
    // A file that was removed is still listed until that is committed.
    await cp(join(from, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(from, 'node_modules'), join(to, 'node_modules'));
}
