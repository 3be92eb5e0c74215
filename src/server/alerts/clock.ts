import { inTransaction, type Transaction } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { isOfTheClock } from '#shared/domain/alerts/kinds.ts';
import { isManyAtOnce, SILENT_TOGETHER_MS, silentSince } from '#shared/domain/alerts/silence.ts';
import { ageInWords } from '#shared/domain/nl.ts';
import type { AlertWatched } from './alert-watch.ts';
import { type Beginning, recordFindings } from './record.ts';
import {
  type ActiveRule,
  activeRules,
  coverage,
  keyOf,
  type OwnedMachine,
  ownedMachines,
} from './watched.store.ts';
import { readWorkTimes } from './work-time.ts';

/** Looks at the clock for what no reading tells: silence (docs/alerts.md section 3). */

const { latest } = telemetryTables();

/** One process at a time. */
const LOCK = 7_406_327;
/** ms; without a look for so long the portal was away, and for so long after that nothing begins. */
const AWAY_MS = 10 * 60_000;

/** Safe to repeat, in every process. */
export const lookAtClock = ({ pool, webhooks, now }: AlertWatched): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      LOCK,
    ]);
    if (!rows[0]?.mine) return;
    const nowMs = now();
    await endOfOthers(client, nowMs);
    const since = await noteLook(client, nowMs);
    const rules = (await activeRules(client)).filter(({ kind }) => isOfTheClock(kind));
    const open = await openSilences(client);
    if (rules.length === 0 && open.length === 0) return;
    const organizations = [...new Set(rules.map(({ organizationId }) => organizationId))];
    const machines = await ownedMachines(client, organizations, null);
    const heard = await lastHeard(client, machines, nowMs);
    const covers = await coverage(client, rules, nowMs);
    const workTime = await readWorkTimes(client, organizations);

    const silent = new Map<string, { machine: OwnedMachine; at: number; heardAt: number }[]>();
    for (const rule of rules) {
      const found = machines.flatMap((machine) => {
        const heardAt = heard.get(machine.streamId);
        if (heardAt === undefined || !covers(rule, machine)) return [];
        const at = silentSince(Math.max(heardAt, machine.ownedSince), rule.settings);
        return at <= nowMs ? [{ machine, at, heardAt }] : [];
      });
      silent.set(keyOf(rule), found);
    }

    const isStill = ({ key, streamId }: OpenSilence): boolean =>
      silent.get(key)?.some(({ machine }) => machine.streamId === streamId) ?? false;
    const over = open.filter((one) => one.streamId !== null && !isStill(one));
    const changed = over.map(({ id, sinceMs, atMs, streamId }) => ({
      id,
      since: sinceMs,
      at: atMs,
      until: Math.max(heard.get(streamId ?? 0) ?? nowMs, atMs),
    }));
    await recordFindings(client, webhooks, { begun: [], changed, withdrawn: [], ended: [] }, nowMs);

    if (nowMs - since >= AWAY_MS) {
      const known = new Set(open.map(({ key, streamId }) => `${key} ${streamId}`));
      const begun = rules.flatMap((rule): Beginning[] =>
        rule.hours === 'work' && !workTime(rule.organizationId)(nowMs)
          ? []
          : (silent.get(keyOf(rule)) ?? [])
              .filter(({ machine }) => !known.has(`${keyOf(rule)} ${machine.streamId}`))
              .map(({ machine, at, heardAt }) => ({
                ruleId: rule.id,
                version: rule.version,
                streamId: machine.streamId,
                kind: rule.kind,
                words: `al ${ageInWords(nowMs - heardAt)} niets gehoord`,
                since: heardAt,
                at: nowMs,
                until: null,
                // What was so when the rule was made is no news.
                isNews: at > rule.validFrom,
                dueAt: nowMs + SILENT_TOGETHER_MS,
              })),
      );
      await recordFindings(client, webhooks, { begun, changed: [], withdrawn: [], ended: [] }, nowMs);
    }
    await recordManyAtOnce(client, webhooks, rules, machines, nowMs);
  });

/** @returns since when it was looked for without an interruption, ms */
async function noteLook(client: Transaction, now: number): Promise<number> {
  const { rows } = await client.query<{ sinceMs: number }>(
    `insert into alert_clock as c (looked_at, since) values ($1, $1)
     on conflict (id) do update set looked_at = $1,
       since = case when abs(extract(epoch from $1 - c.looked_at)) * 1000 > $2 then $1 else c.since end
     returning extract(epoch from since)::float8 * 1000 as "sinceMs"`,
    [new Date(now), AWAY_MS],
  );
  return rows[0]?.sinceMs ?? now;
}

/** What is open of a machine that was deleted or is another organization's now. */
async function endOfOthers(client: Transaction, now: number): Promise<void> {
  await client.query(
    `update alert x set until = $1 where x.until is null and x.withdrawn_at is null and x.stream_id is not null and not exists (
       select from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
       where s.id = x.stream_id and s.deleted_at is null and w.organization_id = x.organization_id)`,
    [new Date(now)],
  );
}

type OpenSilence = {
  readonly id: string;
  readonly key: string;
  readonly streamId: number | null;
  readonly sinceMs: number;
  readonly atMs: number;
};

async function openSilences(client: Transaction): Promise<OpenSilence[]> {
  const { rows } = await client.query<OpenSilence>(
    `select id, rule_id || '.' || version as key, stream_id as "streamId", extract(epoch from since)::float8 * 1000 as "sinceMs",
       extract(epoch from at)::float8 * 1000 as "atMs"
     from alert where kind = 'silent' and until is null and withdrawn_at is null order by id`,
  );
  return rows;
}

/** When something came in of each, by the portal's clock, ms. */
async function lastHeard(
  client: Transaction,
  machines: readonly OwnedMachine[],
  now: number,
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; time: number; stored: number }>(
    `select stream_id as id, extract(epoch from time)::float8 * 1000 as time, extract(epoch from updated_at)::float8 * 1000 as stored
     from ${latest} where stream_id = any ($1::int[])`,
    [machines.map(({ streamId }) => streamId)],
  );
  return new Map(rows.map(({ id, time, stored }) => [id, heardAt(time, stored, now)]));
}

/** What changes in the rows of a machine that reported nothing for a month is our own upkeep. */
const MONTH_MS = 30 * 86_400_000;
const heardAt = (time: number, stored: number, now: number): number =>
  time < now - MONTH_MS ? time : Math.min(stored, now);

/** One alert in place of many: what is not told yet of each is not told any more. */
async function recordManyAtOnce(
  client: Transaction,
  webhooks: AlertWatched['webhooks'],
  rules: readonly ActiveRule[],
  machines: readonly OwnedMachine[],
  now: number,
): Promise<void> {
  const fleet = Map.groupBy(machines, ({ organizationId }) => organizationId);
  const { rows } = await client.query<{ ruleId: number; open: number; fresh: number; many: string | null }>(
    `select rule_id as "ruleId", count(*) filter (where stream_id is not null)::int as open,
       count(*) filter (where stream_id is not null and is_news and at > $1)::int as fresh,
       max(id) filter (where stream_id is null)::text as many
     from alert where kind = 'silent' and until is null and withdrawn_at is null group by rule_id`,
    [new Date(now - SILENT_TOGETHER_MS)],
  );
  for (const { ruleId, open, fresh, many } of rows) {
    const rule = rules.find(({ id }) => id === ruleId);
    if (!rule) continue;
    const all = fleet.get(rule.organizationId)?.length ?? 0;
    if (many !== null) {
      if (!isManyAtOnce(open, all)) {
        const { rows: known } = await client.query<{ since: number; at: number }>(
          'select extract(epoch from since)::float8 * 1000 as since, extract(epoch from at)::float8 * 1000 as at from alert where id = $1',
          [many],
        );
        const times = known[0] ?? { since: now, at: now };
        const changed = [{ id: many, ...times, until: now }];
        await recordFindings(client, webhooks, { begun: [], changed, withdrawn: [], ended: [] }, now);
      } else await hush(client, ruleId, now);
      continue;
    }
    if (!isManyAtOnce(fresh, all)) continue;
    const words = `${fresh} van de ${all} machines tegelijk stil: waarschijnlijk het netwerk`;
    const begun: Beginning = {
      ruleId,
      version: rule.version,
      streamId: null,
      kind: rule.kind,
      words,
      since: now,
      at: now,
      until: null,
      isNews: true,
      dueAt: now,
    };
    await hush(client, ruleId, now);
    await recordFindings(client, webhooks, { begun: [begun], changed: [], withdrawn: [], ended: [] }, now);
  }
}

/** What began lately of a rule is told as one. */
async function hush(client: Transaction, ruleId: number, now: number): Promise<void> {
  await client.query(
    `delete from alert_outbox b using alert x where x.id = b.alert_id and x.rule_id = $1 and x.stream_id is not null
       and x.kind = 'silent' and x.at > $2 and b.message_id is null`,
    [ruleId, new Date(now - SILENT_TOGETHER_MS)],
  );
}
