import { resolve } from 'node:path';
import { readConfig } from '#server/config.ts';
import { writeArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { type Dumped, dump } from './dump.ts';
import { openSource } from './open-database.ts';
import { openPartFile } from './part-file.ts';
import { progressOf } from './progress.ts';
import { fileArgument, runCommand } from './run-command.ts';

const USAGE = `npm run backup -- FILE

  Writes the whole database of DATABASE_URL, or the embedded one in DATA_DIR, into FILE, beside a running portal or without
  one. FILE must not be there. The key (SECRETS_KEY, or secrets.key in DATA_DIR) is not in it: keep that elsewhere.`;

/** `npm run backup -- FILE`. */
await runCommand(async (signal) => {
  const path = resolve(fileArgument(USAGE));
  const config = readConfig(process.env);
  const progress = progressOf('Backup');
  const database = await openSource(config);
  try {
    const file = await openPartFile(path);
    try {
      let dumped: Dumped | undefined;
      const [holder, reader] = [await database.client(), await database.client()];
      async function* parts() {
        dumped = yield* dump(holder, reader, progress.show);
      }
      await writeArchive(parts(), file, signal);
      const { size } = await file.handle.stat();
      await file.keep();
      if (!dumped) throw new BackupError('The backup did not end.');
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
