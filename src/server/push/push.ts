import { hash } from 'node:crypto';
import webPush from 'web-push';
import type { Database } from '#server/platform/database.ts';
import { type Outbound, OutboundError } from '#server/platform/outbound.ts';
import { retryAfterMs } from '#server/platform/retry-after.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Warn } from '#server/platform/warn.ts';
import { type PushNotice, pushPayload } from '#shared/domain/push-notice.ts';
import { type Device, devicesFor, noteFailed, noteTaken, removeDead } from './push-devices.store.ts';
import { openPushKey } from './push-key.ts';

/** What somebody is told, on the devices where they want it. */
export type Push = {
  /** By which a browser knows the portal (`applicationServerKey`). */
  readonly publicKey: string;
  /**
   * Safe to repeat: a device that has it does not get it again.
   * @returns how many devices have it; one whose push service knows it no more is removed
   * @throws PushLater when a device may still take it
   */
  send(accountId: number, notice: PushNotice, options?: PushOptions): Promise<number>;
};

export type PushOptions = {
  /** To the device of this sign-in alone. */
  readonly sessionId?: number;
};

/** A device has it not yet: try again, not before `afterMs`. */
export class PushLater extends Error {
  override readonly name = 'PushLater';
  readonly afterMs: number;
  constructor(afterMs: number) {
    super(`A push service takes nothing now, but may in ${Math.ceil(afterMs / 1000)} s`);
    this.afterMs = afterMs;
  }
}

type PushParts = {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly publicUrl: string;
  readonly warn: Warn;
  /** ms */
  readonly now: () => number;
};

/** A device that is off for longer gets nothing of it any more. */
const TTL_S = 24 * 3_600;
/** Where a push service does not say when. */
const LATER_MS = 60_000;

/** What became of it: undefined, it is there; a number, in so many ms it may be; 'never', no more. */
type Outcome = undefined | number | 'never';

export async function openPush({ db, secrets, outbound, publicUrl, warn, now }: PushParts): Promise<Push> {
  const { publicKey, privateKey } = await openPushKey(db, secrets);
  const vapidDetails = { subject: contactOf(publicUrl), publicKey, privateKey };

  async function deliver(device: Device, notice: PushNotice): Promise<Outcome> {
    if (device.hasTaken) return undefined;
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
      await noteTaken(db, device, notice.id);
      return undefined;
    }
    if (answer instanceof Response && (answer.status === 404 || answer.status === 410)) {
      await removeDead(db, device);
      return 'never';
    }
    const outcome = outcomeOf(answer, now());
    await noteFailed(db, device, outcome === 'never' ? null : outcome);
    // Without the path: who knows it can send to the device.
    const why = answer instanceof Response ? answer.status : answer.reason;
    warn('A push service took no notification', `${new URL(device.endpoint).host}: ${why}`);
    return outcome;
  }

  return {
    publicKey,
    async send(accountId, notice, { sessionId } = {}) {
      const devices = await devicesFor(db, accountId, notice.id, sessionId);
      const outcomes = await Promise.all(devices.map((device) => deliver(device, notice)));
      const waits = outcomes.filter((outcome) => typeof outcome === 'number');
      if (waits.length > 0) throw new PushLater(Math.min(...waits));
      return outcomes.filter((outcome) => outcome === undefined).length;
    },
  };
}

/** Of an answer that did not take it, or none. */
function outcomeOf(answer: Response | OutboundError, now: number): number | 'never' {
  if (answer instanceof OutboundError) return answer.reason === 'refused' ? 'never' : LATER_MS;
  const { status, headers } = answer;
  if (status !== 408 && status !== 429 && status < 500) return 'never';
  return retryAfterMs(headers.get('retry-after'), now) ?? LATER_MS;
}

/** Whom a push service may turn to (RFC 8292 section 2.1): an https address, or one of mail. */
const contactOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:noreply@${new URL(publicUrl).hostname}`;

/** At most 32 characters of base64url: what waits at the push service gives way to a newer one of the thread. */
const topicOf = (tag: string): string => hash('sha256', tag, 'base64url').slice(0, 32);

const textsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
