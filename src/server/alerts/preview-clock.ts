import { MAX_SESSION_PAUSE_MS } from '#server/charging-sessions/find-sessions.ts';
import { readActiveFaults } from '#server/fault-codes/fault-codes.store.ts';
import { readHourMeters, readMaintenance } from '#server/maintenance/maintenance.store.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import { EVALUATIONS, evaluateTimerRule } from '#shared/domain/alerts/evaluations.ts';
import { isBeyondLimit, type MachineFactKind } from '#shared/domain/alerts/kinds/kind.ts';
import { isChargingSignal } from '#shared/domain/alerts/kinds/signals.ts';
import {
  ALERT_KINDS,
  kindDefinition,
  type TimerAlertKind,
  thresholdUnitOf,
} from '#shared/domain/alerts/kinds.ts';
import type { MachineState } from '#shared/domain/alerts/machine-state.ts';
import { nextShift, shiftAt, shiftsIn, type WorkWeek } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay, amsterdamDayRange, nextDay } from '#shared/domain/amsterdam-time.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { maintenanceDue } from '#shared/domain/maintenance.ts';
import { firstIndexFrom } from '#shared/domain/readings-in.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import { bucketValuesSql, LOWEST_LEVEL_SQL, readBucketValues } from './buckets.store.ts';
import {
  type FindPastAlerts,
  machineChargeAfter,
  type PreviewedAlert,
  pastMachineState,
  type TimerRulePreview,
} from './past-machine-state.ts';
import { findRunsShortAlerts } from './preview-runs-short.ts';

/** Finds the alerts that timer rules would have raised. Assumes that each reading arrived when it was measured. */

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Returns the function that finds the alerts of a kind, by stream, from the history of the data that the kind needs. */
export const pastAlertFinderOfKind = (kind: TimerAlertKind): FindPastAlerts =>
  FINDERS[ALERT_KINDS[kind].needs];

const FINDERS: Readonly<Record<MachineFactKind, FindPastAlerts>> = {
  'last-seen': findSilences,
  forecast: findNotFull,
  'usual-day': findRunsShortAlerts,
  plans: findMaintenance,
  faults: findFaults,
};

/** Returns the alerts that a rule would have opened if a timer had evaluated it at these times (ms, in order) with these facts. */
function replay(
  { rule: { kind, settings, hours }, week }: TimerRulePreview,
  evaluations: Iterable<readonly [now: number, facts: Partial<MachineState>]>,
): PreviewedAlert[] {
  const alerts: PreviewedAlert[] = [];
  let open = new Map<string, PreviewedAlert>();
  for (const [now, facts] of evaluations) {
    const machine = pastMachineState(week, facts);
    const mayOpen = hours !== 'work' || shiftAt(week, now) !== undefined;
    const still = new Map<string, PreviewedAlert>();
    const isOpen = new Set(open.keys());
    for (const { subject, since, figures } of evaluateTimerRule(
      kind,
      machine,
      settings,
      now,
      undefined,
      isOpen,
    )) {
      const known = open.get(subject) ?? (mayOpen && figures ? { since, at: now, figures } : undefined);
      if (known) still.set(subject, known);
    }
    for (const [subject, one] of open)
      if (!still.has(subject))
        alerts.push({ ...one, until: EVALUATIONS[kind].endedAt?.(machine, subject) ?? now });
    open = still;
  }
  return [...alerts, ...open.values()];
}

/** Longest gap between two shifts for which the preview still finds a silence that began before the gap. */
const MAX_REST_MS = 14 * DAY_MS;

async function findSilences(
  db: Database,
  { rule, week, range }: TimerRulePreview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const { kind, settings, hours } = rule;
  const shortest = (settings.threshold ?? 0) * (thresholdUnitOf(kind) === 'uur' ? HOUR_MS : MINUTE_MS);
  // A kind with its own working hours may open its alert only in the next shift, long after the silence began.
  const back = kindDefinition(kind).hasOwnHours ? MAX_REST_MS : shortest + DAY_MS;
  const silences = await readSilences(db, machines, { ...range, from: range.from - back }, shortest);
  return new Map(
    machines.map(({ streamId, ownedSince }) => {
      const own = (silences.get(streamId) ?? []).filter(({ to }) => to > ownedSince);
      return [
        streamId,
        own.flatMap((silence): PreviewedAlert[] => {
          const lastSeenAt = Math.max(silence.from, ownedSince);
          const evaluate = (now: number) =>
            evaluateTimerRule(kind, pastMachineState(week, { lastSeenAt }), settings, now)[0];
          const found = evaluate(silence.to - 1);
          const at = found && (hours === 'work' ? firstOfWork(week, found.at) : found.at);
          const figures = at === undefined ? undefined : (evaluate(at) ?? found)?.figures;
          if (!found || !figures || at === undefined || at >= silence.to) return [];
          return [{ since: found.since, at, figures, ...(silence.to < range.to && { until: silence.to }) }];
        }),
      ];
    }),
  );
}

const firstOfWork = (week: WorkWeek, at: number): number | undefined =>
  shiftAt(week, at) ? at : nextShift(week, at)?.from;

/** Returns silences by stream: from the last reading before a silence to the first one after it, or to the end of the range. */
async function readSilences(
  db: Database,
  machines: readonly OwnedMachine[],
  range: Range,
  shortest: number,
): Promise<Map<number, Range[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const reporting = await readBucketValues(db, bucketValuesSql('0'), streamIds, range);
  const pairs = [...reporting].flatMap(([streamId, buckets]) =>
    buckets.flatMap(({ time: start }, n) => {
      const next = buckets[n + 1]?.time;
      const end = next === undefined ? range.to : next + BUCKET_MS;
      return end - start > Math.max(shortest, 2 * BUCKET_MS) ? [{ streamId, start, next }] : [];
    }),
  );
  const ofBuckets = (starts: readonly { readonly streamId: number; readonly start: number }[]) =>
    readReadingsInRanges(
      db,
      starts.map(({ streamId, start }) => ({ streamId, from: start, to: start + BUCKET_MS })),
      [],
    );
  const before = await ofBuckets(pairs);
  // A silence without a next bucket lasts until the end of the range.
  const after = await ofBuckets(pairs.map(({ streamId, next }) => ({ streamId, start: next ?? range.to })));
  const silences = pairs.map(({ streamId, start, next }, n) => ({
    streamId,
    from: before[n]?.at(-1)?.time ?? start,
    to: (next === undefined ? undefined : after[n]?.[0]?.time) ?? range.to,
  }));
  return Map.groupBy(silences, ({ streamId }) => streamId);
}

/**
 * Evaluates each shift twice: at the first moment at which the rule may notify, and a minute before the shift. An alert that would have
 * opened and resolved between these two moments is not found.
 */
async function findNotFull(
  db: Database,
  { rule, week, range }: TimerRulePreview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const { kind, settings } = rule;
  const { ahead = 0, threshold } = settings;
  const shifts = shiftsIn(week, { from: range.from, to: range.to + ahead * MINUTE_MS });
  const streamIds = machines.map(({ streamId }) => streamId);
  const lows = await readBucketValues(db, bucketValuesSql(LOWEST_LEVEL_SQL), streamIds, {
    ...range,
    from: range.from - DAY_MS,
  });
  const asked = machines.flatMap((machine) => {
    const own = (lows.get(machine.streamId) ?? []).filter(({ time }) => time >= machine.ownedSince);
    return shifts.flatMap(({ from: begin }) =>
      [begin - ahead * MINUTE_MS, begin - MINUTE_MS].flatMap((at) => {
        const place = at < range.from || at > range.to ? 0 : firstIndexFrom(own, at);
        const [last, before] = [own[place - 1], own[place - 2]];
        if (!last || last.time < at - DAY_MS) return [];
        const near = before && before.time >= last.time - BUCKET_MS ? [last, before] : [last];
        const isLow = near.some(({ count }) => isBeyondLimit('below', count, threshold));
        const { streamId } = machine;
        const to = Math.min(last.time + BUCKET_MS, at + 1);
        return isLow ? [{ streamId, machine, begin, at, from: last.time - BUCKET_MS, to }] : [];
      }),
    );
  });
  const readings = await readReadingsInRanges(db, asked, isChargingSignal);
  // At most one alert per shift.
  const found = new Map<number, (PreviewedAlert & { begin: number })[]>(
    streamIds.map((streamId) => [streamId, []]),
  );
  for (const [n, { streamId, machine, begin, at }] of asked.entries()) {
    const alerts = found.get(streamId) ?? [];
    const charge = machineChargeAfter(readings[n] ?? []);
    if (!charge || alerts.at(-1)?.begin === begin) continue;
    const full = charge.isCharging ? await forecastAt(db, streamId, at, machine.ownedSince) : undefined;
    const known = pastMachineState(week, { charge: { ...charge, full } });
    const [what] = evaluateTimerRule(kind, known, settings, at);
    const until = begin <= range.to ? begin : undefined;
    if (what?.figures) alerts.push({ begin, since: what.since, at, figures: what.figures, until });
  }
  return found;
}

/** Returns the newest forecast made until `at` of the charge that was going on at `at`; undefined if there is none. */
async function forecastAt(
  db: Database,
  streamId: number,
  at: number,
  ownedSince: number,
): Promise<Range | undefined> {
  const { rows } = await shardForStream(db, streamId).query<Range>(
    `select date_part('epoch', f.from_time) * 1000 as "from", date_part('epoch', f.to_time) * 1000 as "to" from telemetry.charge_forecast f
     where f.stream_id = $1 and f.at <= $2 and f.at >= (
       select max(from_time) from telemetry.charging_session c where c.stream_id = $1 and c.from_time <= $2 and c.from_time >= to_timestamp($3::float8 / 1000)
         and c.to_time > $2::timestamptz - interval '${MAX_SESSION_PAUSE_MS} milliseconds')
     order by f.at desc limit 1`,
    [streamId, new Date(at), ownedSince],
  );
  return rows[0];
}

/** Evaluates the present plans at the end of each day: earlier maintenance is not considered. */
async function findMaintenance(
  db: Database,
  preview: TimerRulePreview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const { range } = preview;
  const streamIds = machines.map(({ streamId }) => streamId);
  const plans = await readMaintenance(db, streamIds, range.to);
  const meters = await readHourMeters(db, [...plans.keys()]);
  const running = await readBucketValues(db, bucketValuesSql('running_ms'), [...plans.keys()], range);
  const ends: number[] = [];
  for (let day = amsterdamDay(range.from); (ends.at(-1) ?? 0) < range.to; day = nextDay(day))
    ends.push(Math.min(amsterdamDayRange(day)?.to ?? range.to, range.to));
  return new Map(
    [...plans].map(([streamId, own]) => {
      const ran = running.get(streamId) ?? [];
      const evaluations = ends.map((now) => {
        const day = amsterdamDay(now - 1);
        const since = ran.reduce((sum, { time, count }) => (time >= now ? sum + count : sum), 0);
        const hours = (meters.get(streamId) ?? 0) - since / HOUR_MS;
        const known = own.filter(({ lastDay }) => lastDay <= day);
        const due = known.map((plan) => ({ ...plan, ...maintenanceDue(plan, hours, day) }));
        return [now, { plans: due }] as const;
      });
      return [streamId, replay(preview, evaluations)];
    }),
  );
}

/** Evaluates fault codes whenever an episode may open or close an alert, as if each DM1 arrived when it was sent. */
async function findFaults(
  db: Database,
  preview: TimerRulePreview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const { rule, week, range } = preview;
  const holdMs = (rule.settings.hold ?? 0) * MINUTE_MS;
  const clearMs = (rule.settings.clearHold ?? 0) * MINUTE_MS;
  const shifts = rule.hours === 'work' ? shiftsIn(week, range).map(({ from }) => from) : [];
  const active = await readActiveFaults(db, machines, range.from);
  return new Map(
    [...active].map(([streamId, faults]) => {
      const begins = [...faults.map(({ since }) => since + holdMs), ...shifts];
      const ends = faults.flatMap(({ over }) => (over === null ? [] : [over + clearMs]));
      // If a code returns at the moment at which an alert about it ends, the return opens another alert.
      const moments = [
        ...ends.map((now) => [now, now - 1] as const),
        ...begins.map((now) => [now, now] as const),
      ]
        .filter(([now]) => now < range.to)
        .sort(([one, oneTo], [other, otherTo]) => one - other || oneTo - otherTo);
      function* evaluations() {
        for (const [now, knownTo] of moments) {
          const known = faults.filter(
            ({ since, over }) => since <= knownTo && (over ?? now) + clearMs >= now,
          );
          const seen = known.map(({ lastSeen, over, ...fault }) => ({
            ...fault,
            lastSeen: Math.min(lastSeen, now),
            over: over !== null && over <= now ? over : null,
          }));
          yield [now, { faults: seen }] as const;
        }
      }
      return [streamId, replay(preview, evaluations()).filter(({ at }) => at >= range.from)];
    }),
  );
}
