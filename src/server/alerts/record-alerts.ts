import type { Transaction } from '#server/platform/database.ts';
import type { WebhookQueue } from '#server/webhooks/webhooks.ts';
import { alertText, EVALUATIONS } from '#shared/domain/alerts/evaluations.ts';
import type { AlertFigures } from '#shared/domain/alerts/kinds/kind.ts';
import {
  ALERT_KIND_NAMES,
  type AlertKind,
  alertKindsWith,
  SUBSCRIPTION_ALERT_KINDS,
  showsPresentPosition,
  thresholdUnitOf,
} from '#shared/domain/alerts/kinds.ts';
import { largestDistanceReached } from '#shared/domain/alerts/present-move.ts';
import { nextDailyMail } from '#shared/domain/alerts/quiet-hours.ts';

/** Group wait: how long an alert waits after its reading arrived, so that other alerts join its message. */
export const GROUP_WAIT_MS = 60_000;

/** An alert to open. Times in ms. */
export type NewAlert = {
  readonly ruleId: number;
  readonly version: number;
  /** null: about many machines or the portal. */
  readonly streamId: number | null;
  /** Subject of the alert in addition to its machine, or instead of one, such as a maintenance plan or a disk; '' if there is none. */
  readonly subject: string;
  readonly kind: AlertKind;
  /** Values that the text of the alert contains. */
  readonly figures: AlertFigures;
  /** The value that is compared with the rule's threshold, in its unit. */
  readonly value?: number | undefined;
  readonly since: number;
  readonly at: number;
  readonly until: number | null;
  /** Whether people and webhooks are notified. */
  readonly notifies: boolean;
  /** When people may be notified; the portal shows it and webhooks get it immediately. */
  readonly dueAt: number;
};

type Changed = {
  readonly id: string;
  readonly since: number;
  readonly at: number;
  readonly until: number | null;
};

/** The result of an evaluation, recorded with its notifications in the transaction of the evaluation. */
export type AlertChanges = {
  readonly opened: readonly NewAlert[];
  readonly changed: readonly Changed[];
  /** Ids of alerts whose condition never held. */
  readonly withdrawn: readonly string[];
  /** Ids of alerts whose machine or rule changed: they resolve without a notification. */
  readonly ended: readonly string[];
  /** How far machines with an open alert are now from where they were left. */
  readonly away?: readonly MovementAlertDistance[];
};

/** Distance in metres of a machine that has an open movement alert, by the key of the rule's version and the machine. */
export type MovementAlertDistance = {
  readonly key: string;
  readonly streamId: number;
  readonly metres: number;
};

/**
 * Records the result of an evaluation and queues its notifications.
 * @param now ms
 * @param isSilent suppresses notifications of resolved, withdrawn and reopened alerts
 */
export async function recordAlerts(
  client: Transaction,
  webhooks: WebhookQueue,
  { opened, changed, withdrawn, ended, away = [] }: AlertChanges,
  now: number,
  isSilent = false,
): Promise<void> {
  // Resolves alerts before it opens others: a rule, machine and subject have at most one open alert.
  if (withdrawn.length > 0) {
    await client.query('update alert set withdrawn_at = $2 where id = any ($1::bigint[])', [
      withdrawn,
      new Date(now),
    ]);
    if (isSilent) await dropPending(client, withdrawn);
    else {
      await queueOutcome(client, withdrawn, 'withdrawn', now);
      await queueWebhooks(client, webhooks, withdrawn, 'withdrawn', now);
    }
  }
  if (ended.length > 0) {
    await client.query('update alert set until = $2 where id = any ($1::bigint[])', [ended, new Date(now)]);
    await dropPending(client, ended);
  }
  const { closed, reopened } = await changeTimes(client, changed);
  if (closed.length > 0 && !isSilent) {
    await queueOutcome(client, closed, 'closed', now);
    await queueWebhooks(client, webhooks, closed, 'closed', now);
  }
  // Queues the opening again for recipients whose pending notification was dropped when the alert resolved.
  if (reopened.length > 0 && !isSilent)
    await queueOpened(
      client,
      reopened.map((id) => ({ id, dueMs: now + GROUP_WAIT_MS })),
      now,
    );
  if (opened.length > 0) await begin(client, webhooks, opened, now);
  await notifyFurther(client, away, now);
}

/** Notifies the recipients of an alert's first message when its machine has moved 1 km and 10 km away, once per alert and distance. */
async function notifyFurther(
  client: Transaction,
  away: readonly MovementAlertDistance[],
  now: number,
): Promise<void> {
  const far = away.flatMap((one) => {
    const metres = largestDistanceReached(one.metres);
    return metres === undefined ? [] : [{ ...one, metres }];
  });
  if (far.length === 0) return;
  const { rows } = await client.query<{ id: string; metres: number }>(
    `update alert x set reached_metres = g.metres from unnest($1::text[], $2::int[], $3::int[]) as g (key, stream_id, metres)
     where x.stream_id = g.stream_id and x.rule_id || '.' || x.version = g.key and x.kind = any ($4) and x.until is null
       and x.withdrawn_at is null and x.is_news and x.severity <> 'daily' and coalesce(x.reached_metres, 0) < g.metres
     returning x.id, g.metres`,
    [
      far.map(({ key }) => key),
      far.map(({ streamId }) => streamId),
      far.map(({ metres }) => metres),
      FOLLOWED_KINDS,
    ],
  );
  if (rows.length === 0) return;
  // Recipients whose first message is still pending get no message about this distance: the first one will contain it.
  await client.query(
    `insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select b.alert_id, b.account_id, b.channel, 'further-' || n.metres / 1000, $3
     from unnest($1::bigint[], $2::int[]) as n (id, metres) join alert_outbox b on b.alert_id = n.id
     where b.step = 'opened' and b.message_id is not null on conflict do nothing`,
    [rows.map(({ id }) => id), rows.map(({ metres }) => metres), new Date(now)],
  );
}

/**
 * Changes the times of alerts.
 * @returns ids of alerts that were open and resolved, and of alerts that had resolved and are open again
 */
async function changeTimes(
  client: Transaction,
  changed: readonly Changed[],
): Promise<{ readonly closed: readonly string[]; readonly reopened: readonly string[] }> {
  const closing = [...changed].sort((a, b) => Number(a.until === null) - Number(b.until === null));
  const closed: string[] = [];
  const reopened: string[] = [];
  for (const { id, since, at, until } of closing) {
    const { rows } = await client.query<{ wasOpen: boolean }>(
      `update alert a set since = $2, at = $3, until = $4 from (select id, until from alert where id = $1 for update) as was
       where a.id = was.id returning was.until is null as was_open`,
      [id, new Date(since), new Date(at), until === null ? null : new Date(until)],
    );
    if (rows[0]?.wasOpen && until !== null) closed.push(id);
    else if (rows[0]?.wasOpen === false && until === null) reopened.push(id);
  }
  return { closed, reopened };
}

async function begin(
  client: Transaction,
  webhooks: WebhookQueue,
  opened: readonly NewAlert[],
  now: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string; dueMs: number; notifies: boolean; isOver: boolean }>(
    `with given as (
       select * from unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::text[], $6::jsonb[], $7::float8[], $8::float8[], $9::float8[],
         $10::boolean[], $11::float8[], $13::float8[])
         as g (rule_id, version, stream_id, subject, kind, data, since, at, until, is_news, due, value)
     ), made as (
       insert into alert (rule_id, version, organization_id, stream_id, subject, kind, severity, data, since, at, until, is_news, made_at,
         value, threshold)
       select r.id, g.version, coalesce(w.organization_id, r.organization_id), g.stream_id, g.subject, g.kind, r.severity, g.data,
         to_timestamp(g.since / 1000), to_timestamp(g.at / 1000), to_timestamp(g.until / 1000), g.is_news, $12,
         g.value, case when g.value is not null then (r.settings->>'threshold')::float8 end
       from given g join alert_rule r on r.id = g.rule_id and r.version = g.version and r.is_on
         left join ownership w on w.stream_id = g.stream_id and w.valid_to = 'infinity'
       on conflict (rule_id, coalesce(stream_id, 0), subject) where until is null and withdrawn_at is null do nothing
       returning id, rule_id, stream_id, subject, since, is_news, until
     )
     select m.id, g.due as due_ms, m.is_news as "notifies", m.until is not null as is_over from made m
     join given g on g.rule_id = m.rule_id and g.stream_id is not distinct from m.stream_id and g.subject = m.subject
       and to_timestamp(g.since / 1000) = m.since`,
    [
      opened.map(({ ruleId }) => ruleId),
      opened.map(({ version }) => version),
      opened.map(({ streamId }) => streamId),
      opened.map(({ subject }) => subject),
      opened.map(({ kind }) => kind),
      opened.map(({ figures }) => JSON.stringify(figures)),
      opened.map(({ since }) => since),
      opened.map(({ at }) => at),
      opened.map(({ until }) => until),
      opened.map(({ notifies }) => notifies),
      opened.map(({ dueAt }) => dueAt),
      new Date(now),
      opened.map(({ value }) => value ?? null),
    ],
  );
  const notifying = rows.filter(({ notifies }) => notifies);
  if (notifying.length === 0) return;
  await queueOpened(client, notifying, now);
  const ids = notifying.map(({ id }) => id);
  await queueWebhooks(client, webhooks, ids, 'opened', now);
  const over = notifying.filter(({ isOver }) => isOver).map(({ id }) => id);
  if (over.length > 0) await queueWebhooks(client, webhooks, over, 'closed', now);
}

/**
 * Queues the first notification of alerts for each recipient of the rule. For resolved alerts only event kinds are queued. Urgent
 * alerts are due immediately, except silence, which may concern many machines at once. Alerts of the daily mail are due with that
 * mail, and not sent to devices.
 * @param alerts each with when it is due, in ms
 */
const queueOpened = (
  client: Transaction,
  alerts: readonly { readonly id: string; readonly dueMs: number }[],
  now: number,
) =>
  client.query(
    `insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select x.id, a.id, c.channel, 'opened', case when x.severity = 'daily' then $4 when x.severity = 'urgent' and x.kind <> all ($6) then $5 else to_timestamp(n.due / 1000) end
     from unnest($1::bigint[], $2::float8[]) as n (id, due)
       join alert x on x.id = n.id and x.is_news and (x.until is null or x.kind = any ($3))
       join alert_rule r on r.id = x.rule_id
       join account a on a.organization_id = r.organization_id and ${IS_RECIPIENT_SQL}
       left join alert_preference p on p.account_id = a.id
       cross join (values ('mail'), ('push')) as c (channel)
     where case c.channel when 'push' then x.severity <> 'daily' and coalesce(p.by_push, true)
       else x.kind = any ($7) or a.confirmed_at is not null and coalesce(p.by_mail, true) end
     on conflict do nothing`,
    [
      alerts.map(({ id }) => id),
      alerts.map(({ dueMs }) => dueMs),
      EVENT_KINDS,
      new Date(nextDailyMail(now)),
      new Date(now),
      GROUPED_KINDS,
      SUBSCRIPTION_ALERT_KINDS,
    ],
  );

/** SQL condition: account `a` is a recipient of rule `r`. */
export const IS_RECIPIENT_SQL = `(r.account_id = a.id or r.account_id is null and (a.id = any (r.accounts) or a.role = any (r.roles)))`;

/** SQL for the subject of alert `x` other than a machine; null if it is about a machine, or its kind says what it is about. */
export const ALERT_SUBJECT_SQL = `case when x.stream_id is null then nullif(x.subject, '') end`;

/** SQL of the figures of alert `x`. An alert from before migration 0002 has only its text. */
export const ALERT_FIGURES_SQL = `coalesce(x.data, jsonb_build_object('text', x.words))`;

const EVENT_KINDS = alertKindsWith(({ isEvent }) => isEvent);
const FOLLOWED_KINDS = ALERT_KIND_NAMES.filter(showsPresentPosition);
/** Kinds whose alerts are combined into one when many open at once. */
export const GROUPED_KINDS = ALERT_KIND_NAMES.filter((kind) => 'togetherMs' in EVALUATIONS[kind]);

/** Drops pending notifications, but of event kinds only if withdrawn; queues the end of the alerts for recipients of an earlier message. */
async function queueOutcome(
  client: Transaction,
  ids: readonly string[],
  step: 'closed' | 'withdrawn',
  now: number,
): Promise<void> {
  await dropPending(client, ids, step === 'closed' ? EVENT_KINDS : []);
  await client.query(
    `insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select b.alert_id, b.account_id, b.channel, $2, $3 from alert_outbox b
       join alert x on x.id = b.alert_id join alert_rule r on r.id = x.rule_id
     where b.alert_id = any ($1::bigint[]) and b.step = 'opened' and b.message_id is not null
       and ($2 = 'withdrawn' or r.tells_end)
     on conflict do nothing`,
    [ids, step, new Date(now)],
  );
}

/**
 * Drops pending notifications.
 * @param except kinds that are still notified after resolving
 */
const dropPending = (client: Transaction, ids: readonly string[], except: readonly string[] = []) =>
  client.query(
    `delete from alert_outbox b using alert x where x.id = b.alert_id and b.alert_id = any ($1::bigint[])
       and b.message_id is null and not x.kind = any ($2)`,
    [ids, except],
  );

/** Queues webhook deliveries for the organizations' own rules, in the same transaction. */
async function queueWebhooks(
  client: Transaction,
  webhooks: WebhookQueue,
  ids: readonly string[],
  step: 'opened' | 'closed' | 'withdrawn',
  now: number,
): Promise<void> {
  const { rows } = await client.query<{
    organizationId: number;
    id: string;
    at: Date;
    until: Date | null;
    kind: AlertKind;
    figures: AlertFigures;
    data: { readonly value: number | null };
  }>(
    `select x.organization_id, x.id, x.at, x.until, x.kind, ${ALERT_FIGURES_SQL} as figures, jsonb_build_object('alert', x.id::text, 'kind', x.kind,
       'severity', x.severity, 'rule', r.name, 'value', x.value, 'threshold', x.threshold, 'since', x.since, 'until', x.until,
       'subject', ${ALERT_SUBJECT_SQL}, 'machine', case when s.id is not null then jsonb_build_object('serialNumber', s.serial, 'alias', s.alias) end) as data
     from alert x join alert_rule r on r.id = x.rule_id and r.account_id is null left join stream s on s.id = x.stream_id
     where x.id = any ($1::bigint[]) and x.is_news
       and exists (select from webhook h where h.organization_id = x.organization_id and h.is_on)
     order by x.id`,
    [ids],
  );
  for (const { organizationId, id, at, until, kind, figures, data } of rows) {
    const when = step === 'opened' ? at.getTime() : step === 'closed' ? (until?.getTime() ?? now) : now;
    await webhooks.queue(client, organizationId, {
      id: `alert-${id}-${step}`,
      type: `alert.${step}`,
      at: when,
      data: {
        ...data,
        words: alertText(kind, figures),
        unit: data.value === null ? null : thresholdUnitOf(kind),
      },
    });
  }
}
