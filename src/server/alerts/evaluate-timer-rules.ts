import type { UsualDaysCache } from '#server/fleet-figures/usual-days.ts';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { inTransaction, type Transaction } from '#server/platform/database.ts';
import { EVALUATIONS, evaluateTimerRule } from '#shared/domain/alerts/evaluations.ts';
import type { AlertFinding } from '#shared/domain/alerts/kinds/kind.ts';
import { isSharedSilence, SHARED_SILENCE_WINDOW_MS } from '#shared/domain/alerts/kinds/silent.ts';
import {
  type AlertKind,
  alertKindsWith,
  factRequiredByKind,
  isOperatorKind,
  isTimerAlertKind,
  type OperatorAlertKind,
} from '#shared/domain/alerts/kinds.ts';
import {
  type ActiveRule,
  type OwnedMachine,
  readActiveRules,
  readOwnedMachines,
  readRuleCoverage,
  ruleVersionKey,
} from './active-rules.store.ts';
import type { EvaluationContext } from './evaluate-readings.ts';
import { addExpectedChargeDuration, readMachineStates, type TimerRule } from './machine-states.store.ts';
import { readPortalState } from './portal-state.store.ts';
import { GROUP_WAIT_MS, GROUPED_KINDS, type NewAlert, recordAlerts } from './record-alerts.ts';
import { readWorkTimes } from './work-time.ts';

/** Evaluates rules that no reading triggers: silence, the start of a shift, the portal itself (docs/alerts.md section 3). */

/** If no evaluation ran for this long, the portal counts as having been down, and opens no alerts for this long after its return. */
const AWAY_MS = 10 * 60_000;
/** Maximum number of new alerts per run that state the latest plug-in time, which takes a query each. */
const MAX_ALERTS_WITH_PLUG_IN_TIME = 200;

const isClockRule = (rule: ActiveRule): rule is TimerRule => isTimerAlertKind(rule.kind);
/** Kinds whose alerts this evaluation opens and resolves. */
const EVALUATED_KINDS = alertKindsWith(({ source }) => source === 'clock' || source === 'portal');

type OperatorRule = ActiveRule & { readonly kind: OperatorAlertKind };
const isOperatorRule = (rule: ActiveRule): rule is OperatorRule => isOperatorKind(rule.kind);

/** Evaluates timer rules in one transaction, unless another process is doing so. Safe to repeat. */
export const evaluateTimerRules = (
  { pool, webhooks, now }: EvaluationContext,
  usualDays: UsualDaysCache,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.alertClock,
    ]);
    if (!rows[0]?.mine) return;
    const nowMs = now();
    await resolveOrphans(client, nowMs);
    const since = await noteEvaluation(client, nowMs);
    const active = await readActiveRules(client);
    const rules = active.filter(isClockRule);
    const open = await readOpenAlerts(client);
    if (open.length === 0 && active.every(({ kind }) => !EVALUATED_KINDS.includes(kind))) return;
    const organizations = [...new Set(rules.map(({ organizationId }) => organizationId))];
    const machines = await readOwnedMachines(client, organizations, null);
    const covers = await readRuleCoverage(client, rules, nowMs);
    const machineStates = await readMachineStates(client, { rules, machines, covers, usualDays }, nowMs);
    const openAt = new Map(
      open.map(({ key, streamId, subject, atMs }) => [alertKey(key, streamId, subject), atMs]),
    );

    const openOf = Map.groupBy(open, ({ key, streamId }) => alertKey(key, streamId, ''));
    const found = new Map<string, RuleFinding>();
    for (const rule of rules)
      for (const machine of machines) {
        const machineState = machineStates.get(machine.streamId);
        if (!machineState || !covers(rule, machine)) continue;
        const at = openAt.get(alertKey(ruleVersionKey(rule), machine.streamId, ''));
        const own = openOf.get(alertKey(ruleVersionKey(rule), machine.streamId, '')) ?? [];
        const subjects = new Set(own.map(({ subject }) => subject));
        for (const what of evaluateTimerRule(rule.kind, machineState, rule.settings, nowMs, at, subjects))
          found.set(alertKey(ruleVersionKey(rule), machine.streamId, what.subject), { rule, machine, what });
      }
    for (const finding of await evaluatePortalRules(client, active.filter(isOperatorRule), open, nowMs))
      found.set(alertKey(ruleVersionKey(finding.rule), null, finding.what.subject), finding);

    // Skips the alert about many machines, which recordManyAtOnce resolves, and alerts in the future: the clock was set back.
    const resolved = new Set(
      open.filter(
        ({ key, kind, streamId, subject, atMs }) =>
          atMs <= nowMs &&
          (streamId !== null || isOperatorKind(kind)) &&
          !found.has(alertKey(key, streamId, subject)),
      ),
    );
    const changed = [...resolved].map(({ id, kind, sinceMs, atMs, streamId, subject }) => {
      const machineState = machineStates.get(streamId ?? 0);
      const endedAt =
        isTimerAlertKind(kind) && machineState && EVALUATIONS[kind].endedAt?.(machineState, subject);
      return { id, since: sinceMs, at: atMs, until: Math.max(endedAt || nowMs, atMs) };
    });
    await recordAlerts(client, webhooks, { opened: [], changed, withdrawn: [], ended: [] }, nowMs);

    if (nowMs - since >= AWAY_MS) {
      for (const { key, streamId, subject } of open) found.delete(alertKey(key, streamId, subject));
      const isWorkTime = await readWorkTimes(client, machines, { from: nowMs, to: nowMs });
      const before = await readOpenOfVersionsBefore(client);
      const opened: NewAlert[] = [];
      for (const { rule, machine, what } of found.values()) {
        if (rule.hours === 'work' && !isWorkTime(machine?.streamId ?? 0)(nowMs)) continue;
        const { kind } = rule;
        const machineState = machine && machineStates.get(machine.streamId);
        const isTimed =
          factRequiredByKind(kind) === 'forecast' && opened.length < MAX_ALERTS_WITH_PLUG_IN_TIME;
        const timed =
          isTimed && machineState && (await addExpectedChargeDuration(client, machine, machineState, nowMs));
        const { figures, value } =
          (timed && isTimerAlertKind(kind) && evaluateTimerRule(kind, timed, rule.settings, nowMs)[0]) ||
          what;
        if (!figures) continue;
        opened.push({
          ruleId: rule.id,
          version: rule.version,
          streamId: machine?.streamId ?? null,
          subject: what.subject,
          kind,
          figures,
          value,
          since: what.since,
          at: nowMs,
          until: null,
          // If a condition began before the rule, a new rule still notifies, but a changed rule does not notify again.
          notifies:
            what.at > rule.validFrom ||
            !before.has(alertKey(String(rule.id), machine?.streamId ?? null, what.subject)),
          dueAt: nowMs + (GROUPED_KINDS.includes(kind) ? SHARED_SILENCE_WINDOW_MS : GROUP_WAIT_MS),
        });
      }
      await recordAlerts(client, webhooks, { opened, changed: [], withdrawn: [], ended: [] }, nowMs);
    }
    await recordManyAtOnce(client, webhooks, rules, machines, nowMs);
  });

type RuleFinding = {
  readonly rule: TimerRule | OperatorRule;
  /** undefined if the condition is about the portal itself. */
  readonly machine?: OwnedMachine;
  readonly what: AlertFinding;
};

async function evaluatePortalRules(
  client: Transaction,
  rules: readonly OperatorRule[],
  open: readonly OpenAlert[],
  now: number,
): Promise<RuleFinding[]> {
  const portal = await readPortalState(
    client,
    rules.map(({ kind }) => kind),
    now,
  );
  return rules.flatMap((rule) => {
    const own = open.filter(({ key }) => key === ruleVersionKey(rule)).map(({ subject }) => subject);
    const found = EVALUATIONS[rule.kind].evaluate(portal, rule.settings, now, new Set(own));
    return found.map((what) => ({ rule, what }));
  });
}

/** Returns the keys (rule, machine, subject) of the alerts by earlier rule versions that were open when the present version began. */
async function readOpenOfVersionsBefore(client: Transaction): Promise<Set<string>> {
  const { rows } = await client.query<{ ruleId: number; streamId: number | null; subject: string }>(
    `select x.rule_id, x.stream_id, x.subject from alert x join alert_rule r on r.id = x.rule_id
     where x.kind = any ($1) and x.version < r.version and x.withdrawn_at is null
       and (x.until is null or x.until >= r.valid_from - interval '1 minute')`,
    [EVALUATED_KINDS],
  );
  return new Set(rows.map(({ ruleId, streamId, subject }) => alertKey(String(ruleId), streamId, subject)));
}

/** Returns the key of an alert, by rule or rule version, machine and subject: each key has at most one open alert. */
const alertKey = (key: string, streamId: number | null, subject: string): string =>
  `${key} ${streamId} ${subject}`;

/**
 * Stores the time of this evaluation.
 * @returns the time since which evaluations have run without an interruption of AWAY_MS, in ms
 */
async function noteEvaluation(client: Transaction, now: number): Promise<number> {
  const { rows } = await client.query<{ sinceMs: number }>(
    `insert into alert_clock as c (looked_at, since) values ($1, $1)
     on conflict (id) do update set looked_at = $1,
       since = case when abs(extract(epoch from $1 - c.looked_at)) * 1000 > $2 then $1 else c.since end
     returning extract(epoch from since)::float8 * 1000 as since_ms`,
    [new Date(now), AWAY_MS],
  );
  return rows[0]?.sinceMs ?? now;
}

/** Resolves open alerts of machines that were deleted or have another owner now. */
async function resolveOrphans(client: Transaction, now: number): Promise<void> {
  await client.query(
    `update alert x set until = $1 where x.until is null and x.withdrawn_at is null and x.stream_id is not null and not exists (
       select from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
       where s.id = x.stream_id and s.deleted_at is null and w.organization_id = x.organization_id)`,
    [new Date(now)],
  );
}

type OpenAlert = {
  readonly id: string;
  readonly kind: AlertKind;
  readonly key: string;
  readonly streamId: number | null;
  readonly subject: string;
  readonly sinceMs: number;
  readonly atMs: number;
};

async function readOpenAlerts(client: Transaction): Promise<OpenAlert[]> {
  const { rows } = await client.query<OpenAlert>(
    `select id, kind, rule_id || '.' || version as key, stream_id, subject,
       extract(epoch from since)::float8 * 1000 as since_ms, extract(epoch from at)::float8 * 1000 as at_ms
     from alert where kind = any ($1) and until is null and withdrawn_at is null order by id`,
    [EVALUATED_KINDS],
  );
  return rows;
}

/**
 * Opens one alert instead of many when many machines become silent at once, and drops the pending notifications of the single
 * machines. Resolves the alert when fewer machines are silent.
 */
async function recordManyAtOnce(
  client: Transaction,
  webhooks: EvaluationContext['webhooks'],
  rules: readonly ActiveRule[],
  machines: readonly OwnedMachine[],
  now: number,
): Promise<void> {
  const fleet = Map.groupBy(machines, ({ organizationId }) => organizationId);
  const { rows } = await client.query<{ ruleId: number; open: number; fresh: number; many: string | null }>(
    `select rule_id, count(*) filter (where stream_id is not null)::int as open,
       count(*) filter (where stream_id is not null and is_news and at >= $1
         and since + make_interval(hours => (r.settings ->> 'threshold')::int) > r.valid_from)::int as fresh,
       max(x.id) filter (where stream_id is null)::text as many
     from alert x join alert_rule r on r.id = x.rule_id
     where x.kind = any ($2) and until is null and withdrawn_at is null group by rule_id`,
    [new Date(now - SHARED_SILENCE_WINDOW_MS), GROUPED_KINDS],
  );
  for (const { ruleId, open, fresh, many } of rows) {
    const rule = rules.find(({ id }) => id === ruleId);
    if (!rule) continue;
    const all = fleet.get(rule.organizationId)?.length ?? 0;
    if (many !== null) {
      if (!isSharedSilence(open, all)) {
        const { rows: known } = await client.query<{ since: number; at: number }>(
          'select extract(epoch from since)::float8 * 1000 as since, extract(epoch from at)::float8 * 1000 as at from alert where id = $1',
          [many],
        );
        const times = known[0] ?? { since: now, at: now };
        const changed = [{ id: many, ...times, until: now }];
        await recordAlerts(client, webhooks, { opened: [], changed, withdrawn: [], ended: [] }, now);
      } else await dropPendingSilences(client, ruleId, now);
      continue;
    }
    if (!isSharedSilence(fresh, all)) continue;
    const opened: NewAlert = {
      ruleId,
      version: rule.version,
      streamId: null,
      subject: '',
      kind: rule.kind,
      figures: { silent: fresh, all },
      since: now,
      at: now,
      until: null,
      notifies: true,
      dueAt: now,
    };
    await dropPendingSilences(client, ruleId, now);
    await recordAlerts(client, webhooks, { opened: [opened], changed: [], withdrawn: [], ended: [] }, now);
  }
}

/** Drops the pending notifications of machines that became silent recently: the alert about many machines replaces them. */
async function dropPendingSilences(client: Transaction, ruleId: number, now: number): Promise<void> {
  await client.query(
    `delete from alert_outbox b using alert x where x.id = b.alert_id and x.rule_id = $1 and x.stream_id is not null
       and x.kind = any ($3) and x.at >= $2 and b.message_id is null`,
    [ruleId, new Date(now - SHARED_SILENCE_WINDOW_MS), GROUPED_KINDS],
  );
}
