import type { UsualDays } from '#server/fleet-figures/usual-days.ts';
import { LOCKS } from '#server/platform/advisory-locks.ts';
import { inTransaction, type Transaction } from '#server/platform/database.ts';
import {
  ALERT_KIND_NAMES,
  type AlertKind,
  isOfOperators,
  isOfReadings,
  isOfTheClock,
  type OperatorKind,
} from '#shared/domain/alerts/kinds.ts';
import { judgeOperating } from '#shared/domain/alerts/operating.ts';
import {
  type Found,
  isManyAtOnce,
  judgeStanding,
  SILENT_TOGETHER_MS,
} from '#shared/domain/alerts/standing.ts';
import { faultKey } from '#shared/domain/fault-codes.ts';
import type { AlertWatched } from './alert-watch.ts';
import { readOperating } from './operating.store.ts';
import { type Beginning, GROUP_MS, recordFindings } from './record.ts';
import { type ClockRule, readStandings, withTime } from './standings.store.ts';
import {
  type ActiveRule,
  activeRules,
  coverage,
  keyOf,
  type OwnedMachine,
  ownedMachines,
} from './watched.store.ts';
import { readWorkTimes } from './work-time.ts';

/** Looks at the clock for what no reading tells: silence, a shift that begins, the portal itself (docs/alerts.md section 3). */

/** One process at a time. */
/** ms; without a look for so long the portal was away, and for so long after that nothing begins. */
const AWAY_MS = 10 * 60_000;
/** Of how many machines it is told until when they may be plugged in: of a whole fleet nobody reads that. */
const MOST_TIMED = 200;

const isClockRule = (rule: ActiveRule): rule is ClockRule => isOfTheClock(rule.kind);
type OperatorRule = ActiveRule & { readonly kind: OperatorKind };
const isOperatorRule = (rule: ActiveRule): rule is OperatorRule => isOfOperators(rule.kind);

/** Safe to repeat, in every process. */
export const lookAtClock = ({ pool, webhooks, now }: AlertWatched, usualDays: UsualDays): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      LOCKS.alertClock,
    ]);
    if (!rows[0]?.mine) return;
    const nowMs = now();
    await endOfOthers(client, nowMs);
    const since = await noteLook(client, nowMs);
    const active = await activeRules(client);
    const rules = active.filter(isClockRule);
    const open = await openOfClock(client);
    if (open.length === 0 && active.every(({ kind }) => isOfReadings(kind))) return;
    const organizations = [...new Set(rules.map(({ organizationId }) => organizationId))];
    const machines = await ownedMachines(client, organizations, null);
    const covers = await coverage(client, rules, nowMs);
    const standings = await readStandings(client, { rules, machines, covers, usualDays }, nowMs);
    const openAt = new Map(
      open.map(({ key, streamId, subject, atMs }) => [placeOf(key, streamId, subject), atMs]),
    );

    const openOf = Map.groupBy(open, ({ key, streamId }) => placeOf(key, streamId, ''));
    const found = new Map<string, Seen>();
    for (const rule of rules)
      for (const machine of machines) {
        const standing = standings.get(machine.streamId);
        if (!standing || !covers(rule, machine)) continue;
        const at = openAt.get(placeOf(keyOf(rule), machine.streamId, ''));
        const own = openOf.get(placeOf(keyOf(rule), machine.streamId, '')) ?? [];
        const subjects = new Set(own.map(({ subject }) => subject));
        for (const what of judgeStanding(rule.kind, standing, rule.settings, nowMs, at, subjects))
          found.set(placeOf(keyOf(rule), machine.streamId, what.subject), { rule, machine, what });
      }
    for (const seen of await findOfPortal(client, active.filter(isOperatorRule), open, nowMs))
      found.set(placeOf(keyOf(seen.rule), null, seen.what.subject), seen);

    // Many at once are told of below. A clock that was set back ends nothing of what was told before.
    const over = new Set(
      open.filter(
        ({ key, kind, streamId, subject, atMs }) =>
          atMs <= nowMs &&
          (streamId !== null || isOfOperators(kind)) &&
          !found.has(placeOf(key, streamId, subject)),
      ),
    );
    const changed = [...over].map(({ id, kind, sinceMs, atMs, streamId, subject }) => {
      const { heardAt = nowMs, faults = [] } = standings.get(streamId ?? 0) ?? {};
      const endings = faults.flatMap((fault) => (faultKey(fault) === subject ? [fault.over ?? nowMs] : []));
      // Silence is over when something came in, a fault when its ECU says so, all else when it is seen to be.
      const until =
        kind === 'silent' || kind === 'unseen' ? heardAt : endings.length > 0 ? Math.max(...endings) : nowMs;
      return { id, since: sinceMs, at: atMs, until: Math.max(until, atMs) };
    });
    await recordFindings(client, webhooks, { begun: [], changed, withdrawn: [], ended: [] }, nowMs);

    if (nowMs - since >= AWAY_MS) {
      for (const { key, streamId, subject } of open) found.delete(placeOf(key, streamId, subject));
      const isWorkTime = await readWorkTimes(client, machines, { from: nowMs, to: nowMs });
      const before = await openOfVersionsBefore(client);
      const begun: Beginning[] = [];
      for (const { rule, machine, what } of found.values()) {
        if (rule.hours === 'work' && !isWorkTime(machine?.streamId ?? 0)(nowMs)) continue;
        const { kind } = rule;
        const standing = machine && standings.get(machine.streamId);
        const isTimed = kind === 'not-full' && begun.length < MOST_TIMED;
        const timed = isTimed && standing && (await withTime(client, machine, standing, nowMs));
        const { words, value } = (timed && judgeStanding(kind, timed, rule.settings, nowMs)[0]) || what;
        begun.push({
          ruleId: rule.id,
          version: rule.version,
          streamId: machine?.streamId ?? null,
          subject: what.subject,
          kind,
          words,
          value,
          since: what.since,
          at: nowMs,
          until: null,
          // A state from before the rule is news once, and not again when the rule is changed.
          isNews:
            what.at > rule.validFrom ||
            !before.has(placeOf(String(rule.id), machine?.streamId ?? null, what.subject)),
          dueAt: nowMs + (kind === 'silent' ? SILENT_TOGETHER_MS : GROUP_MS),
        });
      }
      await recordFindings(client, webhooks, { begun, changed: [], withdrawn: [], ended: [] }, nowMs);
    }
    await recordManyAtOnce(client, webhooks, rules, machines, nowMs);
  });

type Seen = {
  readonly rule: ClockRule | OperatorRule;
  /** undefined: it is of the portal itself. */
  readonly machine?: OwnedMachine;
  readonly what: Found;
};

async function findOfPortal(
  client: Transaction,
  rules: readonly OperatorRule[],
  open: readonly OpenOfClock[],
  now: number,
): Promise<Seen[]> {
  const operating = await readOperating(client, new Set(rules.map(({ kind }) => kind)), now);
  return rules.flatMap((rule) => {
    const own = open.filter(({ key }) => key === keyOf(rule)).map(({ subject }) => subject);
    const found = judgeOperating(rule.kind, operating, rule.settings, now, new Set(own));
    return found.map((what) => ({ rule, what }));
  });
}

/** Returns what was open when a rule got its present version, by rule, machine and subject. */
async function openOfVersionsBefore(client: Transaction): Promise<Set<string>> {
  const { rows } = await client.query<{ ruleId: number; streamId: number | null; subject: string }>(
    `select x.rule_id as "ruleId", x.stream_id as "streamId", x.subject from alert x join alert_rule r on r.id = x.rule_id
     where x.kind = any ($1) and x.version < r.version and x.withdrawn_at is null
       and (x.until is null or x.until >= r.valid_from - interval '1 minute')`,
    [ALERT_KIND_NAMES.filter((kind) => !isOfReadings(kind))],
  );
  return new Set(rows.map(({ ruleId, streamId, subject }) => placeOf(String(ruleId), streamId, subject)));
}

/** Of a rule's version and a machine: of each one alert is open. */
const placeOf = (key: string, streamId: number | null, subject: string): string =>
  `${key} ${streamId} ${subject}`;

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

type OpenOfClock = {
  readonly id: string;
  readonly kind: AlertKind;
  readonly key: string;
  readonly streamId: number | null;
  readonly subject: string;
  readonly sinceMs: number;
  readonly atMs: number;
};

async function openOfClock(client: Transaction): Promise<OpenOfClock[]> {
  const { rows } = await client.query<OpenOfClock>(
    `select id, kind, rule_id || '.' || version as key, stream_id as "streamId", subject,
       extract(epoch from since)::float8 * 1000 as "sinceMs", extract(epoch from at)::float8 * 1000 as "atMs"
     from alert where kind = any ($1) and until is null and withdrawn_at is null order by id`,
    [ALERT_KIND_NAMES.filter((kind) => !isOfReadings(kind))],
  );
  return rows;
}

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
       count(*) filter (where stream_id is not null and is_news and at > $1
         and since + make_interval(hours => (r.settings ->> 'threshold')::int) > r.valid_from)::int as fresh,
       max(x.id) filter (where stream_id is null)::text as many
     from alert x join alert_rule r on r.id = x.rule_id
     where x.kind = 'silent' and until is null and withdrawn_at is null group by rule_id`,
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
      subject: '',
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
