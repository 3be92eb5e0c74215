import { createCipheriv, randomBytes } from 'node:crypto';

/** As versions before 0019 sealed a value or a token: with SECRETS_KEY itself, and not bound to a place. */
export function sealedUnbound(key: string, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}
