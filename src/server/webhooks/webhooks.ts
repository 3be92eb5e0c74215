import { audit } from '#server/platform/audit.ts';
import { afterCommit, type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { type Outbound, OutboundError } from '#server/platform/outbound.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Warn } from '#server/platform/warn.ts';
import { isTooLate, nextTry, outcomeOf } from '#shared/domain/webhooks.ts';
import {
  addDeliveries,
  askAgain,
  endDeliveries,
  noteTooLate,
  noteTry,
  release,
  type Taken,
  type Tried,
  takeDue,
} from './deliveries.store.ts';
import { signedHeaders } from './signature.ts';
import { openSecret, switchWebhook } from './webhooks.store.ts';

/** What is told to webhooks. */
export type WebhookEvent = {
  /** The receiver's idempotency key: of an id that a webhook was told of, it is told nothing more. */
  readonly id: string;
  /** 'alert.opened', 'alert.closed', 'alert.withdrawn', 'test'. */
  readonly type: string;
  /** ms, when it happened. */
  readonly at: number;
  readonly data: object;
};

export type Webhooks = {
  /** Tells the webhooks of an organization, if it has any that are on: in the caller's transaction when `db` is its client. */
  queue(db: Database, organizationId: number, event: WebhookEvent): Promise<void>;
  /** The same, one of them only. */
  queueFor(db: Database, webhookId: number, event: WebhookEvent): Promise<void>;
  /** Sends a message of the log once more. */
  resend(db: Database, deliveryId: number): Promise<void>;
  /** Sends what is due, and what becomes due meanwhile. Safe to repeat, in every process. */
  look(): Promise<void>;
  /** Leaves what is under way to be sent again. */
  close(): Promise<void>;
};

/** All that who has news needs of them. */
export type WebhookQueue = Pick<Webhooks, 'queue'>;

type WebhookParts = {
  readonly pool: Pool;
  readonly outbound: Outbound;
  readonly secrets: Secrets;
  readonly warn: Warn;
  /** ms */
  readonly now: () => number;
};

const EVERY_MS = 1_000;
/** In this process; a receiver that does not answer holds one of them for 10 s (platform/outbound.ts). */
const AT_ONCE = 32;
/** Who has receivers that do not answer leaves the others' to others. */
const AT_ONCE_OF_ONE = 3;
/** Longer than a try takes: a message of a process that died is sent by another then. */
const TAKEN_MS = 30_000;

/** Sends by rows of the database, which are also the log: by turns of the organizations, which a queue of jobs does not know. */
export function openWebhooks({ pool, outbound, secrets, warn, now }: WebhookParts): Webhooks {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  let taking: Promise<void> = Promise.resolve();

  /** @returns what became of it; undefined: the portal stops */
  async function attempt({ webhookId, url, secret, eventId, body, askedAt, tries }: Taken) {
    const since = performance.now();
    const tried = (answer: Pick<Tried, 'status' | 'failure'>, isDone: boolean): Tried => ({
      ...answer,
      ms: performance.now() - since,
      next: isDone ? undefined : nextTry(askedAt.getTime(), tries + 1, now()),
    });
    try {
      const headers = signedHeaders(openSecret(secrets, webhookId, secret), eventId, now(), body);
      const { status } = await outbound.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Werkstroom', ...headers },
        body,
        signal: closing.signal,
      });
      return tried({ status, failure: null }, outcomeOf(status) !== 'failed');
    } catch (error) {
      if (closing.signal.aborted) return undefined;
      if (!(error instanceof OutboundError)) throw error;
      // A beheerder does not learn which names exist inside the portal's network.
      const failure = error.reason === 'refused' ? 'unreachable' : error.reason;
      return tried({ status: null, failure }, false);
    }
  }

  /** Whatever goes wrong here itself, another look begins anew when it is taken no more. */
  async function send(taken: Taken): Promise<void> {
    const { id, webhookId, askedAt } = taken;
    if (isTooLate(askedAt.getTime(), now())) await noteTooLate(pool, id);
    else {
      const tried = await attempt(taken);
      if (tried) await noteTry(pool, id, tried, now());
      if (tried?.status != null && outcomeOf(tried.status) === 'gone') await switchOff(taken);
    }
    await release(pool, webhookId, now());
  }

  /** Nobody is there any more (410), unless it has another address by now. */
  const switchOff = ({ webhookId, organization, url }: Taken): Promise<void> =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select name from webhook where id = $1 and url = $2 and is_on for update',
        [webhookId, url],
      );
      if (!rows[0]) return;
      await switchWebhook(client, webhookId, false, true);
      await endDeliveries(client, webhookId);
      await audit(client, {
        actor: 'webhook',
        action: 'webhook.switch',
        subject: organization,
        data: rows[0],
        before: { isOn: true },
        after: { isOn: false },
      });
    });

  /** One look at a time; whoever is done looks for the next one. */
  function take(): Promise<void> {
    taking = taking
      .then(async () => {
        const room = AT_ONCE - underWay.size;
        if (room <= 0 || closing.signal.aborted) return;
        for (const taken of await takeDue(pool, now(), now() + TAKEN_MS, room, AT_ONCE_OF_ONE)) {
          const sending = send(taken)
            .catch((error: Error) => warn('A message to a webhook is sent later', error.message))
            .finally(() => underWay.delete(sending))
            .then(take);
          underWay.add(sending);
        }
      })
      .catch((error: Error) => warn('Messages to webhooks are sent later', error.message));
    return taking;
  }

  const queueTo = async (
    db: Database,
    to: Parameters<typeof addDeliveries>[1],
    { id, type, at, data }: WebhookEvent,
  ): Promise<void> => {
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
    await addDeliveries(db, to, { id, type, body }, now());
    afterCommit(db, take);
  };

  const timer = setInterval(take, EVERY_MS).unref();
  return {
    queue: (db, organizationId, event) => queueTo(db, { organizationId }, event),
    queueFor: (db, webhookId, event) => queueTo(db, { webhookId }, event),
    async resend(db, deliveryId) {
      await askAgain(db, deliveryId, now());
      afterCommit(db, take);
    },
    async look() {
      await take();
      while (underWay.size > 0) {
        await Promise.all(underWay);
        await taking;
      }
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      await taking;
      await Promise.all(underWay);
    },
  };
}
