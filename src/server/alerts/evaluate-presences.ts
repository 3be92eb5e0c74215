import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { type Database, inTransaction, type Transaction } from '#server/platform/database.ts';
import { ALERT_KIND_NAMES, isPresenceKind, type PresenceAlertKind } from '#shared/domain/alerts/kinds.ts';
import { findPresenceEvents, type PresenceEvent } from '#shared/domain/alerts/presence-events.ts';
import { type RecordedAlert, reconcileAlerts } from '#shared/domain/alerts/reconcile.ts';
import type { Episode } from '#shared/domain/alerts/watch.ts';
import {
  type ActiveRule,
  type OwnedMachine,
  type RuleMachineSelection,
  readActiveRules,
  readOwnedMachines,
  readRuleCoverage,
  ruleVersionKey,
} from './active-rules.store.ts';
import { type EvaluationContext, MAX_NOTIFIED_AGE_MS } from './evaluate-readings.ts';
import {
  haveRangesPositions,
  type MachinePresences,
  type NamedPlaces,
  readMachinePresences,
  readNamedPlaces,
  savePresenceProgress,
} from './presences.store.ts';
import { type AlertChanges, GROUP_WAIT_MS, type NewAlert, recordAlerts } from './record-alerts.ts';
import { readWorkTimes, type WorkTimeCheck } from './work-time.ts';

/** Evaluates rules of arrivals and departures, by the presences that are computed from readings (docs/alerts.md section 3). */

const DAY_MS = 86_400_000;

export type PresenceRule = ActiveRule & { readonly kind: PresenceAlertKind };
const isPresenceRule = (rule: ActiveRule): rule is PresenceRule => isPresenceKind(rule.kind);

/** Evaluates presence rules in one transaction, unless another process is doing so. Safe to repeat. */
export const evaluatePresences = ({ pool, webhooks, now }: EvaluationContext): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.alertPresences,
    ]);
    const rules = rows[0]?.mine ? (await readActiveRules(client)).filter(isPresenceRule) : [];
    if (rules.length === 0) return;
    const nowMs = now();
    const organizations = [...new Set(rules.map(({ organizationId }) => organizationId))];
    const owned = new Map(
      (await readOwnedMachines(client, organizations, null)).map((machine) => [machine.streamId, machine]),
    );
    const covers = await readRuleCoverage(client, rules, nowMs);
    const places = await readNamedPlaces(client, organizations);
    const range = { from: nowMs - 2 * DAY_MS, to: nowMs };
    const isWorkTime = await readWorkTimes(client, [...owned.values()], range);
    const presences = await readMachinePresences(client, [...owned.values()], nowMs - 2 * DAY_MS);
    const recorded = await readRecorded(client, presences, nowMs);
    for (const isSilent of [true, false]) {
      const changes = presences
        .filter(({ before, projects: entered }) => isSilent === (before?.projects !== entered))
        .map((one) => {
          const machine = owned.get(one.streamId) as OwnedMachine;
          const own = rules.filter((rule) => covers(rule, machine));
          const events = findPlaceEvents(one, machine, places, nowMs);
          const found = own.flatMap((rule) =>
            presenceEpisodesOfRule(rule, machine, events, places, isWorkTime(one.streamId)),
          );
          return changesOf(one, own, found, recorded.get(one.streamId) ?? [], nowMs);
        });
      const opened = changes.flatMap((one) => one.opened);
      const wereElsewhere = await wereSeenElsewhere(client, opened);
      await recordAlerts(
        client,
        webhooks,
        {
          opened: opened.map((one, n) => ({
            ...one,
            notifies: one.notifies && !isSilent && wereElsewhere[n] === true,
          })),
          changed: changes.flatMap(({ changed }) => changed),
          withdrawn: changes.flatMap(({ withdrawn }) => withdrawn),
          ended: changes.flatMap(({ ended }) => ended),
        },
        nowMs,
        isSilent,
      );
    }
    await savePresenceProgress(client, presences);
  });

/** An arrival or departure; `projectId` is the id of a terrein if `place` is 'terrein'. */
export type PlaceEvent = PresenceEvent & { readonly place: keyof NamedPlaces };

/**
 * Returns the arrivals and departures of a machine on projects and, independently, on terreinen.
 * @param now ms
 */
export function findPlaceEvents(
  { parts, terreinParts, computedTo, cuts }: MachinePresences,
  { ownedSince }: Pick<OwnedMachine, 'ownedSince'>,
  places: NamedPlaces,
  now: number,
): PlaceEvent[] {
  const machine = { computedTo, ownedSince };
  return [
    ...findPresenceEvents(parts, places.project, { ...machine, cuts }, now).map((event) => ({
      ...event,
      place: 'project' as const,
    })),
    ...findPresenceEvents(terreinParts, places.terrein, { ...machine, cuts: [] }, now).map((event) => ({
      ...event,
      place: 'terrein' as const,
    })),
  ];
}

/** Returns the subject of an alert: the id of a project, or 't' and the id of a terrein. */
const subjectOf = ({ place, projectId }: Pick<PlaceEvent, 'place' | 'projectId'>): string =>
  place === 'terrein' ? `t${projectId}` : String(projectId);

const LIMITED_TO: Readonly<Record<keyof NamedPlaces, RuleMachineSelection>> = {
  project: 'projects',
  terrein: 'terreinen',
};

/** Whether a rule covers the place of an event; a rule that is not limited to projects or terreinen covers all places. */
function coversPlace({ machines, ids }: PresenceRule, { place, projectId }: PlaceEvent): boolean {
  if (machines !== 'projects' && machines !== 'terreinen') return true;
  return machines === LIMITED_TO[place] && ids.includes(projectId);
}

/** The episode (the period of an alert) that one arrival or departure causes by one rule. */
export type PresenceEpisode = Episode &
  Pick<PlaceEvent, 'kind' | 'place' | 'projectId' | 'changed'> & { readonly rule: PresenceRule };

/** Returns the episodes of the events that a rule covers. */
export const presenceEpisodesOfRule = (
  rule: PresenceRule,
  { ownedSince }: Pick<OwnedMachine, 'ownedSince'>,
  events: readonly PlaceEvent[],
  places: NamedPlaces,
  isWorkTime: WorkTimeCheck,
): PresenceEpisode[] =>
  events
    .filter(
      (event) =>
        event.kind === rule.kind &&
        coversPlace(rule, event) &&
        event.at > Math.max(rule.validFrom, ownedSince) &&
        (rule.hours === 'always' || isWorkTime(event.at) === (rule.hours === 'work')),
    )
    .map(({ kind, place, projectId, at, until, changed }) => ({
      key: `${ruleVersionKey(rule)} ${subjectOf({ place, projectId })}`,
      rule,
      kind,
      place,
      projectId,
      changed,
      since: at,
      at,
      seen: at,
      ...(until !== undefined && { until }),
      figures: { place: places[place].get(projectId)?.name ?? '' },
    }));

type RecordedEvent = RecordedAlert & { readonly rule: string };
type Begun = NewAlert & Pick<PresenceEpisode, 'kind' | 'changed'> & { readonly streamId: number };

/** Compares the episodes of a machine with its recorded alerts, and returns the alerts to open, to change, to withdraw and to end. */
function changesOf(
  { streamId, before }: MachinePresences,
  rules: readonly PresenceRule[],
  found: readonly PresenceEpisode[],
  recorded: readonly RecordedEvent[],
  now: number,
): Omit<AlertChanges, 'opened'> & { readonly opened: readonly Begun[] } {
  const from = now - DAY_MS;
  const ruleOf = new Map(rules.map((rule) => [ruleVersionKey(rule), rule]));
  const watched = recorded.filter(({ rule }) => ruleOf.has(rule));
  const {
    opened,
    changed: moved,
    withdrawn,
  } = reconcileAlerts(
    watched,
    found.filter(({ until }) => until === undefined || until > from),
    from,
  );
  const changed = moved.map(({ id, now: { since, at, until } }) => ({ id, since, at, until: until ?? null }));
  const isLookedFor = new Set(changed.map(({ id }) => id));
  const old = watched.filter(({ id, at, until }) => until === null && at <= from && !isLookedFor.has(id));
  return {
    opened: (opened as readonly PresenceEpisode[]).map((episode) => {
      const { kind, at, place, projectId, rule } = episode;
      const { next, outSince } = (place === 'terrein' ? before?.state.terrein : before?.state) ?? {};
      // An event from before the previous evaluation notifies only if the machine's arrival or departure was not yet certain then.
      const isPending =
        kind === 'left' ? outSince === at : next?.projectId === projectId && next.since === at;
      const isFresh = before !== null && (at > before.computedTo || isPending);
      return {
        ...episode,
        ruleId: rule.id,
        version: rule.version,
        streamId,
        subject: subjectOf({ place, projectId }),
        until: episode.until ?? null,
        notifies: isFresh && now - at <= MAX_NOTIFIED_AGE_MS,
        dueAt: now + GROUP_WAIT_MS,
      };
    }),
    changed: [...changed, ...old.map(({ id, since, at }) => ({ id, since, at, until: at + DAY_MS }))],
    withdrawn,
    ended: recorded.filter(({ rule, until }) => until === null && !ruleOf.has(rule)).map(({ id }) => id),
  };
}

type EventRange = Pick<PresenceEpisode, 'kind' | 'at' | 'changed'> & { readonly streamId: number };

/**
 * Returns for each event whether the machine was seen elsewhere first: a machine that was already there when people drew the area has not
 * arrived.
 */
export async function wereSeenElsewhere(db: Database, events: readonly EventRange[]): Promise<boolean[]> {
  const known = await haveRangesPositions(
    db,
    events.map(({ streamId, changed, at }) => ({ streamId, from: changed, to: at })),
  );
  return events.map(({ kind }, n) => kind === 'left' || known[n] === true);
}

/** Returns the recorded presence alerts that are open or were open in the last day, by stream. */
async function readRecorded(
  client: Transaction,
  machines: readonly MachinePresences[],
  now: number,
): Promise<Map<number, RecordedEvent[]>> {
  const { rows } = await client.query<RecordedEvent & { streamId: number }>(
    `select id, stream_id, rule_id || '.' || version as rule, rule_id || '.' || version || ' ' || subject as key,
       extract(epoch from since)::float8 * 1000 as since, extract(epoch from at)::float8 * 1000 as at,
       extract(epoch from until)::float8 * 1000 as until
     from alert where stream_id = any ($1::int[]) and kind = any ($2) and withdrawn_at is null and (until is null or until > $3)`,
    [
      machines.map(({ streamId }) => streamId),
      ALERT_KIND_NAMES.filter(isPresenceKind),
      new Date(now - DAY_MS),
    ],
  );
  return Map.groupBy(rows, ({ streamId }) => streamId);
}
