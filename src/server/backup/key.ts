import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { isSealedSample, secretsWith } from '#server/platform/secrets.ts';
import { BackupError } from './backup-error.ts';

/**
 * Whether the settings' key (SECRETS_KEY, else secrets.key in DATA_DIR) opens what the backup holds sealed.
 * @param secretsCheck of the backup's header
 * @returns `absent`: there is no key yet
 * @throws BackupError when there is one and it is another
 */
export async function checkKey(
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
    isSealedSample(secretsWith(key.trim()), Buffer.from(secretsCheck, 'base64'))
  )
    return 'fits';
  throw new BackupError(
    `${SECRETS_KEY ? 'SECRETS_KEY' : file} is not the key that the secrets in this backup were sealed with: no logger could report. Put the key there that was kept beside this backup. Nothing was changed.`,
  );
}
