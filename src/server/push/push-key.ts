import { createECDH } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/** The key pair by which push services and browsers identify the portal (VAPID, RFC 8292); base64url. */
export type PushKey = { readonly publicKey: string; readonly privateKey: string };

const SEALED_AT = ['push_key.private_key', 'true'] as const;

/** Returns the key pair. The first process to start stores it: with another key every subscription would be lost. */
export async function openPushKey(db: Database, secrets: Secrets): Promise<PushKey> {
  const made = createECDH('prime256v1');
  made.generateKeys();
  // Padded to 32 bytes, because getPrivateKey() drops leading zeros.
  const drawn = Buffer.concat([Buffer.alloc(32), made.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  await db.query('insert into push_key (private_key) values ($1) on conflict do nothing', [
    secrets.seal(...SEALED_AT, drawn),
  ]);
  const { rows } = await db.query<{ sealed: Buffer }>('select private_key as sealed from push_key');
  const privateKey = secrets.open(...SEALED_AT, rows[0]?.sealed ?? Buffer.alloc(0));
  const key = createECDH('prime256v1');
  key.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return { publicKey: key.getPublicKey('base64url'), privateKey };
}
