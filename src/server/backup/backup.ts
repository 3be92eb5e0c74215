import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { beginCommand, createProgressLine, runCommand } from '#server/command.ts';
import { SCHEMA } from '#server/schema.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { verifyArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { requireMigrations } from './load.ts';
import { makeBackup } from './make-backup.ts';
import { openDatabaseToBackUp } from './open-database.ts';

const USAGE = `npm run backup -- FILE
npm run backup -- --verify FILE

  Writes the whole database into FILE, beside a running portal or without one, and reads it back. The database is that of
  DATABASE_URL, read as the owner of its tables (MIGRATION_DATABASE_URL), or the embedded one in DATA_DIR. FILE must not be there.
  The key (SECRETS_KEY, or secrets.key in DATA_DIR) is not in it: keep that elsewhere.

  --verify reads an existing backup, and checks that it is intact and that this version can restore it.`;

function readArguments(words: string[]): { file: string; isToVerify: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { verify: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file && more.length === 0) return { file: resolve(file), isToVerify: values.verify };
  } catch {}
  throw new BackupError(USAGE);
}

/** Runs `npm run backup -- FILE` and `npm run backup -- --verify FILE`. */
await runCommand(async (signal) => {
  const settings = readSettings();
  const { file, isToVerify } = readArguments(settings.words);
  return isToVerify ? verify(file, signal) : backup(settings, file, signal);
});

async function backup(settings: Settings, path: string, signal: AbortSignal): Promise<string> {
  const progress = createProgressLine('Backup');
  beginCommand(settings);
  const database = await openDatabaseToBackUp(settings.config);
  try {
    const { rows, tables, jobs, bytes } = await makeBackup(database, path, {
      signal,
      progress: progress.show,
      by: 'npm run backup',
      note: (sentence) => process.stderr.write(`${sentence}\n`),
    });
    return `${path}: ${rows} rows of ${tables} tables and ${jobs} waiting jobs, ${bytes} bytes, read back.`;
  } finally {
    progress.end();
    await database.close();
  }
}

async function verify(path: string, signal: AbortSignal): Promise<string> {
  const { header, rows, tables, jobs } = await verifyArchive(path, () => signal.throwIfAborted());
  await requireMigrations(SCHEMA.migrations, header);
  return `${path} is whole: ${rows} rows of ${tables} tables and ${jobs} waiting jobs of ${header.madeAt} (Werkstroom ${header.app}, PostgreSQL ${header.postgres}).`;
}
