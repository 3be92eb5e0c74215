import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { progressOf, runCommand } from '#server/command.ts';
import { readConfig } from '#server/config.ts';
import { audit } from '#server/platform/audit.ts';
import type { Pool } from '#server/platform/database.ts';
import { syncFolder } from '#server/platform/sync-folder.ts';
import { tellRows } from '#server/tell-rows.ts';
import { writeArchive } from './archive.ts';
import { BackupError, fileArgument } from './backup-error.ts';
import { type Dumped, dump } from './dump.ts';
import { openSource } from './open-database.ts';

const USAGE = `npm run backup -- FILE

  Writes the whole database into FILE, beside a running portal or without one. The database is that of DATABASE_URL, read as
  the owner of its tables (MIGRATION_DATABASE_URL), or the embedded one in DATA_DIR. FILE must not be there. The key (SECRETS_KEY, or secrets.key in DATA_DIR) is not in it: keep that elsewhere.`;

/** `npm run backup -- FILE`. */
await runCommand(async (signal) => {
  const path = resolve(fileArgument(USAGE));
  const config = readConfig(process.env);
  const progress = progressOf('Backup');
  tellRows(config);
  const database = await openSource(config);
  try {
    const file = await openPartFile(path);
    try {
      let dumped: Dumped | undefined;
      const [holder, reader] = [await database.client(), await database.client()];
      async function* parts() {
        dumped = yield* dump(holder, reader, progress.show);
      }
      await writeArchive(parts(), file.handle, signal);
      const { size } = await file.handle.stat();
      await noteBackup(database.pool, size);
      await file.keep();
      if (!dumped) throw new BackupError('The backup did not end.');
      await noteSuccess(database.pool);
      return `${path}: ${dumped.rows} rows of ${dumped.tables} tables and ${dumped.jobs} waiting jobs, ${size} bytes.`;
    } catch (error) {
      await file.discard();
      throw error;
    }
  } finally {
    progress.end();
    await database.close();
  }
});

/** All that the portal has goes out. A database of another version, or one that only reads, is backed up all the same. */
async function noteBackup(pool: Pool, size: number): Promise<void> {
  const entry = { actor: 'npm run backup', action: 'database.backup', subject: '' } as const;
  await audit(pool, { ...entry, data: { size }, organizationId: null }).catch((error: Error) => {
    process.stderr.write(`This backup is not in the log of the database: ${error.message}\n`);
  });
}

/** By which administrators are told when the last one is old (docs/alerts.md). */
async function noteSuccess(pool: Pool): Promise<void> {
  await pool
    .query('insert into backup_made (at) values (now()) on conflict (id) do update set at = now()')
    .catch((error: Error) => {
      process.stderr.write(`The portal does not know of this backup: ${error.message}\n`);
    });
}

/** A file that gets its name when it is whole; until then it is `FILE.part`. */
type PartFile = {
  readonly handle: FileHandle;
  /** Written to the disk, and named. @throws BackupError, file errors */
  keep(): Promise<void>;
  /** As if it had never been. */
  discard(): Promise<void>;
};

/** Only its owner may read it: it holds what people trusted the portal with. @throws BackupError */
async function openPartFile(path: string): Promise<PartFile> {
  const part = `${path}.part`;
  const refuseExisting = () => {
    if (existsSync(path))
      throw new BackupError(`${path} is there already: choose another name, nothing is written over.`);
  };
  refuseExisting();
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
