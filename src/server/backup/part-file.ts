import { constants } from 'node:fs';
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from './backup-error.ts';

/** A file that gets its name when it is whole; until then it is `FILE.part`. */
export type PartFile = {
  readonly handle: FileHandle;
  /** Written to the disk, and named. @throws BackupError, file errors */
  keep(): Promise<void>;
  /** As if it had never been. */
  discard(): Promise<void>;
};

const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );

/** Only its owner may read it: it holds what people trusted the portal with. @throws BackupError */
export async function openPartFile(path: string): Promise<PartFile> {
  const part = `${path}.part`;
  const refuseExisting = async () => {
    if (await exists(path))
      throw new BackupError(`${path} is there already: choose another name, nothing is written over.`);
  };
  await refuseExisting();
  const handle = await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      error.code === 'EEXIST'
        ? `${part} is there: another backup is being written, or one was broken off. Remove it, or choose another name.`
        : `${path} cannot be written: ${error.message}`,
    );
  });
  return {
    handle,
    async keep() {
      await handle.sync();
      await handle.close();
      await refuseExisting();
      await rename(part, path);
      await syncFolder(dirname(path));
    },
    async discard() {
      await handle.close().catch(() => {});
      await rm(part, { force: true });
    },
  };
}

/** A rename survives a power cut when its folder is written too; Windows cannot and need not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
