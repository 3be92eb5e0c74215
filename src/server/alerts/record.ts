import type { Transaction } from '#server/platform/database.ts';
import type { WebhookQueue } from '#server/webhooks/webhooks.ts';
import { ALERT_KINDS, type AlertKind, type AlertKindWords } from '#shared/domain/alerts/kinds.ts';
import { furthestReached } from '#shared/domain/alerts/present-move.ts';
import { nextDailyMail } from '#shared/domain/alerts/quiet-hours.ts';
import type { ChargingData } from './charging-alerts.ts';

/** ms; so long an alert waits for others, from when its reading came. */
export const GROUP_MS = 60_000;

/** An alert that begins. Times in ms. */
export type Beginning = {
  readonly ruleId: number;
  readonly version: number;
  /** null: of many at once. */
  readonly streamId: number | null;
  /** What it is about, of its machine or instead of one; '': no more than its kind says. */
  readonly subject: string;
  readonly kind: AlertKind;
  readonly words: string;
  /** The figure that the rule's threshold is compared with, in its unit. */
  readonly value?: number | undefined;
  readonly since: number;
  readonly at: number;
  readonly until: number | null;
  /** It is told. */
  readonly isNews: boolean;
  /** When it may be told to people; the portal and webhooks do at once. */
  readonly dueAt: number;
  readonly data?: ChargingData;
};

type Changed = {
  readonly id: string;
  readonly since: number;
  readonly at: number;
  readonly until: number | null;
};

/** What a look found: all of it is recorded in the look's transaction, with what is to be told of it. */
export type Findings = {
  readonly begun: readonly Beginning[];
  readonly changed: readonly Changed[];
  /** Ids. */
  readonly withdrawn: readonly string[];
  /** Ids of those whose machine or rule is another one now: over, and nobody is told. */
  readonly ended: readonly string[];
  /** How far machines are by now from where they were left, m, by alerts that are open. */
  readonly away?: readonly Away[];
};

/** An open alert of a move, by its rule's version and machine. */
export type Away = { readonly key: string; readonly streamId: number; readonly metres: number };

/** @param now ms @param isQuiet nobody is told what is over or never was */
export async function recordFindings(
  client: Transaction,
  webhooks: WebhookQueue,
  { begun, changed, withdrawn, ended, away = [] }: Findings,
  now: number,
  isQuiet = false,
): Promise<void> {
  // What ends goes first: of a rule, machine and subject one may be open.
  if (withdrawn.length > 0) {
    await client.query('update alert set withdrawn_at = $2 where id = any ($1::bigint[])', [
      withdrawn,
      new Date(now),
    ]);
    if (isQuiet) await leaveUntold(client, withdrawn);
    else {
      await tellAgain(client, withdrawn, 'withdrawn', now);
      await tellWebhooks(client, webhooks, withdrawn, 'withdrawn', now);
    }
  }
  if (ended.length > 0) {
    await client.query('update alert set until = $2 where id = any ($1::bigint[])', [ended, new Date(now)]);
    await leaveUntold(client, ended);
  }
  const { closed, reopened } = await changeTimes(client, changed);
  if (closed.length > 0 && !isQuiet) {
    await tellAgain(client, closed, 'closed', now);
    await tellWebhooks(client, webhooks, closed, 'closed', now);
  }
  // Whom it was over for before they were told of it.
  if (reopened.length > 0 && !isQuiet)
    await tellOpened(
      client,
      reopened.map((id) => ({ id, dueMs: now + GROUP_MS })),
      now,
    );
  if (begun.length > 0) await begin(client, webhooks, begun, now);
  await notifyFurther(client, away, now);
}

/** Notifies those whose first message has gone that a machine is by now further than one of the distances; each distance once per alert. */
async function notifyFurther(client: Transaction, away: readonly Away[], now: number): Promise<void> {
  const far = away.flatMap((one) => {
    const metres = furthestReached(one.metres);
    return metres === undefined ? [] : [{ ...one, metres }];
  });
  if (far.length === 0) return;
  const { rows } = await client.query<{ id: string; metres: number }>(
    `update alert x set reached_metres = g.metres from unnest($1::text[], $2::int[], $3::int[]) as g (key, stream_id, metres)
     where x.stream_id = g.stream_id and x.rule_id || '.' || x.version = g.key and x.kind = 'moved' and x.until is null
       and x.withdrawn_at is null and x.is_news and x.severity <> 'daily' and coalesce(x.reached_metres, 0) < g.metres
     returning x.id, g.metres`,
    [far.map(({ key }) => key), far.map(({ streamId }) => streamId), far.map(({ metres }) => metres)],
  );
  if (rows.length === 0) return;
  // A first message that still waits says the present distance itself.
  await client.query(
    `insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select b.alert_id, b.account_id, b.channel, 'further-' || n.metres / 1000, $3
     from unnest($1::bigint[], $2::int[]) as n (id, metres) join alert_outbox b on b.alert_id = n.id
     where b.step = 'opened' and b.message_id is not null on conflict do nothing`,
    [rows.map(({ id }) => id), rows.map(({ metres }) => metres), new Date(now)],
  );
}

/** @returns ids of those that were open and are over now, and of those that were over and go on after all */
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
       where a.id = was.id returning was.until is null as "wasOpen"`,
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
  begun: readonly Beginning[],
  now: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string; dueMs: number; isNews: boolean; isOver: boolean }>(
    `with given as (
       select * from unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::float8[], $9::float8[],
         $10::boolean[], $11::float8[], $13::jsonb[], $14::float8[])
         as g (rule_id, version, stream_id, subject, kind, words, since, at, until, is_news, due, data, value)
     ), made as (
       insert into alert (rule_id, version, organization_id, stream_id, subject, kind, severity, words, since, at, until, is_news, made_at, data,
         value, threshold)
       select r.id, g.version, coalesce(w.organization_id, r.organization_id), g.stream_id, g.subject, g.kind, r.severity, g.words,
         to_timestamp(g.since / 1000), to_timestamp(g.at / 1000), to_timestamp(g.until / 1000), g.is_news, $12, g.data,
         g.value, case when g.value is not null then (r.settings->>'threshold')::float8 end
       from given g join alert_rule r on r.id = g.rule_id and r.version = g.version and r.is_on
         left join ownership w on w.stream_id = g.stream_id and w.valid_to = 'infinity'
       on conflict (rule_id, coalesce(stream_id, 0), subject) where until is null and withdrawn_at is null do nothing
       returning id, rule_id, stream_id, subject, since, is_news, until
     )
     select m.id, g.due as "dueMs", m.is_news as "isNews", m.until is not null as "isOver" from made m
     join given g on g.rule_id = m.rule_id and g.stream_id is not distinct from m.stream_id and g.subject = m.subject
       and to_timestamp(g.since / 1000) = m.since`,
    [
      begun.map(({ ruleId }) => ruleId),
      begun.map(({ version }) => version),
      begun.map(({ streamId }) => streamId),
      begun.map(({ subject }) => subject),
      begun.map(({ kind }) => kind),
      begun.map(({ words }) => words),
      begun.map(({ since }) => since),
      begun.map(({ at }) => at),
      begun.map(({ until }) => until),
      begun.map(({ isNews }) => isNews),
      begun.map(({ dueAt }) => dueAt),
      new Date(now),
      begun.map(({ data }) => data && JSON.stringify(data)),
      begun.map(({ value }) => value ?? null),
    ],
  );
  const news = rows.filter(({ isNews }) => isNews);
  if (news.length === 0) return;
  await tellOpened(client, news, now);
  const ids = news.map(({ id }) => id);
  await tellWebhooks(client, webhooks, ids, 'opened', now);
  const over = news.filter(({ isOver }) => isOver).map(({ id }) => id);
  if (over.length > 0) await tellWebhooks(client, webhooks, over, 'closed', now);
}

/**
 * Queues the first message of alerts for each person whom the rule names; of alerts that are over only those of events. Urgent alerts are due
 * at once, except silence, which may be of many machines together. Alerts of the daily mail are due with it, on no device.
 * @param alerts with when each is due, ms
 */
const tellOpened = (
  client: Transaction,
  alerts: readonly { readonly id: string; readonly dueMs: number }[],
  now: number,
) =>
  client.query(
    `insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select x.id, a.id, c.channel, 'opened', case when x.severity = 'daily' then $4 when x.severity = 'urgent' and x.kind <> 'silent' then $5 else to_timestamp(n.due / 1000) end
     from unnest($1::bigint[], $2::float8[]) as n (id, due)
       join alert x on x.id = n.id and x.is_news and (x.until is null or x.kind = any ($3))
       join alert_rule r on r.id = x.rule_id
       join account a on a.organization_id = r.organization_id and ${IS_TOLD}
       left join alert_preference p on p.account_id = a.id
       cross join (values ('mail'), ('push')) as c (channel)
     where case c.channel when 'push' then x.severity <> 'daily' and coalesce(p.by_push, true)
       else x.kind = 'charging' or a.confirmed_at is not null and coalesce(p.by_mail, true) end
     on conflict do nothing`,
    [
      alerts.map(({ id }) => id),
      alerts.map(({ dueMs }) => dueMs),
      EVENT_KINDS,
      new Date(nextDailyMail(now)),
      new Date(now),
    ],
  );

/** Of rule `r` and account `a`: who is told by it. */
export const IS_TOLD = `(r.account_id = a.id or r.account_id is null and (a.id = any (r.accounts) or a.role = any (r.roles)))`;

/** Of alert `x`: what it is about where that is no machine; null: it is one, or the kind says it. */
export const SUBJECT = `case when x.stream_id is null then nullif(x.subject, '') end`;

const EVENT_KINDS = Object.entries(ALERT_KINDS)
  .filter(([, { isEvent }]) => isEvent)
  .map(([kind]) => kind);

/** What was not told yet is not told any more, but for what happened; who was told is told how it went. */
async function tellAgain(
  client: Transaction,
  ids: readonly string[],
  step: 'closed' | 'withdrawn',
  now: number,
): Promise<void> {
  await leaveUntold(client, ids, step === 'closed' ? EVENT_KINDS : []);
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

/** @param but of these kinds it is told all the same */
const leaveUntold = (client: Transaction, ids: readonly string[], but: readonly string[] = []) =>
  client.query(
    `delete from alert_outbox b using alert x where x.id = b.alert_id and b.alert_id = any ($1::bigint[])
       and b.message_id is null and not x.kind = any ($2)`,
    [ids, but],
  );

/** The unit of what an alert measured and of its threshold; null: its kind has no number. */
const unitOf = (kind: AlertKind): string | null => {
  const { settings }: AlertKindWords = ALERT_KINDS[kind];
  return settings.threshold?.unit ?? null;
};

/** Those of the organizations, of their own rules, in the same transaction. */
async function tellWebhooks(
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
    data: { readonly value: number | null };
  }>(
    `select x.organization_id as "organizationId", x.id, x.at, x.until, x.kind, jsonb_build_object('alert', x.id::text, 'kind', x.kind,
       'severity', x.severity, 'rule', r.name, 'words', x.words, 'value', x.value, 'threshold', x.threshold, 'since', x.since, 'until', x.until,
       'subject', ${SUBJECT}, 'machine', case when s.id is not null then jsonb_build_object('serialNumber', s.serial, 'alias', s.alias) end) as data
     from alert x join alert_rule r on r.id = x.rule_id and r.account_id is null left join stream s on s.id = x.stream_id
     where x.id = any ($1::bigint[]) and x.is_news
       and exists (select from webhook h where h.organization_id = x.organization_id and h.is_on)
     order by x.id`,
    [ids],
  );
  for (const { organizationId, id, at, until, kind, data } of rows) {
    const when = step === 'opened' ? at.getTime() : step === 'closed' ? (until?.getTime() ?? now) : now;
    await webhooks.queue(client, organizationId, {
      id: `alert-${id}-${step}`,
      type: `alert.${step}`,
      at: when,
      data: { ...data, unit: data.value === null ? null : unitOf(kind) },
    });
  }
}
