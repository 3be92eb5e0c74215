import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { audit } from '#server/platform/audit.ts';
import type { Pool } from '#server/platform/database.ts';
import { syncFolder } from '#server/platform/sync-folder.ts';
import { verifyArchive, writeArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { recordVerifiedBackup } from './backup-made.store.ts';
import { type DumpCounts, dumpDatabase } from './dump.ts';
import type { BackupDatabase } from './open-database.ts';

export type MadeBackup = DumpCounts & { readonly bytes: number };

/**
 * Writes a backup while the portal runs, verifies it, and then renames it, so that a file of that name is always complete. After
 * an error no file is left.
 * @param path absolute path of a file that does not exist
 * @param by actor of the row in the log
 * @param dueAt ms; time of the schedule, for a scheduled backup
 * @param note receives a warning if the backup could not be recorded in the database, for example because it is read-only
 * @throws BackupError, errors of PostgreSQL and of files
 */
export async function makeBackup(
  database: Pick<BackupDatabase, 'pool' | 'client'>,
  path: string,
  {
    signal,
    progress,
    by,
    dueAt,
    note,
  }: {
    readonly signal: AbortSignal;
    readonly progress: (done: number, total: number) => void;
    readonly by: string;
    readonly dueAt?: number;
    readonly note: (sentence: string) => void;
  },
): Promise<MadeBackup> {
  const file = await openPartFile(path);
  try {
    const [holder, reader] = [await database.client(), await database.client()];
    let dumped: DumpCounts | undefined;
    async function* parts() {
      dumped = yield* dumpDatabase(holder, reader, progress);
    }
    await writeArchive(parts(), file.handle, signal);
    await file.handle.sync();
    const { size } = await file.handle.stat();
    const read = await verifyArchive(file.part, () => signal.throwIfAborted());
    if (!dumped || read.rows !== dumped.rows || read.jobs !== dumped.jobs)
      throw new BackupError(
        'The backup does not hold what was written to it. Check the disk and start it again.',
      );
    await noteInLog(database.pool, by, size, note);
    await file.keep();
    await recordVerifiedBackup(database.pool, dueAt).catch((error: Error) =>
      note(`The backup could not be recorded in the database: ${error.message}`),
    );
    return { ...dumped, bytes: size };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function noteInLog(
  pool: Pool,
  actor: string,
  size: number,
  note: (sentence: string) => void,
): Promise<void> {
  const entry = {
    actor,
    action: 'database.backup',
    subject: '',
    data: { size },
    organizationId: null,
  } as const;
  await audit(pool, entry).catch((error: Error) =>
    note(`This backup is not in the log of the database: ${error.message}`),
  );
}

/** A file that is called `FILE.part` until it is complete. */
type PartFile = {
  readonly handle: FileHandle;
  readonly part: string;
  /** Renames the file to its final name. @throws BackupError, file errors */
  keep(): Promise<void>;
  discard(): Promise<void>;
};

/** Creates a file that only its owner may read, since it holds personal data. @throws BackupError, file errors */
async function openPartFile(path: string): Promise<PartFile> {
  const part = `${path}.part`;
  const refuseExisting = () => {
    if (existsSync(path))
      throw new BackupError(`${path} is there already: choose another name, nothing is written over.`);
  };
  refuseExisting();
  const handle = await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const message =
      error.code === 'EEXIST'
        ? `${part} is there: another backup is being written, or one was broken off. Remove it, or choose another name.`
        : `${path} cannot be written: ${error.message}`;
    throw new BackupError(message, { cause: error });
  });
  return {
    handle,
    part,
    async keep() {
      await handle.close();
      refuseExisting();
      await rename(part, path);
      await syncFolder(dirname(path));
    },
    async discard() {
      await handle.close().catch(() => {});
      await rm(part, { force: true });
    },
  };
}
