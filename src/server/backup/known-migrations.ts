import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import type { Header } from './dump.ts';

/**
 * That this program can make the schema that the backup's rows fit in.
 * @param folder of this program's migrations
 * @throws BackupError when it does not know one, or knows another one of that name
 */
export async function requireMigrations(folder: string, { app, migrations }: Header): Promise<void> {
  const unknown: string[] = [];
  for (const { name, sha256 } of migrations) {
    const sql = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!sql || createHash('sha256').update(sql).digest('hex') !== sha256) unknown.push(name);
  }
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup was made by another Werkstroom (${app}), whose migrations this one does not have (${unknown.join(', ')}). Restore it with that version or a newer one. Nothing was changed.`,
    );
  }
}
