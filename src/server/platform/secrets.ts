import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Encryption with SECRETS_KEY. Each use has its own key, derived from SECRETS_KEY (HKDF), so that a value that was encrypted for
 * one use cannot be decrypted for another.
 */
export type Secrets = {
  /**
   * Encrypts a value of the database (AES-256-GCM: nonce (12) + tag (16) + text). The result can be decrypted only for the same column and
   * row.
   * @param column `table.column`, listed in sealed-columns.ts
   * @param row the row's permanent key
   */
  seal(column: string, row: string | number, text: string): Buffer;
  /** Decrypts a value. @throws when it was encrypted with another key or for another column or row, or has changed */
  open(column: string, row: string | number, sealed: Buffer): string;
  /** Returns an encrypted token for a URL. @param purpose the token can be read for this purpose only */
  token(purpose: string, text: string): string;
  /** Returns the text of a token; undefined: the portal did not make it for this purpose. */
  readToken(purpose: string, token: string): string | undefined;
  /** Returns 32 bytes for another use, such as a keyed hash; the bytes change with `npm run rotate-key`. */
  key(purpose: string): Buffer;
};

/** The key cannot be used; the message says what to do. */
export class SecretsKeyError extends Error {}

const KEY = /^[0-9a-f]{64}$/i;

/**
 * Derives the keys of all uses.
 * @param key SECRETS_KEY: 64 hexadecimal digits
 */
export function deriveSecrets(key: string): Secrets {
  const bytes = Buffer.from(key, 'hex');
  const keyOf = (purpose: string) => Buffer.from(hkdfSync('sha256', bytes, '', `werkstroom ${purpose}`, 32));
  const database = keyOf('database');
  const place = (column: string, row: string | number) => `${column} ${row}`;
  const tokenKeys = new Map<string, Buffer>();
  const tokenKey = (purpose: string) => {
    const known = tokenKeys.get(purpose) ?? keyOf(`token ${purpose}`);
    tokenKeys.set(purpose, known);
    return known;
  };
  return {
    seal: (column, row, text) => encrypt(database, text, place(column, row)),
    open: (column, row, sealed) => decrypt(database, sealed, place(column, row)),
    token: (purpose, text) => encrypt(tokenKey(purpose), text, '').toString('base64url'),
    readToken(purpose, token) {
      try {
        return decrypt(tokenKey(purpose), Buffer.from(token, 'base64url'), '');
      } catch {
        return undefined;
      }
    },
    key: (purpose) => keyOf(`key ${purpose}`),
  };
}

/**
 * Encrypts a text.
 * @param about text that is authenticated but not encrypted; decryption needs the same text
 */
function encrypt(key: Buffer, text: string, about: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Buffer, sealed: Buffer, about: string): string {
  // A shorter value is refused here, because Node would accept a shorter tag.
  if (sealed.length < 28) throw new Error('Nothing that was sealed is that short.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(about));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

const keyFile = (dataDir: string): string => join(dataDir, 'secrets.key');
/** File of the next key during a rotation. The database uses one of the two keys. */
const nextFile = (dataDir: string): string => `${keyFile(dataDir)}.next`;

/** Derives the keys from SECRETS_KEY, else from `${dataDir}/secrets.key` (0600), which is generated when it does not exist. */
export async function openSecrets(configured: string | undefined, dataDir: string): Promise<Secrets> {
  if (configured) return deriveSecrets(configured);
  const file = keyFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  // The key is written to a draft file, which is then linked to its final name. So two processes that start together agree on one
  // key, and a crash leaves no half-written file.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${newKey()}\n`, { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return deriveSecrets((await readKeyFile(dataDir)) ?? '');
}

const newKey = (): string => randomBytes(32).toString('hex');

/** Returns the next key for `${dataDir}/secrets.key`: the key of an earlier attempt, or a new one, which is stored on disk. */
export async function createNextKey(dataDir: string): Promise<string> {
  const known = await readNextKey(dataDir);
  if (known !== undefined) return known;
  const file = await open(`${nextFile(dataDir)}.${process.pid}`, 'w', 0o600);
  const key = newKey();
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${nextFile(dataDir)}.${process.pid}`, nextFile(dataDir));
  await syncFolder(dataDir);
  return key;
}

/** Returns the next key; undefined when no rotation is in progress. @throws SecretsKeyError */
export const readNextKey = (dataDir: string): Promise<string | undefined> => readKey(nextFile(dataDir));

/**
 * Replaces the present key by the next one. The old key is kept under the time of the rotation, because backups need it.
 * @returns the old key's file; undefined when there was none, or the key was replaced already
 */
export async function activateNextKey(dataDir: string, now = new Date()): Promise<string | undefined> {
  if ((await readNextKey(dataDir)) === undefined) return undefined;
  const present = keyFile(dataDir);
  let kept: string | undefined = `${present}.until-${now.toISOString().replaceAll(':', '')}`;
  await link(present, kept).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    kept = undefined;
  });
  await rename(nextFile(dataDir), present);
  await syncFolder(dataDir);
  return kept;
}

/** Returns the key in `${dataDir}/secrets.key`; undefined when the file is absent. @throws SecretsKeyError */
export const readKeyFile = (dataDir: string): Promise<string | undefined> => readKey(keyFile(dataDir));

async function readKey(file: string): Promise<string | undefined> {
  const key = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (key === undefined || KEY.test(key.trim())) return key?.trim();
  throw new SecretsKeyError(`${file} does not hold 64 hexadecimal digits. Restore it from a backup.`);
}

const SAMPLE_AT = ['secrets_check.sealed', 'true'] as const;
const SAMPLE = 'werkstroom';

/**
 * Returns whether this database's secrets were encrypted with this key; the first process that uses a database decides on the key. In
 * a transaction the result stays valid until the transaction ends.
 */
export async function isKeyOfDatabase(db: Database, secrets: Secrets): Promise<boolean> {
  await db.query('insert into secrets_check (sealed) values ($1) on conflict do nothing', [
    secrets.seal(...SAMPLE_AT, SAMPLE),
  ]);
  // Waits for a running rotation of the key.
  const { rows } = await db.query<{ sealed: Buffer }>('select sealed from secrets_check for share');
  return isKeyCheckSample(secrets, rows[0]?.sealed ?? Buffer.alloc(0));
}

export async function storeKeyCheckSample(db: Database, secrets: Secrets): Promise<void> {
  await db.query('update secrets_check set sealed = $1', [secrets.seal(...SAMPLE_AT, SAMPLE)]);
}

/** Returns whether the content of `secrets_check` was encrypted with this key. */
export function isKeyCheckSample(secrets: Secrets, sealed: Buffer): boolean {
  try {
    return secrets.open(...SAMPLE_AT, sealed) === SAMPLE;
  } catch {
    return false;
  }
}
