import { LOCKS } from '#server/platform/advisory-locks.ts';
import { type Database, inTransaction, type Transaction } from '#server/platform/database.ts';
import { ALERT_KIND_NAMES, isOfPresences, type PresenceKind } from '#shared/domain/alerts/kinds.ts';
import { type Recorded, reconcile } from '#shared/domain/alerts/reconcile.ts';
import { type ProjectTurn, turnsOf } from '#shared/domain/alerts/turns.ts';
import type { Episode } from '#shared/domain/alerts/watch.ts';
import { type AlertWatched, NEWS_MS } from './alert-watch.ts';
import {
  type CountedMachine,
  hadPositions,
  type NamedPlaces,
  readCountedMachines,
  readNamedPlaces,
  saveCounted,
} from './presences.store.ts';
import { type Beginning, type Findings, GROUP_MS, recordFindings } from './record.ts';
import {
  type ActiveRule,
  activeRules,
  coverage,
  keyOf,
  type MachinesBy,
  type OwnedMachine,
  ownedMachines,
} from './watched.store.ts';
import { type IsWorkTime, readWorkTimes } from './work-time.ts';

/** Looks for machines that came to a project or terrein or left it, in the presences that are counted of what came in (docs/alerts.md section 3). */

const DAY_MS = 86_400_000;

export type PresenceRule = ActiveRule & { readonly kind: PresenceKind };
const isPresenceRule = (rule: ActiveRule): rule is PresenceRule => isOfPresences(rule.kind);

/** Safe to repeat, in every process. */
export const lookAtPresences = ({ pool, webhooks, now }: AlertWatched): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      LOCKS.alertPresences,
    ]);
    const rules = rows[0]?.mine ? (await activeRules(client)).filter(isPresenceRule) : [];
    if (rules.length === 0) return;
    const nowMs = now();
    const organizations = [...new Set(rules.map(({ organizationId }) => organizationId))];
    const owned = new Map(
      (await ownedMachines(client, organizations, null)).map((machine) => [machine.streamId, machine]),
    );
    const covers = await coverage(client, rules, nowMs);
    const places = await readNamedPlaces(client, organizations);
    const range = { from: nowMs - 2 * DAY_MS, to: nowMs };
    const isWorkTime = await readWorkTimes(client, [...owned.values()], range);
    const counted = await readCountedMachines(client, [...owned.values()], nowMs - 2 * DAY_MS);
    const recorded = await readRecorded(client, counted, nowMs);
    for (const isQuiet of [true, false]) {
      const changes = counted
        .filter(({ before, projects: entered }) => isQuiet === (before?.projects !== entered))
        .map((one) => {
          const machine = owned.get(one.streamId) as OwnedMachine;
          const own = rules.filter((rule) => covers(rule, machine));
          const turns = placeTurnsOf(one, machine, places, nowMs);
          const found = own.flatMap((rule) =>
            episodesOf(rule, machine, turns, places, isWorkTime(one.streamId)),
          );
          return changesOf(one, own, found, recorded.get(one.streamId) ?? [], nowMs);
        });
      const begun = changes.flatMap((one) => one.begun);
      const cameFrom = await wereElsewhere(client, begun);
      await recordFindings(
        client,
        webhooks,
        {
          begun: begun.map((one, n) => ({ ...one, isNews: one.isNews && !isQuiet && cameFrom[n] === true })),
          changed: changes.flatMap(({ changed }) => changed),
          withdrawn: changes.flatMap(({ withdrawn }) => withdrawn),
          ended: changes.flatMap(({ ended }) => ended),
        },
        nowMs,
        isQuiet,
      );
    }
    await saveCounted(client, counted);
  });

/** An arrival or departure; `projectId` is the id of a terrein where the place is one. */
export type PlaceTurn = ProjectTurn & { readonly place: keyof NamedPlaces };

/** Returns the turns of a machine on projects and, apart from those, on terreinen. @param now ms */
export function placeTurnsOf(
  { parts, terreinParts, countedTo }: CountedMachine,
  { ownedSince }: Pick<OwnedMachine, 'ownedSince'>,
  places: NamedPlaces,
  now: number,
): PlaceTurn[] {
  const followed = { countedTo, ownedSince };
  return [
    ...turnsOf(parts, places.project, followed, now).map((turn) => ({ ...turn, place: 'project' as const })),
    ...turnsOf(terreinParts, places.terrein, followed, now).map((turn) => ({
      ...turn,
      place: 'terrein' as const,
    })),
  ];
}

/** Returns the subject of an alert: the id of a project, or 't' and the id of a terrein. */
const subjectOf = ({ place, projectId }: Pick<PlaceTurn, 'place' | 'projectId'>): string =>
  place === 'terrein' ? `t${projectId}` : String(projectId);

const LIMITED_TO: Readonly<Record<keyof NamedPlaces, MachinesBy>> = {
  project: 'projects',
  terrein: 'terreinen',
};

/** Whether a rule that is limited to projects or terreinen is about the place of a turn; other rules are about all places. */
function isOfPlace({ machines, ids }: PresenceRule, { place, projectId }: PlaceTurn): boolean {
  if (machines !== 'projects' && machines !== 'terreinen') return true;
  return machines === LIMITED_TO[place] && ids.includes(projectId);
}

/** What a rule tells of a turn. */
export type PresenceEpisode = Episode &
  Pick<PlaceTurn, 'kind' | 'place' | 'projectId' | 'changed'> & { readonly rule: PresenceRule };

/** What a rule tells of the turns of a machine. */
export const episodesOf = (
  rule: PresenceRule,
  { ownedSince }: Pick<OwnedMachine, 'ownedSince'>,
  turns: readonly PlaceTurn[],
  places: NamedPlaces,
  isWorkTime: IsWorkTime,
): PresenceEpisode[] =>
  turns
    .filter(
      (turn) =>
        turn.kind === rule.kind &&
        isOfPlace(rule, turn) &&
        turn.at > Math.max(rule.validFrom, ownedSince) &&
        (rule.hours === 'always' || isWorkTime(turn.at) === (rule.hours === 'work')),
    )
    .map(({ kind, place, projectId, at, until, changed }) => ({
      key: `${keyOf(rule)} ${subjectOf({ place, projectId })}`,
      rule,
      kind,
      place,
      projectId,
      changed,
      since: at,
      at,
      seen: at,
      ...(until !== undefined && { until }),
      words: `${kind === 'arrived' ? 'op' : 'weg van'} ${places[place].get(projectId)?.name ?? ''}`,
    }));

type RecordedTurn = Recorded & { readonly rule: string };
type Begun = Beginning & Pick<PresenceEpisode, 'kind' | 'changed'> & { readonly streamId: number };

/** What its presences say now beside what was recorded of them. */
function changesOf(
  { streamId, before }: CountedMachine,
  rules: readonly PresenceRule[],
  found: readonly PresenceEpisode[],
  recorded: readonly RecordedTurn[],
  now: number,
): Omit<Findings, 'begun'> & { readonly begun: readonly Begun[] } {
  const from = now - DAY_MS;
  const ruleOf = new Map(rules.map((rule) => [keyOf(rule), rule]));
  const watched = recorded.filter(({ rule }) => ruleOf.has(rule));
  const {
    begun,
    changed: moved,
    withdrawn,
  } = reconcile(
    watched,
    found.filter(({ until }) => until === undefined || until > from),
    from,
  );
  const changed = moved.map(({ id, now: { since, at, until } }) => ({ id, since, at, until: until ?? null }));
  const isLookedFor = new Set(changed.map(({ id }) => id));
  const old = watched.filter(({ id, at, until }) => until === null && at <= from && !isLookedFor.has(id));
  return {
    begun: (begun as readonly PresenceEpisode[]).map((episode) => {
      const { kind, at, place, projectId, rule } = episode;
      const { next, outSince } = (place === 'terrein' ? before?.state.terrein : before?.state) ?? {};
      // What had begun when it was looked at before, but had not lasted; all else of then is of the past.
      const isPending =
        kind === 'left' ? outSince === at : next?.projectId === projectId && next.since === at;
      const isFresh = before !== null && (at > before.countedTo || isPending);
      return {
        ...episode,
        ruleId: rule.id,
        version: rule.version,
        streamId,
        subject: subjectOf({ place, projectId }),
        until: episode.until ?? null,
        isNews: isFresh && now - at <= NEWS_MS,
        dueAt: now + GROUP_MS,
      };
    }),
    changed: [...changed, ...old.map(({ id, since, at }) => ({ id, since, at, until: at + DAY_MS }))],
    withdrawn,
    ended: recorded.filter(({ rule, until }) => until === null && !ruleOf.has(rule)).map(({ id }) => id),
  };
}

type Came = Pick<PresenceEpisode, 'kind' | 'at' | 'changed'> & { readonly streamId: number };

/** Of each whether the machine is known to have been elsewhere before: who was there when people drew an area did not come to it. */
export async function wereElsewhere(db: Database, turns: readonly Came[]): Promise<boolean[]> {
  const known = await hadPositions(
    db,
    turns.map(({ streamId, changed, at }) => ({ streamId, from: changed, to: at })),
  );
  return turns.map(({ kind }, n) => kind === 'left' || known[n] === true);
}

/** Those that are open, or were in the last day; by stream. */
async function readRecorded(
  client: Transaction,
  machines: readonly CountedMachine[],
  now: number,
): Promise<Map<number, RecordedTurn[]>> {
  const { rows } = await client.query<RecordedTurn & { streamId: number }>(
    `select id, stream_id as "streamId", rule_id || '.' || version as rule, rule_id || '.' || version || ' ' || subject as key,
       extract(epoch from since)::float8 * 1000 as since, extract(epoch from at)::float8 * 1000 as at,
       extract(epoch from until)::float8 * 1000 as until
     from alert where stream_id = any ($1::int[]) and kind = any ($2) and withdrawn_at is null and (until is null or until > $3)`,
    [
      machines.map(({ streamId }) => streamId),
      ALERT_KIND_NAMES.filter(isOfPresences),
      new Date(now - DAY_MS),
    ],
  );
  return Map.groupBy(rows, ({ streamId }) => streamId);
}
