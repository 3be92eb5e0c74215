import { createHmac, randomBytes } from 'node:crypto';

/**
 * Signs messages according to Standard Webhooks (https://www.standardwebhooks.com), so that receivers can verify them with a
 * library.
 */

const PREFIX = 'whsec_';
/** Size of a secret in bytes; the standard requires 24 to 64. */
const SECRET_BYTES = 32;

export const generateWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * Returns the headers with which a receiver verifies the sender and the content of a message.
 * @param now time of this attempt, in ms
 */
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
