import { createHmac, randomBytes } from 'node:crypto';

/** As Standard Webhooks signs (https://www.standardwebhooks.com), so that a receiver can check by a library. */

const PREFIX = 'whsec_';
/** Of the 24 to 64 that the standard asks. */
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** What says from whom a message is, and that it is this one. @param now ms, of this try */
export function signedHeaders(
  secret: string,
  id: string,
  now: number,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1_000);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
