import type { Caller } from '#server/auth/sessions.ts';
import type { Database } from '#server/platform/database.ts';
import { ofStreams } from '#server/platform/shards.ts';
import { readCalendars } from '#server/work-weeks/calendars.store.ts';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import type { Scope } from '#shared/domain/access.ts';
import {
  type ClockKind,
  isOfOperators,
  isOfPresences,
  isOfReadings,
  type PresenceKind,
  type ReadingKind,
} from '#shared/domain/alerts/kinds.ts';
import { isMovement, movementSeen } from '#shared/domain/alerts/movement.ts';
import type { Episode } from '#shared/domain/alerts/watch.ts';
import { calendarOf, type WorkCalendar, weekAt, workIn } from '#shared/domain/alerts/work-calendar.ts';
import { USUAL_WEEK } from '#shared/domain/alerts/work-week.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { newOf } from './charging-alerts.ts';
import type { Preview, Told } from './past-standing.ts';
import { findByClock } from './preview-clock.ts';
import { findOfPortal } from './preview-operating.ts';
import { presencesFinder } from './preview-presences.ts';
import { findInReadings } from './preview-readings.ts';
import { type Asked, askedRule } from './rule-changes.ts';
import type { Stretch } from './stretches.ts';
import { type ActiveRule, coverage, type OwnedMachine, ownedMachines } from './watched.store.ts';
import { whereToLook } from './where-to-look.store.ts';
import { workTimeOf } from './work-time.ts';

/**
 * What a rule would have told if it had been made 30 days ago, of the machines that it is of now: what is stored, judged by the very
 * code that judges what comes in (docs/alerts.md section 5).
 */

const DAY_MS = 86_400_000;
const DAYS = 30;
/** ms; the last shift before those days was so long ago at most. */
const BEFORE_MS = 14 * DAY_MS;
/** Machines of one statement. */
const PORTION = 25;
/** Who is told more often than that needs another rule, not the number. */
const MOST_FOUND = 500;
const MOST_SHOWN = 50;
/** ms; then it says of how many machines it is. */
const BUDGET_MS = 8_000;

/** @throws ProblemError as saving the rule does @param now ms */
export async function previewRule(
  db: Database,
  caller: Caller,
  asked: Asked,
  now: number,
): Promise<AlertPreview> {
  const question = await askedRule(db, caller, asked);
  const rule: ActiveRule = { ...question, id: 0, version: 0, validFrom: now - DAYS * DAY_MS, seesAll: false };
  const { kind } = question;
  if (isOfOperators(kind)) {
    const told = await findOfPortal(db, rule, kind, now);
    const shown = (told ?? []).slice(-MOST_SHOWN).reverse();
    return {
      isKnown: told !== undefined,
      count: Math.min(told?.length ?? 0, MOST_FOUND),
      alerts: shown.map(({ subject, ...one }) => ({
        machine: null,
        subject: subject || null,
        ...shownAs(one),
      })),
      machines: null,
    };
  }
  const owned = await ownedMachines(db, [question.organizationId], null);
  const covers = await coverage(db, [rule], now, caller.scope.positionHours);
  const machines = owned.filter((machine) => covers(rule, machine));
  const { all: found, looked } = await findAll(db, rule, kind, machines, now);
  const all = isMovement(kind) ? found.flatMap((one) => shownTo(caller.scope, one, now)) : found;
  const newest = all.sort((a, b) => b.told.at - a.told.at || a.streamId - b.streamId);
  const shown = newest.slice(0, MOST_SHOWN);
  const names = await readNames(db, [...new Set(shown.map(({ streamId }) => streamId))]);
  return {
    isKnown: true,
    count: all.length,
    alerts: shown.map(({ streamId, told }) => ({
      machine: names.get(streamId) ?? { serialNumber: '', alias: '' },
      subject: null,
      ...shownAs(told),
    })),
    machines: { looked, all: machines.length },
  };
}

function shownTo(scope: Scope, { streamId, told }: Found, now: number): Found[] {
  const seen = movementSeen(scope, told, now);
  return seen ? [{ streamId, told: seen }] : [];
}

const shownAs = ({ since, at, until, words }: Told) => ({
  words,
  since: new Date(since).toISOString(),
  at: new Date(at).toISOString(),
  until: until === undefined ? null : new Date(until).toISOString(),
});

type Found = { readonly streamId: number; readonly told: Told };

/** @returns of how many machines it is all */
async function findAll(
  db: Database,
  rule: ActiveRule,
  kind: ReadingKind | ClockKind | PresenceKind,
  machines: readonly OwnedMachine[],
  now: number,
): Promise<{ readonly all: Found[]; readonly looked: number }> {
  const deadline = performance.now() + BUDGET_MS;
  const all: Found[] = [];
  let looked = 0;
  const goesOn = (found = 0): boolean => performance.now() < deadline && all.length + found < MOST_FOUND;
  const range = { from: rule.validFrom, to: now };
  const calendars = await readCalendars(db, machines, { ...range, from: range.from - BEFORE_MS });
  const calendarFor = ({ streamId }: OwnedMachine): WorkCalendar =>
    calendars.get(streamId) ?? calendarOf(USUAL_WEEK);
  const find = isOfReadings(kind)
    ? readingsFinder(db, { rule, range, calendarFor }, kind, goesOn)
    : isOfPresences(kind)
      ? allAtOnce(await presencesFinder(db, { rule: { ...rule, kind }, range }))
      : allAtOnce(async (portion) => {
          const found: FoundOf[] = [];
          for (const [week, own] of Map.groupBy(portion, (machine) => weekAt(calendarFor(machine), now)))
            for (const [streamId, told] of await findByClock(kind)(db, { rule, week, range }, own))
              found.push({ streamId, found: told, isWhole: true });
          return found;
        });
  const portions = Array.from({ length: Math.ceil(machines.length / PORTION) }, (_, n) =>
    machines.slice(n * PORTION, (n + 1) * PORTION),
  );
  async function findPortions(): Promise<void> {
    for (let portion = portions.shift(); portion && goesOn(); portion = portions.shift()) {
      looked += portion.length;
      for await (const { streamId, found, isWhole } of find(portion)) {
        for (const told of found) if (told.at > rule.validFrom) all.push({ streamId, told });
        if (!isWhole) looked -= 1;
      }
    }
  }
  // The database reads for one while the other judges.
  await Promise.all([findPortions(), findPortions()]);
  return { all, looked };
}

type FoundOf = { readonly streamId: number; readonly found: readonly Told[]; readonly isWhole: boolean };
type Finder = (portion: readonly OwnedMachine[]) => AsyncIterable<FoundOf>;

const allAtOnce = (find: (portion: readonly OwnedMachine[]) => Promise<readonly FoundOf[]>): Finder =>
  async function* (portion) {
    yield* await find(portion);
  };

type OfCalendars = Omit<Preview, 'week'> & {
  readonly calendarFor: (machine: OwnedMachine) => WorkCalendar;
};

function readingsFinder(
  db: Database,
  { rule: { settings, hours }, range, calendarFor }: OfCalendars,
  kind: ReadingKind,
  goesOn: (found: number) => boolean,
): Finder {
  const workOf = (machine: OwnedMachine): Range[] =>
    workIn(calendarFor(machine), { from: range.from - BEFORE_MS, to: range.to });
  return async function* (portion) {
    const stretches = new Map<number, Stretch[]>();
    // No other kind looks at working hours to find where something may begin.
    const groups = Map.groupBy(portion, (one) => (kind === 'moved' ? JSON.stringify(workOf(one)) : ''));
    for (const group of groups.values()) {
      const shifts = workOf(group[0] as OwnedMachine);
      for (const found of await whereToLook(db, { kind, settings, shifts }, group, range))
        stretches.set(...found);
    }
    const motors = await readFirstMotors(db, portion);
    for (const asked of portion) {
      const { streamId, batteries, ownedSince } = asked;
      const from = Math.max(range.from, ownedSince);
      const watched = { key: '', kind, settings, inWorkOnly: hours === 'work', from };
      const isWorkTime = workTimeOf(calendarFor(asked));
      const motorSince = motors.get(streamId);
      const machine = { streamId, rule: watched, batteries, isWorkTime, ownedSince, motorSince };
      const own = stretches.get(streamId) ?? [];
      const { found, isWhole } = await findInReadings(db, machine, own, range.to, goesOn);
      yield { streamId, found: kind === 'charging' ? newsOf(found) : found, isWhole };
    }
  };
}

/** Returns when each stream had its first MotorSpeed, ms. */
async function readFirstMotors(
  db: Database,
  machines: readonly OwnedMachine[],
): Promise<Map<number, number>> {
  const rows = await ofStreams(db, machines, (shard, own) =>
    shard.query<{ id: number; since: number }>(
      `select stream_id as id, (track ->> 'motorSince')::float8 as since from telemetry.latest
       where stream_id = any ($1) and track ->> 'motorSince' is not null`,
      [own.map(({ streamId }) => streamId)],
    ),
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}

/** Of charging less is told than happens; each was found when it was known. */
const newsOf = (found: readonly Episode[]): Episode[] =>
  newOf(
    found.flatMap((episode) => (episode.event ? [{ episode, event: episode.event, now: episode.at }] : [])),
  ).flatMap(({ episode, isNews }) => (isNews ? [episode] : []));

type Name = AlertPreview['alerts'][number]['machine'];

async function readNames(db: Database, streamIds: readonly number[]): Promise<Map<number, Name>> {
  const { rows } = await db.query<Name & { id: number }>(
    'select id, serial as "serialNumber", alias from stream where id = any ($1)',
    [streamIds],
  );
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}
