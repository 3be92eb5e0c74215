import { LOCKS } from '#server/platform/advisory-locks.ts';
import type { Pool, Transaction } from '#server/platform/database.ts';
import { isRetryable, untilCommit } from '#server/platform/database.ts';
import { shardsFrom } from '#server/platform/shards.ts';
import type { WebhookQueue } from '#server/webhooks/webhooks.ts';
import { ALERT_KIND_NAMES, isOfReadings } from '#shared/domain/alerts/kinds.ts';
import { type Recorded, reconcile } from '#shared/domain/alerts/reconcile.ts';
import { awayMetres } from '#shared/domain/alerts/watch.ts';
import { newCharging } from './charging-alerts.ts';
import { keepCursors, lockDueCursors, readCursors, saveCursors } from './cursors.store.ts';
import { type Look, lookAt, readFrom } from './look.ts';
import { type Findings, GROUP_MS, recordFindings } from './record.ts';
import { type ActiveRule, activeRules, keyOf, watchedMachines } from './watched.store.ts';

/** Looks for alerts in what came in (docs/alerts.md section 3). */

/** Streams per transaction: short enough for the requests that wait meanwhile. */
const BATCH = 200;
/** A look breaks off soon after; the next one goes on where it was. */
const BUDGET_MS = 8_000;
/** ms; readings that are older open no alert. */
export const NEWS_MS = 60 * 60_000;

export type AlertWatched = {
  readonly pool: Pool;
  readonly webhooks: WebhookQueue;
  /** ms */
  readonly now: () => number;
};

/**
 * One pass over the machines of which something came in, unless another process is at it. Safe to break off and to repeat.
 * @param from after which stream it goes on; @returns after which the next one does; 0: it begins anew
 */
export async function lookAtReadings({ pool, webhooks, now }: AlertWatched, from: number): Promise<number> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      LOCKS.alertReadings,
    ]);
    if (!rows[0]?.mine) return from;
    const known = await readCursors(client);
    const rules = (await activeRules(client)).filter(({ kind }) => isOfReadings(kind));
    const charging = rules.filter(({ kind }) => kind === 'charging');
    const others = rules.filter(({ kind }) => kind !== 'charging');
    await keepCursors(
      client,
      known,
      [...new Set(others.map(({ organizationId }) => organizationId))],
      [...new Set(charging.flatMap(({ ids }) => ids))],
    );
    const until = performance.now() + BUDGET_MS;
    const nowMs = now();
    let after = from;
    do after = await lookAtBatch(client, webhooks, rules, nowMs, after);
    while (after > 0 && performance.now() < until);
    await client.query('select pg_advisory_unlock($1)', [LOCKS.alertReadings]);
    return after;
  } catch (error) {
    // Else the lock and the transaction go with their connection.
    if (isRetryable(error)) await client.query(`rollback; select pg_advisory_unlock(${LOCKS.alertReadings})`);
    else broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * The alerts, what is to be told of them and how far we looked: all of it or nothing.
 * @returns the last stream of the batch, 0 when there are no more
 */
const lookAtBatch = (
  client: Transaction,
  webhooks: WebhookQueue,
  rules: readonly ActiveRule[],
  now: number,
  after: number,
): Promise<number> =>
  untilCommit(client, async () => {
    // One snapshot: the numbers of readings are those of the readings themselves.
    await client.query('begin isolation level repeatable read');
    const due = await lockDueCursors(client, new Date(now), after, BATCH);
    if (due.length > 0) {
      // By key, whatever the planner thinks of the lengths of our arrays.
      await client.query('set local enable_seqscan = off');
      await client.query('set local enable_hashjoin = off');
      await client.query('set local enable_mergejoin = off');
      const streamIds = due.map(({ streamId }) => streamId);
      const machines = await watchedMachines(client, rules, streamIds, readFrom(due), now);
      const looks = await lookAt(client, due, machines, now);
      await recordFindings(client, webhooks, await findingsOf(client, looks, rules, machines, now), now);
      await saveCursors(
        client,
        looks.map(({ looked }) => looked),
        new Date(now),
      );
    }
    await client.query('commit');
    const last = due.at(-1)?.streamId ?? 0;
    return due.length < BATCH && shardsFrom(client, last).length === 1 ? 0 : last;
  });

async function findingsOf(
  client: Transaction,
  looks: readonly Look[],
  rules: readonly ActiveRule[],
  machines: Awaited<ReturnType<typeof watchedMachines>>,
  now: number,
): Promise<Findings> {
  const found = { begun: [], changed: [], withdrawn: [], ended: [], away: [] } as {
    -readonly [Part in keyof Findings]-?: NonNullable<Findings[Part]>[number][];
  };
  const recordedOf = await readRecorded(client, looks);
  const ruleOf = new Map(rules.map((rule) => [keyOf(rule), rule]));
  for (const { looked, episodes, from, before } of looks) {
    const watched = new Set(machines.get(looked.streamId)?.rules.map(({ key }) => key));
    const recorded = recordedOf.get(looked.streamId) ?? [];
    found.ended.push(
      ...recorded.filter(({ key, until }) => until === null && !watched.has(key)).map(({ id }) => id),
    );
    const { begun, changed, withdrawn } = reconcile(
      recorded.filter(({ key }) => watched.has(key)),
      episodes.filter(({ event }) => !event),
      from,
    );
    found.withdrawn.push(...withdrawn);
    for (const { id, now: episode } of changed)
      found.changed.push({ id, ...episode, until: episode.until ?? null });
    for (const episode of begun) {
      const rule = ruleOf.get(episode.key);
      if (!rule) continue;
      const { id: ruleId, version, kind } = rule;
      found.begun.push({
        ...episode,
        ruleId,
        version,
        kind,
        streamId: looked.streamId,
        subject: '',
        until: episode.until ?? null,
        // What came late tells nobody of the past.
        isNews: episode.at > before && now - episode.seen <= NEWS_MS,
        dueAt: Math.max(now, Math.min(episode.at, now) + GROUP_MS),
      });
    }
  }
  for (const { looked, episodes } of looks) {
    const metres = looked.state ? awayMetres(looked.state) : undefined;
    for (const { key, until, at } of metres === undefined ? [] : episodes)
      if (until === undefined && at <= now && ruleOf.get(key)?.kind === 'moved')
        found.away.push({ key, streamId: looked.streamId, metres: metres ?? 0 });
  }
  const charging = looks.map(({ looked: { streamId }, episodes }) => ({ streamId, episodes }));
  for (const { streamId, episode, data, isNews } of await newCharging(client, charging, now)) {
    const rule = ruleOf.get(episode.key);
    if (!rule) continue;
    const { id: ruleId, version, kind } = rule;
    const { words, since, at, until = since } = episode;
    found.begun.push({
      ...{ ruleId, version, kind, streamId, words, since, at, until, isNews, data },
      subject: '',
      dueAt: now,
    });
  }
  return found;
}

/** ms; what a state still has as open may have been over for so long: the longest `clearHold`. */
const OVER_MS = 24 * 3_600_000;

/** Alerts of these streams that are open, or were by what their looks began with, or began later. */
async function readRecorded(client: Transaction, looks: readonly Look[]): Promise<Map<number, Recorded[]>> {
  const { rows } = await client.query<Recorded & { streamId: number }>(
    `select x.id, x.stream_id as "streamId", x.rule_id || '.' || x.version as key, ${ms('x.since')} as since, ${ms('x.at')} as at,
       ${ms('x.until')} as until
     from alert x join unnest($1::int[], $2::float8[]) as l (stream_id, from_ms) on l.stream_id = x.stream_id
     where x.withdrawn_at is null and (x.until is null or x.until > to_timestamp((l.from_ms - $4::float8) / 1000))
       and x.kind = any ($3)`,
    [
      looks.map(({ looked }) => looked.streamId),
      looks.map(({ from }) => from),
      ALERT_KIND_NAMES.filter((kind) => isOfReadings(kind) && kind !== 'charging'),
      OVER_MS,
    ],
  );
  return Map.groupBy(rows, ({ streamId }) => streamId);
}

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;
