import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { SUBSCRIPTION_ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';
import { DEFAULT_QUIET_HOURS, quietUntil } from '#shared/domain/alerts/quiet-hours.ts';

/** The queue of notifications by recipient, and the messages that contain them. */

export type NotificationChannel = 'mail' | 'push';
export type OutboxMessage = { readonly id: string; readonly channel: NotificationChannel };

/** Group interval: at most one message per person and channel. */
const EVERY_MS = 15 * 60_000;
/** Maximum number of rows per transaction. */
const MOST = 5_000;

type DueRow = {
  readonly alertId: string;
  readonly accountId: number;
  readonly channel: NotificationChannel;
  readonly step: string;
  readonly isUrgent: boolean;
  readonly quietFrom: string | null;
  readonly quietTo: string | null;
  readonly hasChosen: boolean;
  /** Whether the alert is sent in its own message without waiting for others: charging and urgent alerts. */
  readonly isAlone: boolean;
  /** Whether the alert is a charging event, which ignores the default quiet hours. */
  readonly isSubscription: boolean;
  /** Number of messages for one alert each that this person got on this channel in the last 15 minutes. */
  readonly alone: number;
  /** When the last grouped message was made, in ms. */
  readonly notifiedMs: number | null;
};

/**
 * Groups due notifications into messages, one per person and channel; postpones those that quiet hours or the group interval hold back.
 * @returns the messages to send
 */
export async function createOutboxMessages(client: Transaction, now: number): Promise<OutboxMessage[]> {
  const { rows: lock } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_xact_lock($1) as mine',
    [ADVISORY_LOCK_KEYS.alertOutbox],
  );
  if (!lock[0]?.mine) return [];
  const { rows } = await client.query<DueRow>(
    `select b.alert_id, b.account_id, b.channel, b.step, x.severity = 'urgent' as is_urgent,
       p.quiet_from, p.quiet_to, p.account_id is not null as has_chosen,
       x.kind = any ($4) as is_subscription, x.kind = any ($4) or x.severity = 'urgent' and b.step not in ('closed', 'withdrawn') as is_alone,
       (select count(*)::int from alert_message m where m.account_id = b.account_id and m.channel = b.channel and m.is_alone
          and m.made_at > $3) as alone, (select extract(epoch from max(made_at))::float8 * 1000 from alert_message m
        where m.account_id = b.account_id and m.channel = b.channel and not m.is_alone) as notified_ms
     from alert_outbox b join alert x on x.id = b.alert_id left join alert_preference p on p.account_id = b.account_id
     where b.message_id is null and b.due_at <= $1 order by b.due_at limit $2 for update of b`,
    [new Date(now), MOST, new Date(now - EVERY_MS), SUBSCRIPTION_ALERT_KINDS],
  );
  const made: OutboxMessage[] = [];
  for (const due of Map.groupBy(withoutFlood(rows), messageOf).values()) {
    const { accountId, channel, hasChosen, quietFrom, quietTo, notifiedMs, isAlone, isSubscription } =
      due[0] as DueRow;
    const chosen = quietFrom !== null && quietTo !== null ? { from: quietFrom, to: quietTo } : null;
    const quiet = quietUntil(hasChosen || isSubscription ? chosen : DEFAULT_QUIET_HOURS, now);
    const waits = quiet === undefined ? [] : due.filter(({ isUrgent }) => !isUrgent);
    if (quiet !== undefined) await wait(client, waits, quiet);
    const ready = due.filter((row) => !waits.includes(row));
    if (ready.length === 0) continue;
    // A time in the future was written by a wrong clock, and delays nothing.
    const next = !isAlone && notifiedMs !== null && notifiedMs <= now ? notifiedMs + EVERY_MS : now;
    if (next > now) await wait(client, ready, next);
    else made.push(await makeMessage(client, accountId, channel, ready, now));
  }
  return made;
}

/**
 * Maximum number of urgent alerts that are sent in a message of their own, per person, channel and 15 minutes. Further ones are
 * grouped into one message, like other alerts.
 */
const MAX_SINGLE_MESSAGES = 10;

function withoutFlood(rows: readonly DueRow[]): DueRow[] {
  const urgent = Map.groupBy(
    rows.filter(({ isAlone, isSubscription }) => isAlone && !isSubscription),
    ({ accountId, channel }) => `${accountId} ${channel}`,
  );
  return rows.map((row) => {
    if (!row.isAlone || row.isSubscription) return row;
    const due = urgent.get(`${row.accountId} ${row.channel}`) ?? [];
    return { ...row, isAlone: row.alone + due.length <= MAX_SINGLE_MESSAGES };
  });
}

/** Returns the key of the message that a notification belongs to. */
const messageOf = ({ accountId, channel, isAlone, alertId, step }: DueRow): string =>
  `${accountId} ${channel} ${isAlone ? `${alertId} ${step}` : ''}`;

const columns = (rows: readonly DueRow[]) => [
  rows.map(({ alertId }) => alertId),
  rows.map(({ step }) => step),
];

async function wait(client: Transaction, rows: readonly DueRow[], until: number): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await client.query(
    `update alert_outbox b set due_at = $3 from unnest($1::bigint[], $2::text[]) as r (alert_id, step)
     where b.alert_id = r.alert_id and b.step = r.step and b.account_id = $4 and b.channel = $5`,
    [...columns(rows), new Date(until), first.accountId, first.channel],
  );
}

async function makeMessage(
  client: Transaction,
  accountId: number,
  channel: NotificationChannel,
  rows: readonly DueRow[],
  now: number,
): Promise<OutboxMessage> {
  const { rows: made } = await client.query<{ id: string }>(
    'insert into alert_message (account_id, channel, made_at, is_alone) values ($1, $2, $3, $4) returning id',
    [accountId, channel, new Date(now), rows.some(({ isAlone }) => isAlone)],
  );
  const id = made[0]?.id as string;
  await client.query(
    `update alert_outbox b set message_id = $3 from unnest($1::bigint[], $2::text[]) as r (alert_id, step)
     where b.alert_id = r.alert_id and b.step = r.step and b.account_id = $4 and b.channel = $5`,
    [...columns(rows), id, accountId, channel],
  );
  return { id, channel };
}

/** Deletes a message without content, so that it does not delay the next one. */
export const dropMessage = (db: Database, id: string) =>
  db.query('delete from alert_message where id = $1', [id]);

export const recordMessageSent = (db: Database, id: string, now: number) =>
  db.query('update alert_message set sent_at = $2 where id = $1', [id, new Date(now)]);
