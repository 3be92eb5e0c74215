import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

/** Encrypts logger secrets in the database: AES-256-GCM, stored as nonce (12) + tag (16) + text. */
export type Secrets = { seal(text: string): Buffer; open(sealed: Buffer): string };

/** The key cannot be used; the message says what to do. */
export class SecretsKeyError extends Error {}

const KEY = /^[0-9a-f]{64}$/i;

/** `key`: 64 hexadecimal digits. `open` throws when the text was sealed with another key, or changed since. */
export function secretsWith(key: string): Secrets {
  const bytes = Buffer.from(key, 'hex');
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', bytes, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** The key of SECRETS_KEY, or the one in `${dataDir}/secrets.key` (0600), made there once. */
export async function openSecrets(configured: string | undefined, dataDir: string): Promise<Secrets> {
  if (configured) return secretsWith(configured);
  const file = join(dataDir, 'secrets.key');
  await mkdir(dataDir, { recursive: true });
  // Written aside and linked: two processes starting at once agree on one key, and a crash leaves none half written.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const key = (await readFile(file, 'utf8')).trim();
  if (!KEY.test(key))
    throw new SecretsKeyError(`${file} does not hold 64 hexadecimal digits. Restore it from a backup.`);
  return secretsWith(key);
}

const SAMPLE = 'werkstroom';

/** Whether this database's secrets were sealed with this key; the first process of a database decides which it is. */
export async function isKeyOf(db: Database, secrets: Secrets): Promise<boolean> {
  await db.query('insert into secrets_check (sealed) values ($1) on conflict do nothing', [
    secrets.seal(SAMPLE),
  ]);
  const { rows } = await db.query<{ sealed: Buffer }>('select sealed from secrets_check');
  return isSealedSample(secrets, rows[0]?.sealed ?? Buffer.alloc(0));
}

/** Whether the content of `secrets_check` was sealed with this key. */
export function isSealedSample(secrets: Secrets, sealed: Buffer): boolean {
  try {
    return secrets.open(sealed) === SAMPLE;
  } catch {
    return false;
  }
}
