import { createECDH, hash } from 'node:crypto';
import webPush from 'web-push';
import type { Database } from '#server/platform/database.ts';
import { type OutboundClient, OutboundError } from '#server/platform/outbound.ts';
import { retryAfterMs } from '#server/platform/retry-after.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Warn } from '#server/platform/warn.ts';
import { type PushNotice, pushPayload } from '#shared/domain/push-notice.ts';
import {
  deleteDevice,
  findPushDevices,
  type PushTargetDevice,
  recordPushDelivered,
  recordPushFailed,
} from './push-devices.store.ts';

/** Sends notifications to people's devices. */
export type PushSender = {
  /** Public key for a browser's subscription (`applicationServerKey`). */
  readonly publicKey: string;
  /**
   * Sends a notification to the devices of an account that have not received it. Removes devices that their push service no longer knows.
   * Safe to repeat.
   * @returns the number of devices that have received it
   * @throws PushRetryLater if a device can still receive it later
   */
  send(accountId: number, notice: PushNotice, options?: PushOptions): Promise<number>;
};

export type PushOptions = {
  /** Sends only to the device of this session. */
  readonly sessionId?: number;
};

/** A device has not received the notification: retry after `afterMs` at the earliest. */
export class PushRetryLater extends Error {
  override readonly name = 'PushRetryLater';
  readonly afterMs: number;
  constructor(afterMs: number) {
    super(`A push service accepts nothing now; retry in ${Math.ceil(afterMs / 1000)} s`);
    this.afterMs = afterMs;
  }
}

type PushParts = {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly outbound: OutboundClient;
  readonly publicUrl: string;
  readonly warn: Warn;
  /** Returns the current time, in ms. */
  readonly now: () => number;
};

/** A device that is off for longer misses the notification. */
const TTL_S = 24 * 3_600;
/** Delay of a retry if the push service gives none. */
const LATER_MS = 60_000;

/**
 * Outcome of a delivery attempt: undefined if it succeeded, a number of milliseconds until a retry, or 'never' if it was
 * permanently refused.
 */
type Outcome = undefined | number | 'never';

export async function openPushSender({
  db,
  secrets,
  outbound,
  publicUrl,
  warn,
  now,
}: PushParts): Promise<PushSender> {
  const { publicKey, privateKey } = await openPushKey(db, secrets);
  const vapidDetails = { subject: contactOf(publicUrl), publicKey, privateKey };

  async function deliver(device: PushTargetDevice, notice: PushNotice): Promise<Outcome> {
    if (device.hasReceived) return undefined;
    if (device.waitMs > 0) return device.waitMs;
    const { headers, body } = webPush.generateRequestDetails(device, pushPayload(notice), {
      vapidDetails,
      TTL: TTL_S,
      urgency: notice.urgent ? 'high' : 'normal',
      topic: topicOf(notice.tag),
    });
    const asked = { method: 'POST', headers: textsOf(headers), body };
    const answer = await outbound.fetch(device.endpoint, asked).catch((error: unknown) => {
      if (error instanceof OutboundError) return error;
      throw error;
    });
    if (answer instanceof Response && answer.ok) {
      await recordPushDelivered(db, device, notice.id);
      return undefined;
    }
    if (answer instanceof Response && (answer.status === 404 || answer.status === 410)) {
      await deleteDevice(db, device);
      return 'never';
    }
    const outcome = outcomeOf(answer, now());
    await recordPushFailed(db, device, outcome === 'never' ? null : outcome);
    // The log omits the path of the endpoint, because the path is the secret that allows sending to the device.
    const why = answer instanceof Response ? answer.status : answer.reason;
    warn('A push service did not accept a notification', `${new URL(device.endpoint).host}: ${why}`);
    return outcome;
  }

  return {
    publicKey,
    async send(accountId, notice, { sessionId } = {}) {
      const devices = await findPushDevices(db, accountId, notice.id, sessionId);
      const outcomes = await Promise.all(devices.map((device) => deliver(device, notice)));
      const waits = outcomes.filter((outcome) => typeof outcome === 'number');
      if (waits.length > 0) throw new PushRetryLater(Math.min(...waits));
      return outcomes.filter((outcome) => outcome === undefined).length;
    },
  };
}

/** Returns the outcome of a refused or failed request. */
function outcomeOf(answer: Response | OutboundError, now: number): number | 'never' {
  if (answer instanceof OutboundError) return answer.reason === 'refused' ? 'never' : LATER_MS;
  const { status, headers } = answer;
  if (status !== 408 && status !== 429 && status < 500) return 'never';
  return retryAfterMs(headers.get('retry-after'), now) ?? LATER_MS;
}

/** Returns the contact for push services (RFC 8292 section 2.1): an https address, or a mail address. */
const contactOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:noreply@${new URL(publicUrl).hostname}`;

/**
 * Returns the topic of a push message, at most 32 base64url characters: a newer notification with the same topic replaces one that is still
 * queued.
 */
const topicOf = (tag: string): string => hash('sha256', tag, 'base64url').slice(0, 32);

const textsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The key pair by which push services and browsers identify the portal (VAPID, RFC 8292); base64url. */
type PushKey = { readonly publicKey: string; readonly privateKey: string };

const SEALED_AT = ['push_key.private_key', 'true'] as const;

/** Returns the key pair. The first process to start stores it, because another key would make every subscription invalid. */
async function openPushKey(db: Database, secrets: Secrets): Promise<PushKey> {
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
