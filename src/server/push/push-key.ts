import { createECDH } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/** By which push services and browsers know the portal (VAPID, RFC 8292); base64url. */
export type PushKey = { readonly publicKey: string; readonly privateKey: string };

const SEALED_AT = ['push_key.private_key', 'true'] as const;

/** Made at the first start, by one of the processes: with another one every subscription would be lost. */
export async function openPushKey(db: Database, secrets: Secrets): Promise<PushKey> {
  const made = createECDH('prime256v1');
  made.generateKeys();
  // Padded: it may begin with zeros.
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
