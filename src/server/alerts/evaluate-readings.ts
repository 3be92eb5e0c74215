import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Pool, Transaction } from '#server/platform/database.ts';
import { isRetryable, withCommitCallbacks } from '#server/platform/database.ts';
import { shardsFrom } from '#server/platform/shards.ts';
import type { WebhookQueue } from '#server/webhooks/webhooks.ts';
import {
  ALERT_KIND_NAMES,
  isConditionKind,
  isReadingKind,
  isSubscriptionAlertKind,
  showsPresentPosition,
} from '#shared/domain/alerts/kinds.ts';
import { type RecordedAlert, reconcileAlerts } from '#shared/domain/alerts/reconcile.ts';
import { metresFromParkedPosition } from '#shared/domain/alerts/watch.ts';
import {
  type ActiveRule,
  readActiveRules,
  readWatchedMachines,
  ruleVersionKey,
} from './active-rules.store.ts';
import { findUnrecordedEvents } from './charging-alerts.ts';
import { addAndDeleteCursors, lockDueCursors, readCursors, saveCursors } from './cursors.store.ts';
import { earliestReadTime, evaluateStreams, type StreamEvaluation } from './evaluate-streams.ts';
import { type AlertChanges, GROUP_WAIT_MS, recordAlerts } from './record-alerts.ts';

/** Evaluates rules against readings that arrived (docs/alerts.md section 3). */

/** Streams per transaction: few enough that waiting requests are served soon. */
const BATCH = 200;
/** Time after which an evaluation run stops at the end of a batch; the next run continues with the next batch. */
const BUDGET_MS = 8_000;
/** Alerts whose last matching reading is older than this are recorded without notifications. */
export const MAX_NOTIFIED_AGE_MS = 60 * 60_000;

export type EvaluationContext = {
  readonly pool: Pool;
  readonly webhooks: WebhookQueue;
  /** Returns the current time, in ms. */
  readonly now: () => number;
};

/**
 * Evaluates the machines that sent readings, unless another process is doing so. Safe to interrupt and to repeat.
 * @param from id of the stream after which the run continues
 * @returns the id of the last evaluated stream; 0: the next run starts from the beginning
 */
export async function evaluateReadings(
  { pool, webhooks, now }: EvaluationContext,
  from: number,
): Promise<number> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.alertReadings,
    ]);
    if (!rows[0]?.mine) return from;
    const known = await readCursors(client);
    const rules = (await readActiveRules(client)).filter(({ kind }) => isReadingKind(kind));
    const charging = rules.filter(({ kind }) => isSubscriptionAlertKind(kind));
    const others = rules.filter(({ kind }) => !isSubscriptionAlertKind(kind));
    await addAndDeleteCursors(
      client,
      known,
      [...new Set(others.map(({ organizationId }) => organizationId))],
      [...new Set(charging.flatMap(({ ids }) => ids))],
    );
    const until = performance.now() + BUDGET_MS;
    const nowMs = now();
    let after = from;
    do after = await evaluateBatch(client, webhooks, rules, nowMs, after);
    while (after > 0 && performance.now() < until);
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_KEYS.alertReadings]);
    return after;
  } catch (error) {
    // After an error that is not retried, `release` closes the connection, which also ends the lock and the transaction.
    if (isRetryable(error))
      await client.query(`rollback; select pg_advisory_unlock(${ADVISORY_LOCK_KEYS.alertReadings})`);
    else broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Stores the alerts, their notifications and how far each stream was evaluated, for one batch, in one transaction.
 * @returns the last stream of the batch; 0: there are no more
 */
const evaluateBatch = (
  client: Transaction,
  webhooks: WebhookQueue,
  rules: readonly ActiveRule[],
  now: number,
  after: number,
): Promise<number> =>
  withCommitCallbacks(client, async () => {
    // Reads one snapshot, so that the counts of readings match the readings.
    await client.query('begin isolation level repeatable read');
    const due = await lockDueCursors(client, new Date(now), after, BATCH);
    if (due.length > 0) {
      // Forces index scans: the planner misjudges the lengths of these arrays.
      await client.query('set local enable_seqscan = off');
      await client.query('set local enable_hashjoin = off');
      await client.query('set local enable_mergejoin = off');
      const streamIds = due.map(({ streamId }) => streamId);
      const machines = await readWatchedMachines(client, rules, streamIds, earliestReadTime(due), now);
      const evaluations = await evaluateStreams(client, due, machines, now);
      await recordAlerts(client, webhooks, await findChanges(client, evaluations, rules, machines, now), now);
      await saveCursors(
        client,
        evaluations.map(({ cursor }) => cursor),
        new Date(now),
      );
    }
    await client.query('commit');
    const last = due.at(-1)?.streamId ?? 0;
    return due.length < BATCH && shardsFrom(client, last).length === 1 ? 0 : last;
  });

async function findChanges(
  client: Transaction,
  evaluations: readonly StreamEvaluation[],
  rules: readonly ActiveRule[],
  machines: Awaited<ReturnType<typeof readWatchedMachines>>,
  now: number,
): Promise<AlertChanges> {
  const changes = { opened: [], changed: [], withdrawn: [], ended: [], away: [] } as {
    -readonly [Part in keyof AlertChanges]-?: NonNullable<AlertChanges[Part]>[number][];
  };
  const recordedOf = await readRecorded(client, evaluations);
  const ruleOf = new Map(rules.map((rule) => [ruleVersionKey(rule), rule]));
  for (const { cursor, episodes, from, before } of evaluations) {
    const watched = new Set(machines.get(cursor.streamId)?.rules.map(({ key }) => key));
    const recorded = recordedOf.get(cursor.streamId) ?? [];
    changes.ended.push(
      ...recorded.filter(({ key, until }) => until === null && !watched.has(key)).map(({ id }) => id),
    );
    const { opened, changed, withdrawn } = reconcileAlerts(
      recorded.filter(({ key }) => watched.has(key)),
      episodes.filter(({ event }) => !event),
      from,
    );
    changes.withdrawn.push(...withdrawn);
    for (const { id, now: episode } of changed)
      changes.changed.push({ id, ...episode, until: episode.until ?? null });
    for (const episode of opened) {
      const rule = ruleOf.get(episode.key);
      if (!rule) continue;
      const { id: ruleId, version, kind } = rule;
      changes.opened.push({
        ...episode,
        ruleId,
        version,
        kind,
        streamId: cursor.streamId,
        subject: '',
        until: episode.until ?? null,
        // Late readings record alerts of the past without notifying anyone.
        notifies: episode.at > before && now - episode.seen <= MAX_NOTIFIED_AGE_MS,
        dueAt: Math.max(now, Math.min(episode.at, now) + GROUP_WAIT_MS),
      });
    }
  }
  for (const { cursor, episodes } of evaluations) {
    const metres = cursor.state ? metresFromParkedPosition(cursor.state) : undefined;
    for (const { key, until, at } of metres === undefined ? [] : episodes)
      if (until === undefined && at <= now && showsPresentPosition(ruleOf.get(key)?.kind))
        changes.away.push({ key, streamId: cursor.streamId, metres: metres ?? 0 });
  }
  const charging = evaluations.map(({ cursor: { streamId }, episodes }) => ({ streamId, episodes }));
  for (const { streamId, episode, notifies } of await findUnrecordedEvents(client, charging, now)) {
    const rule = ruleOf.get(episode.key);
    if (!rule) continue;
    const { id: ruleId, version, kind } = rule;
    const { figures, since, at, until = since } = episode;
    changes.opened.push({
      ...{ ruleId, version, kind, streamId, figures, since, at, until, notifies },
      subject: '',
      dueAt: now,
    });
  }
  return changes;
}

/** Longest `clearHold` of a rule: an alert that a saved evaluation state has as open may have resolved up to this long before the state. */
const OVER_MS = 24 * 3_600_000;

/** Returns the alerts of these streams that are open, were open at the start of the evaluation, or began later; by stream. */
async function readRecorded(
  client: Transaction,
  evaluations: readonly StreamEvaluation[],
): Promise<Map<number, RecordedAlert[]>> {
  const { rows } = await client.query<RecordedAlert & { streamId: number }>(
    `select x.id, x.stream_id, x.rule_id || '.' || x.version as key, ${ms('x.since')} as since, ${ms('x.at')} as at,
       ${ms('x.until')} as until
     from alert x join unnest($1::int[], $2::float8[]) as l (stream_id, from_ms) on l.stream_id = x.stream_id
     where x.withdrawn_at is null and (x.until is null or x.until > to_timestamp((l.from_ms - $4::float8) / 1000))
       and x.kind = any ($3)`,
    [
      evaluations.map(({ cursor }) => cursor.streamId),
      evaluations.map(({ from }) => from),
      ALERT_KIND_NAMES.filter(isConditionKind),
      OVER_MS,
    ],
  );
  return Map.groupBy(rows, ({ streamId }) => streamId);
}

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;
