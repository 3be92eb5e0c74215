import { type Caller, SESSION_IS_VALID_SQL } from '#server/auth/sessions.ts';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound, ProblemError, unauthenticated } from '#server/platform/problem.ts';
import type { PushDevice } from '#shared/contract/push.ts';
import { describeUserAgent } from '#shared/domain/browser-text.ts';

/** Maximum number of an account's devices that receive notifications: at most one per session, deleted with the session. */
const MOST = 10;

/** A browser's push subscription. */
export type BrowserPushSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/** Returns the caller's devices, the calling one first. */
export async function listDevices(db: Database, { accountId, session }: Caller): Promise<PushDevice[]> {
  const { rows } = await db.query<{
    id: number;
    userAgent: string;
    since: Date;
    lastSent: Date | null;
    hasFailed: boolean;
  }>(
    `select s.id, s.user_agent, p.created_at as since, p.sent_at as last_sent,
       p.failed_at is not null and p.failed_at > coalesce(p.sent_at, '-infinity') as has_failed
     from push_subscription p join session s on s.id = p.session_id
       join account a on a.id = s.account_id join organization o on o.id = a.organization_id
     where ${SESSION_IS_VALID_SQL} and /*rule:push-own*/ s.account_id = $1 /*=$1::integer is not null*/ order by s.id = $2 desc, p.created_at desc, s.id`,
    [accountId, session.id],
  );
  return rows.map(({ id, userAgent, since, lastSent, hasFailed }) => ({
    id,
    device: describeUserAgent(userAgent) || 'Onbekend apparaat',
    since: since.toISOString(),
    lastSent: lastSent?.toISOString() ?? null,
    hasFailed,
    isOwn: id === session.id,
  }));
}

/**
 * Subscribes the caller's session. A browser that belonged to another session or account now belongs to the caller's. Safe to repeat.
 * @throws ProblemError 409 too many
 */
export const subscribeToPush = (
  pool: Pool,
  { accountId, email, session }: Caller,
  { endpoint, keys }: BrowserPushSubscription,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    // Serializes concurrent subscriptions of one account and of one browser.
    await client.query('select from account where id = $1 for no key update', [accountId]);
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [
      ADVISORY_LOCK_KEYS.pushEndpoint,
      endpoint,
    ]);
    await client.query('delete from push_subscription where endpoint = $1 and session_id <> $2', [
      endpoint,
      session.id,
    ]);
    const { rows: others } = await client.query<{ n: number }>(
      `select count(*)::int as n from push_subscription p join session s on s.id = p.session_id
       where s.account_id = $1 and s.id <> $2`,
      [accountId, session.id],
    );
    if ((others[0]?.n ?? 0) >= MOST)
      throw new ProblemError(
        'conflict',
        `Je krijgt al meldingen op ${MOST} apparaten. Haal er eerst een weg.`,
      );
    const { rowCount } = await client.query(
      `insert into push_subscription as p (session_id, endpoint, p256dh, auth)
       select id, $2, $3, $4 from (select id from session where id = $1 for key share) as still
       on conflict (session_id) do update set endpoint = $2, p256dh = $3, auth = $4, failed_at = null, wait_until = null`,
      [session.id, endpoint, keys.p256dh, keys.auth],
    );
    // The session ended in the meantime.
    if (rowCount !== 1) throw unauthenticated();
    await audit(client, { actor: email, action: 'push.subscribe', subject: email, data: {} });
  });

/**
 * Ends notifications on one of the caller's devices.
 * @throws ProblemError 404 the caller has no such device
 */
export const unsubscribeFromPush = (pool: Pool, { accountId, email }: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `delete from push_subscription p using session s
       where s.id = p.session_id and p.session_id = $1 and s.account_id = $2`,
      [id, accountId],
    );
    if (rowCount !== 1) throw notFound('Dit apparaat krijgt geen meldingen.');
    await audit(client, { actor: email, action: 'push.unsubscribe', subject: email, data: {} });
  });

/** A device to send a notification to. */
export type PushTargetDevice = BrowserPushSubscription & {
  readonly sessionId: number;
  /** Time until the push service accepts requests again. */
  readonly waitMs: number;
  readonly hasReceived: boolean;
};

/**
 * Returns the devices of an account's valid sessions.
 * @param only the id of a session: only the device of this session is returned; undefined: all devices
 */
export async function findPushDevices(
  db: Database,
  accountId: number,
  noticeId: string,
  only: number | undefined,
): Promise<PushTargetDevice[]> {
  const { rows } = await db.query<PushTargetDevice>(
    `select p.session_id, p.endpoint, jsonb_build_object('p256dh', p.p256dh, 'auth', p.auth) as keys,
       greatest(coalesce(extract(epoch from p.wait_until - now()) * 1000, 0), 0)::float8 as wait_ms,
       exists (select from push_taken t where t.session_id = p.session_id and t.notice_id = $2) as has_received
     from push_subscription p join session s on s.id = p.session_id
       join account a on a.id = s.account_id join organization o on o.id = a.organization_id
     where ($3::integer is null or s.id = $3) and s.account_id = $1 and ${SESSION_IS_VALID_SQL}
     order by p.session_id`,
    [accountId, noticeId, only ?? null],
  );
  return rows;
}

/** The subscription to which a notification was sent. The device may have a newer subscription by now. */
type Sent = Pick<PushTargetDevice, 'sessionId' | 'endpoint'>;
const SENT = 'session_id = $1 and endpoint = $2';

export async function recordPushDelivered(
  db: Database,
  { sessionId, endpoint }: Sent,
  noticeId: string,
): Promise<void> {
  await db.query(
    `with sent as (
       update push_subscription set sent_at = now(), wait_until = null where ${SENT} returning session_id
     )
     insert into push_taken (session_id, notice_id) select session_id, $3 from sent on conflict do nothing`,
    [sessionId, endpoint, noticeId],
  );
}

export async function recordPushFailed(
  db: Database,
  { sessionId, endpoint }: Sent,
  waitMs: number | null,
): Promise<void> {
  await db.query(
    `update push_subscription set failed_at = now(), wait_until = now() + $3::float8 * interval '1 millisecond' where ${SENT}`,
    [sessionId, endpoint, waitMs],
  );
}

export async function deleteDevice(db: Database, { sessionId, endpoint }: Sent): Promise<void> {
  await db.query(`delete from push_subscription where ${SENT}`, [sessionId, endpoint]);
}

/** Deletes the records of notifications that a device received more than 3 days ago, because these are not sent again. */
export async function expirePushDeliveries(db: Database): Promise<void> {
  await db.query(`delete from push_taken where taken_at < now() - interval '3 days'`);
}
