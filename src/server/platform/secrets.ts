import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * What is made with SECRETS_KEY. Each use has a key of its own, derived from it (HKDF), so that what is meant for one
 * opens nothing of another.
 */
export type Secrets = {
  /**
   * Encrypts a value of the database (AES-256-GCM: nonce (12) + tag (16) + text), bound to where it stands.
   * @param column `table.column`, one of sealed-columns.ts
   * @param row what names the row for as long as the value is there
   */
  seal(column: string, row: string | number, text: string): Buffer;
  /** @throws when it was sealed with another key or for another place, or changed since */
  open(column: string, row: string | number, sealed: Buffer): string;
  /** A text that only we can make and read, for an address. @param purpose what it is for: it opens nothing else */
  token(purpose: string, text: string): string;
  /** @throws when it is no token of ours for that purpose */
  readToken(purpose: string, token: string): string;
  /** 32 bytes for anything else, such as a keyed hash; others after `npm run rotate-key`. */
  key(purpose: string): Buffer;
  /** As values were sealed before they were bound to their row; nothing is sealed so any more. @throws as open */
  openUnbound(sealed: Buffer): string;
};

/** The key cannot be used; the message says what to do. */
export class SecretsKeyError extends Error {}

const KEY = /^[0-9a-f]{64}$/i;

/** `key`: 64 hexadecimal digits. */
export function secretsWith(key: string): Secrets {
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
    readToken: (purpose, token) => decrypt(tokenKey(purpose), Buffer.from(token, 'base64url'), ''),
    key: (purpose) => keyOf(`key ${purpose}`),
    openUnbound: (sealed) => decrypt(bytes, sealed, ''),
  };
}

/** @param about is not encrypted, but has to be the same again */
function encrypt(key: Buffer, text: string, about: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Buffer, sealed: Buffer, about: string): string {
  // Node takes a shorter tag for a tag too.
  if (sealed.length < 28) throw new Error('Nothing that was sealed is that short.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(about));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

const keyFile = (dataDir: string): string => join(dataDir, 'secrets.key');
/** The new key, while one takes the place of another: one of both is the database's. */
const nextFile = (dataDir: string): string => `${keyFile(dataDir)}.next`;

/** The key of SECRETS_KEY, or the one in `${dataDir}/secrets.key` (0600), made there once. */
export async function openSecrets(configured: string | undefined, dataDir: string): Promise<Secrets> {
  if (configured) return secretsWith(configured);
  const file = keyFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  // Written aside and linked: two processes starting at once agree on one key, and a crash leaves none half written.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${newKey()}\n`, { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return secretsWith((await readKeyFile(dataDir)) ?? '');
}

const newKey = (): string => randomBytes(32).toString('hex');

/** The key that is to take the place of the one in `${dataDir}/secrets.key`: of an attempt before, else made now, on disk. */
export async function nextKey(dataDir: string): Promise<string> {
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

/** undefined: no key is about to take the place of another. @throws SecretsKeyError */
export const readNextKey = (dataDir: string): Promise<string | undefined> => readKey(nextFile(dataDir));

/**
 * Puts the next key in the place of the present one, which is kept under its instant: backups need it.
 * @returns where; undefined: there was none, or this was done already
 */
export async function putNextKey(dataDir: string, now = new Date()): Promise<string | undefined> {
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

/** @returns the key in `${dataDir}/secrets.key`; undefined: there is no such file. @throws SecretsKeyError */
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
 * Whether this database's secrets were sealed with this key; the first process of a database decides which it is.
 * `unbound`: they were, before values were bound to their row. In a transaction the answer holds until its end.
 */
export async function isKeyOf(db: Database, secrets: Secrets): Promise<boolean | 'unbound'> {
  await db.query('insert into secrets_check (sealed) values ($1) on conflict do nothing', [
    secrets.seal(...SAMPLE_AT, SAMPLE),
  ]);
  // Waits for a rotation of the key that is under way.
  const { rows } = await db.query<{ sealed: Buffer }>('select sealed from secrets_check for share');
  return isSealedSample(secrets, rows[0]?.sealed ?? Buffer.alloc(0));
}

export async function sealSample(db: Database, secrets: Secrets): Promise<void> {
  await db.query('update secrets_check set sealed = $1', [secrets.seal(...SAMPLE_AT, SAMPLE)]);
}

/** Whether the content of `secrets_check` was sealed with this key; `unbound` as in isKeyOf. */
export function isSealedSample(secrets: Secrets, sealed: Buffer): boolean | 'unbound' {
  const opens = (open: () => string) => {
    try {
      return open() === SAMPLE;
    } catch {
      return false;
    }
  };
  return (
    opens(() => secrets.open(...SAMPLE_AT, sealed)) || (opens(() => secrets.openUnbound(sealed)) && 'unbound')
  );
}
