import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { WebhookDelivery } from '#shared/contract/webhooks.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { WebhookFailure } from '#shared/domain/webhooks.ts';

/** Rows of `webhook_delivery`: the queue of messages, and the log of sent ones. */

/** Maximum number of rows of the log that are shown. */
const SHOWN = 100;
const KEPT_DAYS = 30;

/**
 * Queues a message for all active webhooks of an organization, or for one. Repeating a call with the same id changes nothing.
 * @param at the time in ms at which the message is queued
 */
export const addDeliveries = (
  db: Database,
  to: { readonly organizationId: number } | { readonly webhookId: number },
  { id, type, body }: { readonly id: string; readonly type: string; readonly body: string },
  at: number,
) =>
  db.query(
    `insert into webhook_delivery (webhook_id, event_id, type, body, asked_at, next_try_at)
     select w.id, $3, $4, $5, $6, $6 from webhook w join organization o on o.id = w.organization_id
     where (/*rule:webhook-organization*/ w.organization_id = $1 /*=$1::int > 0*/ or w.id = $2) and w.is_on and o.is_active
     on conflict do nothing`,
    [
      'organizationId' in to ? to.organizationId : null,
      'webhookId' in to ? to.webhookId : null,
      id,
      type,
      body,
      new Date(at),
    ],
  );

export async function listDeliveries(db: Database, organizationId: number): Promise<WebhookDelivery[]> {
  type Row = Omit<WebhookDelivery, 'askedAt' | 'triedAt' | 'nextTryAt'> &
    Record<'triedAt' | 'nextTryAt', Date | null> & { askedAt: Date };
  const { rows } = await db.query<Row>(
    `select d.id as _id, w.name as webhook_name, d.event_id as event, d.type, d.body, d.asked_at, d.tries,
       d.tried_at, d.next_try_at, d.status, d.failure, d.ms as took
     from webhook_delivery d join webhook w on w.id = d.webhook_id
     where w.organization_id = $1 order by d.asked_at desc, d.made_nth desc limit $2`,
    [organizationId, SHOWN],
  );
  return rows.map(({ askedAt, triedAt, nextTryAt, ...row }) => ({
    ...row,
    askedAt: askedAt.toISOString(),
    triedAt: triedAt?.toISOString() ?? null,
    nextTryAt: nextTryAt?.toISOString() ?? null,
  }));
}

/** Returns the webhook to which a message of the log was sent; undefined if that webhook is not in the scope. */
export async function findWebhookOfDelivery(
  db: Database,
  scope: Scope,
  id: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ webhookId: number }>(
    `select d.webhook_id from webhook_delivery d join webhook w on w.id = d.webhook_id
     where d.id = $1 and ($2::integer[] is null or w.organization_id = any ($2))`,
    [id, organizationsParameter(scope)],
  );
  return rows[0]?.webhookId;
}

/**
 * Queues a message again, as if it were new.
 * @param at the time in ms at which the message is queued
 */
export const requeueDelivery = (db: Database, id: number, at: number) =>
  db.query(
    `update webhook_delivery set asked_at = $2, next_try_at = $2, tries = 0, status = null, failure = null, ms = null
     where id = $1`,
    [id, new Date(at)],
  );

/** Cancels the pending messages of a webhook that was switched off. */
export const cancelDeliveries = (db: Database, webhookId: number) =>
  db.query(
    `update webhook_delivery set next_try_at = null, status = null, failure = 'off'
     where webhook_id = $1 and next_try_at is not null`,
    [webhookId],
  );

/** A message that this process has claimed. */
export type ClaimedDelivery = {
  readonly id: number;
  readonly webhookId: number;
  /** The organization's functional name: its name in calls and addresses. */
  readonly organization: string;
  readonly url: string;
  /** The webhook's secret, encrypted. */
  readonly secret: Buffer;
  readonly eventId: string;
  readonly body: string;
  /** When the message was queued. */
  readonly askedAt: Date;
  readonly tries: number;
};

/**
 * Claims due messages, those that have waited longest first: one per webhook, and at most `perOrganization` per organization. No process
 * can claim a message of that webhook again until releaseWebhookClaim() is called or `until` has passed.
 * @param now the present time in ms
 * @param until the time in ms at which the claim expires
 */
export async function claimDueDelivery(
  db: Database,
  now: number,
  until: number,
  most: number,
  perOrganization: number,
): Promise<ClaimedDelivery[]> {
  const { rows } = await db.query<ClaimedDelivery>(
    `with due as (
       select w.id, w.organization_id, w.taken_until, row_number() over (partition by w.organization_id order by w.taken_until, w.id)
         + (select count(*) from webhook b where b.organization_id = w.organization_id and b.taken_until > $1) as place
       from webhook w join organization o on o.id = w.organization_id and o.is_active
       where w.is_on and w.taken_until <= $1
         and exists (select from webhook_delivery d where d.webhook_id = w.id and d.next_try_at <= $1)
     ), free as (
       select w.id from webhook w join due on due.id = w.id
       where due.place <= $4 and w.taken_until <= $1 order by w.taken_until, w.id limit $3 for update of w skip locked
     ), taken as (
       update webhook w set taken_until = $2 from free where w.id = free.id returning w.*
     )
     select d.id, t.id as webhook_id, o.name as organization, t.url, t.secret, d.event_id, d.body,
       d.asked_at, d.tries
     from taken t join organization o on o.id = t.organization_id cross join lateral (
       select * from webhook_delivery d where d.webhook_id = t.id and d.next_try_at <= $1 order by d.next_try_at, d.made_nth limit 1
     ) d`,
    [new Date(now), new Date(until), most, perOrganization],
  );
  return rows;
}

/**
 * Releases a webhook, so that its next message can be claimed.
 * @param now the present time in ms, from which the waiting time of its next message counts
 */
export const releaseWebhookClaim = (db: Database, webhookId: number, now: number) =>
  db.query('update webhook set taken_until = $2 where id = $1', [webhookId, new Date(now)]);

/** The result of an attempt to send a message. */
export type DeliveryAttempt = {
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  readonly ms: number;
  /** Time of the next attempt in ms; undefined: there is none. */
  readonly next: number | undefined;
};

/**
 * Records an attempt; does not schedule another one if the message was cancelled meanwhile.
 * @param now the present time in ms
 */
export const recordAttempt = (
  db: Database,
  id: number,
  { status, failure, ms, next }: DeliveryAttempt,
  now: number,
) =>
  db.query(
    `update webhook_delivery set tries = tries + 1, tried_at = $2, status = $3, failure = $4, ms = $5,
       next_try_at = case when next_try_at is not null then $6::timestamptz end
     where id = $1`,
    [id, new Date(now), status, failure, Math.round(ms), next === undefined ? null : new Date(next)],
  );

/** Gives up a message that could not be sent within the time limit. */
export const giveUpDelivery = (db: Database, id: number) =>
  db.query(`update webhook_delivery set next_try_at = null, status = null, failure = 'late' where id = $1`, [
    id,
  ]);

/** Deletes finished messages after KEPT_DAYS. */
export const expireDeliveries = async (db: Database): Promise<void> =>
  void (await db.query(
    `delete from webhook_delivery where next_try_at is null and asked_at < now() - make_interval(days => $1)`,
    [KEPT_DAYS],
  ));
