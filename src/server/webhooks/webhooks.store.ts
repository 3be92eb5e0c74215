import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Webhook } from '#shared/contract/webhooks.ts';
import type { Scope } from '#shared/domain/access.ts';

/** A row of `webhook`. The messages to webhooks are in `webhook_delivery` (deliveries.store.ts). */
export type StoredWebhook = {
  readonly id: number;
  readonly organizationId: number;
  /** The organization's functional name: its name in calls and addresses. */
  readonly organization: string;
  readonly name: string;
  readonly url: string;
  readonly isOn: boolean;
};

const SEALED = 'webhook.secret';

/** Returns the webhooks of an organization, by name. */
export async function listWebhooks(db: Database, organizationId: number): Promise<Webhook[]> {
  type Row = Omit<Webhook, 'arrivedAt' | 'failingSince'> & Record<'arrivedAt' | 'failingSince', Date | null>;
  const { rows } = await db.query<Row>(
    `select w.id as _id, w.name as webhook_name, w.url as webhook_url, w.is_on, w.is_gone,
       count(*) filter (where d.next_try_at is not null)::integer as waiting,
       count(*) filter (where d.id is not null and d.next_try_at is null and d.status between 200 and 299 is not true)::integer
         as given_up,
       d.arrived_at,
       min(greatest(d.asked_at, d.arrived_at)) filter (
         where d.tries > 0 and d.failure is distinct from 'off' and d.tried_at > coalesce(d.arrived_at, '-infinity')
       ) as failing_since
     from webhook w left join lateral (
       select *, max(tried_at) filter (where status between 200 and 299) over () as arrived_at
       from webhook_delivery where webhook_id = w.id
     ) d on true
     where w.organization_id = $1 group by w.id, d.arrived_at order by lower(w.name), w.id`,
    [organizationId],
  );
  return rows.map(({ arrivedAt, failingSince, ...webhook }) => ({
    ...webhook,
    arrivedAt: arrivedAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
  }));
}

/** Returns a webhook; undefined if the scope does not contain it. `lock` locks it until the transaction ends. */
export async function findWebhook(
  db: Database,
  scope: Scope,
  id: number,
  lock: '' | 'for update of w' = '',
): Promise<StoredWebhook | undefined> {
  const { rows } = await db.query<StoredWebhook>(
    `select w.id, w.organization_id, o.name as organization, w.name, w.url, w.is_on
     from webhook w join organization o on o.id = w.organization_id
     where w.id = $1 and ($2::integer[] is null or /*rule:webhook-scope*/ w.organization_id = any ($2) /*=true*/) ${lock}`,
    [id, organizationsParameter(scope)],
  );
  return rows[0];
}

export type NewWebhook = Pick<StoredWebhook, 'organizationId' | 'name' | 'url'> & {
  readonly secret: string;
  /** Id of the account that creates the webhook. */
  readonly madeBy: number;
};

/**
 * Adds a webhook.
 * @returns its id
 */
export async function addWebhook(
  db: Database,
  secrets: Secrets,
  { organizationId, name, url, secret, madeBy }: NewWebhook,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `select unordered_id(nextval(pg_get_serial_sequence('webhook', 'id'))) as id`,
  );
  const id = rows[0]?.id as number;
  await db.query(
    `insert into webhook (id, organization_id, name, url, secret, made_by) overriding system value
     values ($1, $2, $3, $4, $5, $6)`,
    [id, organizationId, name, url, secrets.seal(SEALED, id, secret), madeBy],
  );
  return id;
}

export const changeWebhook = (db: Database, id: number, { name, url }: Pick<StoredWebhook, 'name' | 'url'>) =>
  db.query('update webhook set name = $2, url = $3 where id = $1', [id, name, url]);

export const changeSecret = (db: Database, secrets: Secrets, id: number, secret: string) =>
  db.query('update webhook set secret = $2 where id = $1', [id, secrets.seal(SEALED, id, secret)]);

export const decryptWebhookSecret = (secrets: Secrets, id: number, sealed: Buffer): string =>
  secrets.open(SEALED, id, sealed);

/**
 * Switches a webhook on or off.
 * @param isGone whether the receiver answered 410
 */
export const switchWebhook = (db: Database, id: number, isOn: boolean, isGone = false) =>
  db.query('update webhook set is_on = $2, is_gone = $3 where id = $1', [id, isOn, isGone]);

export const removeWebhook = (db: Database, id: number) =>
  db.query('delete from webhook where id = $1', [id]);
