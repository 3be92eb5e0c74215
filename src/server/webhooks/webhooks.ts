import { audit } from '#server/platform/audit.ts';
import { afterCommit, type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { type OutboundClient, OutboundError } from '#server/platform/outbound.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import { deliveryOutcomeOf, isDeliveryTooOld, nextRetryAt } from '#shared/domain/webhooks.ts';
import {
  addDeliveries,
  type ClaimedDelivery,
  cancelDeliveries,
  claimDueDelivery,
  type DeliveryAttempt,
  giveUpDelivery,
  recordAttempt,
  releaseWebhookClaim,
  requeueDelivery,
} from './deliveries.store.ts';
import { signedHeaders } from './signature.ts';
import { decryptWebhookSecret, switchWebhook } from './webhooks.store.ts';

/** An event that webhooks are notified of. */
export type WebhookEvent = {
  /** Id by which a receiver recognizes a repeated message (idempotency key). A webhook gets one message per id. */
  readonly id: string;
  /** Kind of event: 'alert.opened', 'alert.closed', 'alert.withdrawn' or 'test'. */
  readonly type: string;
  /** Time of the event, in ms. */
  readonly at: number;
  readonly data: object;
};

export type Webhooks = {
  /** Queues an event for the active webhooks of an organization, in the caller's transaction if `db` is its client. */
  queue(db: Database, organizationId: number, event: WebhookEvent): Promise<void>;
  /** Queues an event for one webhook. */
  queueFor(db: Database, webhookId: number, event: WebhookEvent): Promise<void>;
  /** Sends a message of the log again. */
  resend(db: Database, deliveryId: number): Promise<void>;
  /** Sends due messages, including those that become due meanwhile. Safe to repeat, in every process. */
  sendDue(): Promise<void>;
  /** Stops sending. Messages whose sending was interrupted can be sent by another process immediately. */
  close(): Promise<void>;
};

/** The part of Webhooks that code needs which reports events, such as alerts. */
export type WebhookQueue = Pick<Webhooks, 'queue'>;

type WebhookParts = {
  readonly pool: Pool;
  readonly outbound: OutboundClient;
  readonly secrets: Secrets;
  readonly warn: Warn;
  /** Returns the current time, in ms. */
  readonly now: () => number;
};

const EVERY_MS = 1_000;
/**
 * Maximum number of concurrent requests of this process; a receiver that does not respond occupies one for 10 s
 * (platform/outbound.ts).
 */
const MAX_CONCURRENT = 32;
/** Maximum number of concurrent requests per organization, so that dead receivers cannot delay other organizations. */
const MAX_CONCURRENT_PER_ORGANIZATION = 3;
/** Duration of a claim, longer than an attempt takes. If the process dies, another process sends the message after this time. */
const CLAIM_MS = 30_000;

/**
 * Opens the sender of webhook messages. The queue and the log of messages are the table webhook_delivery, not pg-boss, because the sender
 * must be fair between organizations.
 */
export function openWebhooks({ pool, outbound, secrets, warn, now }: WebhookParts): Webhooks {
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const claims = openSerialQueue();

  /**
   * Makes one attempt to send a message.
   * @returns the result; undefined if the portal is stopping
   */
  async function attempt({ webhookId, url, secret, eventId, body, askedAt, tries }: ClaimedDelivery) {
    const since = performance.now();
    const tried = (
      answer: Pick<DeliveryAttempt, 'status' | 'failure'>,
      isDone: boolean,
    ): DeliveryAttempt => ({
      ...answer,
      ms: performance.now() - since,
      next: isDone ? undefined : nextRetryAt(askedAt.getTime(), tries + 1, now()),
    });
    try {
      const headers = signedHeaders(decryptWebhookSecret(secrets, webhookId, secret), eventId, now(), body);
      const { status } = await outbound.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Werkstroom', ...headers },
        body,
        signal: closing.signal,
      });
      return tried({ status, failure: null }, deliveryOutcomeOf(status) !== 'failed');
    } catch (error) {
      if (closing.signal.aborted) return undefined;
      if (!(error instanceof OutboundError)) throw error;
      // `refused` becomes `unreachable`, so that the result does not disclose which host names exist inside the portal's network.
      const failure = error.reason === 'refused' ? 'unreachable' : error.reason;
      return tried({ status: null, failure }, false);
    }
  }

  /** Sends a claimed message. If this function fails, the message is claimed again when the claim expires. */
  async function send(delivery: ClaimedDelivery): Promise<void> {
    const { id, webhookId, askedAt } = delivery;
    if (isDeliveryTooOld(askedAt.getTime(), now())) await giveUpDelivery(pool, id);
    else {
      const tried = await attempt(delivery);
      if (tried) await recordAttempt(pool, id, tried, now());
      if (tried?.status != null && deliveryOutcomeOf(tried.status) === 'gone') await switchOff(delivery);
    }
    await releaseWebhookClaim(pool, webhookId, now());
  }

  /** Switches a webhook off after its receiver answered 410, unless the webhook's URL has been changed since. */
  const switchOff = ({ webhookId, organization, url }: ClaimedDelivery): Promise<void> =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select name from webhook where id = $1 and url = $2 and is_on for update',
        [webhookId, url],
      );
      if (!rows[0]) return;
      await switchWebhook(client, webhookId, false, true);
      await cancelDeliveries(client, webhookId);
      await audit(client, {
        actor: 'webhook',
        action: 'webhook.switch',
        subject: organization,
        data: rows[0],
        before: { isOn: true },
        after: { isOn: false },
      });
    });

  /** Claims due messages and begins to send them. Claims run one at a time; after each message that was sent, this is called again. */
  function claimAndSend(): Promise<void> {
    return claims
      .run(async () => {
        const room = MAX_CONCURRENT - inFlight.size;
        if (room <= 0 || closing.signal.aborted) return;
        for (const delivery of await claimDueDelivery(
          pool,
          now(),
          now() + CLAIM_MS,
          room,
          MAX_CONCURRENT_PER_ORGANIZATION,
        )) {
          const sending = send(delivery)
            .catch((error: Error) =>
              warn('Sending a webhook message failed; it will be retried', error.message),
            )
            .finally(() => inFlight.delete(sending))
            .then(claimAndSend);
          inFlight.add(sending);
        }
      })
      .catch((error: Error) =>
        warn(`Claiming webhook messages failed; retrying in ${EVERY_MS / 1000} s`, error.message),
      );
  }

  const queueTo = async (
    db: Database,
    to: Parameters<typeof addDeliveries>[1],
    { id, type, at, data }: WebhookEvent,
  ): Promise<void> => {
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
    await addDeliveries(db, to, { id, type, body }, now());
    afterCommit(db, claimAndSend);
  };

  const timer = setInterval(claimAndSend, EVERY_MS).unref();
  return {
    queue: (db, organizationId, event) => queueTo(db, { organizationId }, event),
    queueFor: (db, webhookId, event) => queueTo(db, { webhookId }, event),
    async resend(db, deliveryId) {
      await requeueDelivery(db, deliveryId, now());
      afterCommit(db, claimAndSend);
    },
    async sendDue() {
      await claimAndSend();
      while (inFlight.size > 0) {
        await Promise.all(inFlight);
        await claims.ended();
      }
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      await claims.ended();
      await Promise.all(inFlight);
    },
  };
}
