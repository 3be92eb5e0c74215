import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '#server/config.ts';
import { migrate } from '#server/platform/migrate.ts';
import { verifyArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { checkKey } from './key.ts';
import { requireMigrations } from './known-migrations.ts';
import { load } from './load.ts';
import { openTarget } from './open-database.ts';
import { progressOf } from './progress.ts';
import { fileArgument, runCommand } from './run-command.ts';
import { dropEmptyQueues, prepareQueues } from './waiting-jobs.ts';

const USAGE = `npm run restore -- FILE

  Fills the empty database of DATABASE_URL, or a new embedded one in DATA_DIR, with a backup that \`npm run backup\` made.
  Put the key of that portal there first: SECRETS_KEY, or secrets.key in DATA_DIR.`;
const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** `npm run restore -- FILE`. Everything that can be known before is checked before anything changes. */
await runCommand(async (signal) => {
  const path = resolve(fileArgument(USAGE));
  const config = readConfig(process.env);
  const { size } = await stat(path).catch((error: Error) => {
    throw new BackupError(`${path} cannot be read: ${error.message}`);
  });

  const checking = progressOf('Checking');
  const { header, queues } = await verifyArchive(path, (done) => {
    signal.throwIfAborted();
    checking.show(done, size);
  }).finally(checking.end);
  await requireMigrations(MIGRATIONS, header);
  const key = await checkKey(config, header.secretsCheck);

  const database = await openTarget(config);
  const loading = progressOf('Restore');
  try {
    if (queues.size > 0) await prepareQueues(database.pool, queues);
    const client = await database.client();
    const loaded = await load(client, path, MIGRATIONS, (done) => {
      signal.throwIfAborted();
      loading.show(done, size);
    });
    await migrate(database.pool, MIGRATIONS);
    await client.query('analyze');
    return [
      `${loaded.rows} rows of ${loaded.tables} tables and ${loaded.jobs} waiting jobs of ${header.madeAt} (Werkstroom ${header.app}, PostgreSQL ${header.postgres}) are restored.`,
      ...(loaded.foreign.length > 0 ? [`Not Werkstroom's, and left out: ${loaded.foreign.join(', ')}.`] : []),
      ...(key === 'fits' ? [] : [noKey(config.DATA_DIR)]),
    ].join('\n');
  } catch (error) {
    await dropEmptyQueues(database.pool).catch(() => {});
    throw error;
  } finally {
    loading.end();
    await database.close();
  }
});

function noKey(dataDir: string): string {
  return `There is no key yet: before you start the portal put the secrets.key that was kept beside this backup into ${dataDir}, or set SECRETS_KEY.`;
}
