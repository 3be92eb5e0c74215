import { createCipheriv, randomBytes } from 'node:crypto';

/** Seals a value or token as versions before migration 0019 did: with SECRETS_KEY itself, and not bound to its row and column. */
export function sealedUnbound(key: string, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}
