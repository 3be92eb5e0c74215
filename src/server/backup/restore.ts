import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beginCommand, createProgressLine, runCommand } from '#server/command.ts';
import type { Config } from '#server/config.ts';
import { audit } from '#server/platform/audit.ts';
import { migrate } from '#server/platform/migrate.ts';
import { deriveSecrets, isKeyCheckSample } from '#server/platform/secrets.ts';
import { SCHEMA } from '#server/schema.ts';
import { readSettings } from '#server/settings.ts';
import { verifyArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { requireMigrations, restoreDatabase } from './load.ts';
import { openRestoreTarget } from './open-database.ts';
import { dropEmptyJobTables, prepareQueues } from './waiting-jobs.ts';

const USAGE = `npm run restore -- FILE

  Fills an empty database with a backup that \`npm run backup\` made: that of DATABASE_URL, as its owner (MIGRATION_DATABASE_URL),
  or a new embedded one in DATA_DIR.
  Put the key of that portal there first: SECRETS_KEY, or secrets.key in DATA_DIR.`;

/** Returns the path on the command line. @throws BackupError with the usage of the command */
function fileArgument(words: readonly string[]): string {
  const [file, ...more] = words;
  if (!file || file.startsWith('-') || more.length > 0) throw new BackupError(USAGE);
  return file;
}

/** Runs `npm run restore -- FILE`. Checks the file, the key and the database before it changes anything. */
await runCommand(async (signal) => {
  const settings = readSettings();
  const { config, words } = settings;
  const path = resolve(fileArgument(words));
  const { size } = await stat(path).catch((error: Error) => {
    throw new BackupError(`${path} cannot be read: ${error.message}`);
  });

  const checking = createProgressLine('Checking');
  const { header, queues } = await verifyArchive(path, (done) => {
    signal.throwIfAborted();
    checking.show(done, size);
  }).finally(checking.end);
  await requireMigrations(SCHEMA.migrations, header);
  const key = await checkKey(config, header.secretsCheck);

  beginCommand(settings);
  const database = await openRestoreTarget(config);
  const loading = createProgressLine('Restore');
  try {
    if (queues.size > 0) await prepareQueues(database.pool, queues);
    const client = await database.client();
    const loaded = await restoreDatabase(client, path, SCHEMA, config.CELLS, (done) => {
      signal.throwIfAborted();
      loading.show(done, size);
    });
    await migrate(database.pool, SCHEMA);
    await client.query('analyze');
    const entry = { actor: 'npm run restore', action: 'database.restore', subject: '' } as const;
    await audit(database.pool, { ...entry, data: { madeAt: header.madeAt }, organizationId: null });
    return [
      `${loaded.rows} rows of ${loaded.tables} tables and ${loaded.jobs} waiting jobs of ${header.madeAt} (Werkstroom ${header.app}, PostgreSQL ${header.postgres}) are restored.`,
      ...(loaded.foreign.length > 0 ? [`Not Werkstroom's, and left out: ${loaded.foreign.join(', ')}.`] : []),
      ...(key === 'fits' ? [] : [noKey(config.DATA_DIR)]),
    ].join('\n');
  } catch (error) {
    await dropEmptyJobTables(database.pool).catch(() => {});
    throw error;
  } finally {
    loading.end();
    await database.close();
  }
});

function noKey(dataDir: string): string {
  return `There is no key yet: before you start the portal put the secrets.key that was kept beside this backup into ${dataDir}, or set SECRETS_KEY.`;
}

/**
 * Checks whether the key of the settings (SECRETS_KEY, else secrets.key in DATA_DIR) decrypts the secrets of the backup.
 * @param secretsCheck the encrypted sample in the backup's header
 * @returns `absent` if there is no key yet
 * @throws BackupError if the key does not decrypt them
 */
async function checkKey(
  { SECRETS_KEY, DATA_DIR }: Config,
  secretsCheck: string | null,
): Promise<'fits' | 'absent'> {
  if (secretsCheck === null) return 'fits';
  const file = join(DATA_DIR, 'secrets.key');
  const key =
    SECRETS_KEY ??
    (await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new BackupError(`${file} cannot be read: ${error.message}`);
    }));
  if (key === undefined) return 'absent';
  if (
    /^[0-9a-f]{64}$/i.test(key.trim()) &&
    isKeyCheckSample(deriveSecrets(key.trim()), Buffer.from(secretsCheck, 'base64'))
  )
    return 'fits';
  throw new BackupError(
    `${SECRETS_KEY ? 'SECRETS_KEY' : file} is not the key that the secrets in this backup were sealed with: no logger could report. Put the key there that was kept beside this backup. Nothing was changed.`,
  );
}
