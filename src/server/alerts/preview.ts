import type { Caller } from '#server/auth/sessions.ts';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readCalendars } from '#server/work-weeks/calendars.store.ts';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import type { Scope } from '#shared/domain/access.ts';
import { alertText } from '#shared/domain/alerts/evaluations.ts';
import {
  type AlertKind,
  isOperatorKind,
  isPresenceKind,
  isReadingKind,
  isSubscriptionAlertKind,
  PREVIEW_DAYS,
  type PresenceAlertKind,
  type ReadingAlertKind,
  type TimerAlertKind,
} from '#shared/domain/alerts/kinds.ts';
import { isMovementKind, visibleMovement } from '#shared/domain/alerts/movement.ts';
import type { Episode } from '#shared/domain/alerts/watch.ts';
import {
  constantWorkCalendar,
  type WorkCalendar,
  workRangesIn,
  workWeekAt,
} from '#shared/domain/alerts/work-calendar.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  type ActiveRule,
  type OwnedMachine,
  readOwnedMachines,
  readRuleCoverage,
} from './active-rules.store.ts';
import type { CandidateRange } from './candidate-range.ts';
import { findCandidateRanges } from './candidate-ranges.store.ts';
import { filterUnrecordedEvents } from './charging-alerts.ts';
import type { PreviewedAlert } from './past-machine-state.ts';
import { pastAlertFinderOfKind } from './preview-clock.ts';
import { findPortalAlerts } from './preview-portal.ts';
import { presencesFinder } from './preview-presences.ts';
import { findPastEpisodes } from './preview-readings.ts';
import { type RuleQuery, requestedRuleCondition } from './rule-changes.ts';
import { openWorkTimeCheck } from './work-time.ts';

/**
 * Previews a rule: finds the alerts that it would have raised in the last 30 days for the machines that it covers now, with the same code
 * that evaluates new readings (docs/alerts.md section 5).
 */

const DAY_MS = 86_400_000;
/** Shifts are read from this long before the range, because the last shift before the range must be known too. */
const BEFORE_MS = 14 * DAY_MS;
/** Machines per statement. */
const PORTION = 25;
/** Maximum number of counted alerts: a rule that raises more needs other settings. */
const MAX_FOUND = 500;
const MAX_SHOWN_ITEMS = 50;
/** After this the preview stops and reports how many machines it covered. */
const BUDGET_MS = 8_000;

/**
 * Returns the newest alerts that a rule would have raised, and their number.
 * @param now ms
 * @throws ProblemError as saveRule
 */
export async function previewRule(
  db: Database,
  caller: Caller,
  asked: RuleQuery,
  now: number,
): Promise<AlertPreview> {
  const question = await requestedRuleCondition(db, caller, asked);
  const rule: ActiveRule = {
    ...question,
    id: 0,
    version: 0,
    validFrom: now - PREVIEW_DAYS * DAY_MS,
    seesAll: false,
  };
  const { kind } = question;
  if (isOperatorKind(kind)) {
    const alerts = await findPortalAlerts(db, rule, kind, now);
    const shown = (alerts ?? []).slice(-MAX_SHOWN_ITEMS).reverse();
    return {
      isKnown: alerts !== undefined,
      count: Math.min(alerts?.length ?? 0, MAX_FOUND),
      alerts: shown.map(({ subject, ...one }) => ({
        machine: null,
        subject: subject || null,
        ...shownAs(kind, one),
      })),
      machines: null,
    };
  }
  const owned = await readOwnedMachines(db, [question.organizationId], null);
  const covers = await readRuleCoverage(db, [rule], now, caller.scope.positionHours);
  const machines = owned.filter((machine) => covers(rule, machine));
  const { all: found, looked } = await findAll(db, rule, kind, machines, now);
  const all = isMovementKind(kind) ? found.flatMap((one) => shownTo(caller.scope, one, now)) : found;
  const newest = all.sort((a, b) => b.alert.at - a.alert.at || a.streamId - b.streamId);
  const shown = newest.slice(0, MAX_SHOWN_ITEMS);
  const names = await readNames(db, [...new Set(shown.map(({ streamId }) => streamId))]);
  return {
    isKnown: true,
    count: all.length,
    alerts: shown.map(({ streamId, alert }) => ({
      machine: names.get(streamId) ?? { serialNumber: '', alias: '' },
      subject: null,
      ...shownAs(kind, alert),
    })),
    machines: { looked, all: machines.length },
  };
}

function shownTo(scope: Scope, { streamId, alert }: Found, now: number): Found[] {
  const seen = visibleMovement(scope, alert, now);
  return seen ? [{ streamId, alert: seen }] : [];
}

const shownAs = (kind: AlertKind, { since, at, until, figures }: PreviewedAlert) => ({
  words: alertText(kind, figures),
  since: new Date(since).toISOString(),
  at: new Date(at).toISOString(),
  until: until === undefined ? null : new Date(until).toISOString(),
});

type Found = { readonly streamId: number; readonly alert: PreviewedAlert };

/** Returns the alerts of all machines, and the number of machines that were evaluated completely. */
async function findAll(
  db: Database,
  rule: ActiveRule,
  kind: ReadingAlertKind | TimerAlertKind | PresenceAlertKind,
  machines: readonly OwnedMachine[],
  now: number,
): Promise<{ readonly all: Found[]; readonly looked: number }> {
  const deadline = performance.now() + BUDGET_MS;
  const all: Found[] = [];
  let looked = 0;
  const mayContinue = (found = 0): boolean => performance.now() < deadline && all.length + found < MAX_FOUND;
  const range = { from: rule.validFrom, to: now };
  const calendars = await readCalendars(db, machines, { ...range, from: range.from - BEFORE_MS });
  const calendarFor = ({ streamId }: OwnedMachine): WorkCalendar =>
    calendars.get(streamId) ?? constantWorkCalendar(DEFAULT_WORK_WEEK);
  const find = isReadingKind(kind)
    ? readingsFinder(db, { rule, range, calendarFor }, kind, mayContinue)
    : isPresenceKind(kind)
      ? allAtOnce(await presencesFinder(db, { rule: { ...rule, kind }, range }))
      : allAtOnce(async (portion) => {
          const found: FoundOf[] = [];
          for (const [week, own] of Map.groupBy(portion, (machine) => workWeekAt(calendarFor(machine), now)))
            for (const [streamId, alerts] of await pastAlertFinderOfKind(kind)(
              db,
              { rule: { ...rule, kind }, week, range },
              own,
            ))
              found.push({ streamId, found: alerts, isWhole: true });
          return found;
        });
  const portions = Array.from({ length: Math.ceil(machines.length / PORTION) }, (_, n) =>
    machines.slice(n * PORTION, (n + 1) * PORTION),
  );
  async function findPortions(): Promise<void> {
    for (let portion = portions.shift(); portion && mayContinue(); portion = portions.shift()) {
      looked += portion.length;
      for await (const { streamId, found, isWhole } of find(portion)) {
        for (const alert of found) if (alert.at > rule.validFrom) all.push({ streamId, alert });
        if (!isWhole) looked -= 1;
      }
    }
  }
  // Runs the loop twice at the same time: the database reads machines for one run while the other evaluates.
  await Promise.all([findPortions(), findPortions()]);
  return { all, looked };
}

type FoundOf = {
  readonly streamId: number;
  readonly found: readonly PreviewedAlert[];
  readonly isWhole: boolean;
};
type Finder = (portion: readonly OwnedMachine[]) => AsyncIterable<FoundOf>;

const allAtOnce = (find: (portion: readonly OwnedMachine[]) => Promise<readonly FoundOf[]>): Finder =>
  async function* (portion) {
    yield* await find(portion);
  };

type OfCalendars = {
  readonly rule: ActiveRule;
  readonly range: Range;
  readonly calendarFor: (machine: OwnedMachine) => WorkCalendar;
};

function readingsFinder(
  db: Database,
  { rule: { settings, hours }, range, calendarFor }: OfCalendars,
  kind: ReadingAlertKind,
  mayContinue: (found: number) => boolean,
): Finder {
  const workOf = (machine: OwnedMachine): Range[] =>
    workRangesIn(calendarFor(machine), { from: range.from - BEFORE_MS, to: range.to });
  return async function* (portion) {
    const candidates = new Map<number, CandidateRange[]>();
    // Only candidate ranges of a movement depend on working hours.
    const groups = Map.groupBy(portion, (one) => (isMovementKind(kind) ? JSON.stringify(workOf(one)) : ''));
    for (const group of groups.values()) {
      const shifts = workOf(group[0] as OwnedMachine);
      for (const found of await findCandidateRanges(db, { kind, settings, shifts }, group, range))
        candidates.set(...found);
    }
    const motors = await readFirstMotors(db, portion);
    for (const asked of portion) {
      const { streamId, batteries, ownedSince } = asked;
      const from = Math.max(range.from, ownedSince);
      const watched = { key: '', kind, settings, inWorkOnly: hours === 'work', from };
      const isWorkTime = openWorkTimeCheck(calendarFor(asked));
      const motorSince = motors.get(streamId);
      const machine = { streamId, rule: watched, batteries, isWorkTime, ownedSince, motorSince };
      const own = candidates.get(streamId) ?? [];
      const { found, isWhole } = await findPastEpisodes(db, machine, own, range.to, mayContinue);
      yield { streamId, found: isSubscriptionAlertKind(kind) ? notifyingEvents(found) : found, isWhole };
    }
  };
}

/** Returns when each stream had its first MotorSpeed, in ms. */
async function readFirstMotors(
  db: Database,
  machines: readonly OwnedMachine[],
): Promise<Map<number, number>> {
  const rows = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<{ id: number; since: number }>(
      `select stream_id as id, (track ->> 'motorSince')::float8 as since from telemetry.latest
       where stream_id = any ($1) and track ->> 'motorSince' is not null`,
      [own.map(({ streamId }) => streamId)],
    ),
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}

/**
 * Returns the charging events that notify: at most one per kind and hour. Takes the time of each event as the time at which it was
 * detected.
 */
const notifyingEvents = (found: readonly Episode[]): Episode[] =>
  filterUnrecordedEvents(
    found.flatMap((episode) => (episode.event ? [{ episode, event: episode.event, now: episode.at }] : [])),
  ).flatMap(({ episode, notifies }) => (notifies ? [episode] : []));

type Name = AlertPreview['alerts'][number]['machine'];

async function readNames(db: Database, streamIds: readonly number[]): Promise<Map<number, Name>> {
  const { rows } = await db.query<Name & { id: number }>(
    'select id, serial as serial_number, alias from stream where id = any ($1)',
    [streamIds],
  );
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}
