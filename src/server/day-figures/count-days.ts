import { findSessions } from '#server/charging-sessions/find-sessions.ts';
import { replaceSessions, sessionsFrom } from '#server/charging-sessions/sessions.store.ts';
import {
  type BucketSlicesWithPositions,
  openBucketSlices,
  type PositionSlice,
} from '#server/history/bucket-slices.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { isUnderWay, type PlaceState, type PresenceState } from '#shared/domain/presence.ts';
import { scatterHour } from '#shared/domain/scatter.ts';
import { compareSignals } from './compare-signals.ts';
import {
  type Counted,
  type DayFigures,
  type Due,
  dayKey,
  keepDue,
  keptUntil,
  lockDue,
  type Ownership,
  type Projects,
  presenceBefore,
  readAssigned,
  readCounted,
  readExceptions,
  readOwnership,
  readProjects,
  replaceDays,
  replacePresences,
} from './day-figures.store.ts';
import {
  type EnteredTimes,
  type Followed,
  followPositions,
  type KeptDays,
  outsideExceptions,
  type Presence,
  presenceKey,
  presencesOf,
} from './presences.ts';
import { figuresOf, inside } from './range-figures.ts';
import { readTerreinen, replaceTerreinPresences, type TerreinPresence } from './terrein-presences.store.ts';

/** At once: of a machine that reports without a break some 10,000 buckets. */
const CHUNK_DAYS = 35;
const DAY_MS = 86_400_000;
/** About: those in which what it did on a day, or on a project, begins and ends. */
const PIECES_OF_DAY = 5;

/**
 * Counts the days, presences and charging sessions of a stream anew, from where something has changed; of a long time the first
 * part only. In one snapshot of what is stored; nobody who stores waits for it. Safe to break off and to run in several
 * processes.
 * @returns false when there was nothing to do, or another process is at it
 */
export function countDays(pool: Pool, streamId: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read');
    const due = await lockDue(client, streamId);
    if (!due) return false;
    await keepDue(client, due, await countPart(client, due));
    return true;
  });
}

/**
 * Counts all that is due of a stream inside the caller's transaction, which must be of repeatable read and hold the stream's day cursor.
 * A caller that rolls back learns the days as they would be.
 */
export async function countAllWithin(client: Transaction, streamId: number): Promise<void> {
  for (let due = await lockDue(client, streamId); due; due = await lockDue(client, streamId))
    await keepDue(client, due, await countPart(client, due));
}

const midnight = (day: string): number => (dayOf(day) as Range).from;

/** @returns from when on there is more to do, ms; undefined: nothing */
async function countPart(client: Transaction, due: Due): Promise<number | undefined> {
  const { streamId, newest } = due;
  // What a reading changes lies up to ten minutes before it.
  const from = due.from - 2 * MAX_GAP_MS;
  const owners = await readOwnership(client, streamId);
  const begin = await firstMidnight(client, streamId, owners, Math.min(from, due.presencesFrom));
  const end = Math.min(midnight(amsterdamDay(begin + CHUNK_DAYS * DAY_MS)), newest + 1);
  const part = { from: begin, to: end };
  const counted = await readCounted(client, streamId, part);
  const histories: History[] = [];
  for (const owner of owners)
    if (owner.to > begin && owner.from < end)
      histories.push(await countOwned(client, due, owner, part, from, counted));
  const days = daysIn({ from: begin, to: end });
  const held = Math.min(...histories.map(({ slices }) => slices.mostCached));
  const atOnce = Math.max(1, Math.min(days.length, Math.floor(held / PIECES_OF_DAY)));
  const found: { readonly day: string; readonly figures: DayFigures[] | undefined }[] = [];
  for (let n = 0; n < days.length; n += atOnce) {
    const some = days.slice(n, n + atOnce).map(async ({ day, ...ofDay }) => ({
      day,
      figures: await figuresOfDay(day, ofDay, histories, ofDay.to <= from ? counted : undefined),
    }));
    found.push(...(await Promise.all(some)));
  }
  const changed = found.filter(({ figures }) => figures !== undefined);
  await replaceDays(
    client,
    streamId,
    changed.map(({ day }) => day),
    changed.flatMap(({ figures = [] }) => figures),
  );
  const presences = histories.flatMap((history) => history.presences);
  await replacePresences(client, streamId, part, presences);
  const onTerreinen = histories.flatMap(({ terreinPresences }) => terreinPresences);
  await replaceTerreinPresences(client, streamId, part, onTerreinen, counted.terreinPresences.length > 0);
  const owner = owners.at(-1);
  if (end > newest && owner && isToCompare(due))
    await compareSignals(client, streamId, Math.max(owner.from, due.compareFrom), newest);
  return end <= newest ? end : undefined;
}

/** ms of readings, between two comparisons of the charge level with the energy. */
const COMPARE_EVERY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** Whether signals are compared now: every 10 minutes of readings, and at once after a change of older history. */
const isToCompare = ({ from, newest, counted, compared }: Due): boolean =>
  compared === undefined || newest - compared >= COMPARE_EVERY_MS || from < counted - HOUR_MS;

/** Those of Amsterdam that begin in it. */
function daysIn({ from, to }: Range): (Range & { readonly day: string })[] {
  const days: (Range & { readonly day: string })[] = [];
  for (let at = from; at < to; at = (days.at(-1) as Range).to) {
    const day = amsterdamDay(at);
    days.push({ day, ...(dayOf(day) as Range) });
  }
  return days;
}

/** Of the day from which to count: where it was may still have been open at the end of the day before. */
async function firstMidnight(
  client: Transaction,
  streamId: number,
  owners: readonly Ownership[],
  from: number,
): Promise<number> {
  let day = amsterdamDay(from);
  for (;;) {
    const owner = owners.findLast((one) => one.from <= midnight(day));
    const before = owner && (await presenceBefore(client, streamId, owner, day));
    if (!before || !isUnderWay(before.state)) return midnight(day);
    day = before.day;
  }
}

/** What one organization had of the stream for a time. */
type History = {
  readonly owner: Ownership;
  readonly slices: BucketSlicesWithPositions;
  /** In order; cut at the ends of ownership. */
  readonly found: readonly PositionSlice[];
  readonly presences: readonly Presence[];
  readonly terreinPresences: readonly TerreinPresence[];
  readonly states: ReadonlyMap<number, PlaceState>;
};

async function countOwned(
  client: Transaction,
  { streamId }: Due,
  owner: Ownership,
  part: Range,
  from: number,
  counted: Counted,
): Promise<History> {
  const { organizationId } = owner;
  const range = { from: Math.max(owner.from, part.from), to: Math.min(owner.to, part.to) };
  const charging = range.to > from ? await chargingFrom(client, streamId, owner, range, from) : undefined;
  // Before that only where it was is looked at, but for the days on which that has changed.
  const hourBefore = { from: Math.max(owner.from, scatterHour(range.from).from), to: range.from };
  const wholeFrom = Math.min(midnight(amsterdamDay(from)), (charging ?? part).from - MAX_GAP_MS);
  const slices = await openBucketSlices(
    client,
    streamId,
    owner,
    {
      from: Math.min(hourBefore.from, (charging ?? range).from - MAX_GAP_MS),
      to: range.to + MAX_GAP_MS,
    },
    wholeFrom,
  );
  if (charging) await replaceSessions(client, streamId, charging, await findSessions(slices, charging));

  const found = await slices.seen(range);
  const until = Math.min(range.to, await keptUntil(client, streamId, owner));
  const isKept = until > range.from;
  const start = isKept ? until : range.from;
  const before =
    owner.from >= start
      ? {}
      : ((await presenceBefore(client, streamId, owner, amsterdamDay(start)))?.state ?? {});
  const earlier = await slices.seen(hourBefore);
  const follow = async (
    kind: PlaceKind,
    { places, times }: Projects,
    entered: Omit<EnteredTimes, 'times'>,
    known: readonly Presence[],
  ): Promise<Pick<History, 'presences'> & Followed> => {
    const kept = isKept ? keptDays(kind, counted, organizationId, range.from, until) : undefined;
    const state = stateOf(kind, before);
    const counting = outsideExceptions(places, entered.exceptions);
    const { changes, states } = await followPositions(slices, earlier, found, state, counting, kept);
    const begun = [{ from: start, projectId: state.projectId }, ...changes];
    return {
      changes,
      states,
      presences: await presencesOf(slices, range, begun, { ...entered, times }, kept, known),
    };
  };
  const { presences, states } = await follow(
    'project',
    await readProjects(client, organizationId),
    {
      assigned: await readAssigned(client, streamId, organizationId),
      exceptions: await readExceptions(client, streamId, organizationId),
    },
    counted.presences.filter(({ to }) => to <= midnight(amsterdamDay(from))),
  );
  const terreinen = await readTerreinen(client, organizationId);
  if (terreinen.places.length === 0) return { owner, slices, found, presences, terreinPresences: [], states };
  const onTerreinen = await follow('terrein', terreinen, { assigned: [], exceptions: [] }, []);
  return {
    owner,
    slices,
    found,
    presences,
    terreinPresences: onTerreinen.presences.map(({ projectId, from, to }) => ({
      terreinId: projectId,
      from,
      to,
    })),
    states: withTerreinen(states, onTerreinen.states),
  };
}

/** Projects and terreinen: a machine is followed on each apart from the other. */
type PlaceKind = 'project' | 'terrein';

function stateOf(kind: PlaceKind, { terrein, ...project }: PlaceState): PresenceState {
  return kind === 'project' ? project : (terrein ?? {});
}

/** Adds to what was known of projects after each slice what was known of terreinen. */
function withTerreinen(
  states: Followed['states'],
  terreinen: Followed['states'],
): ReadonlyMap<number, PlaceState> {
  return new Map(
    [...states].map(([from, state]) => {
      const terrein = terreinen.get(from);
      const isOn = terrein !== undefined && Object.values(terrein).some((value) => value !== undefined);
      return [from, isOn ? { ...state, terrein } : state];
    }),
  );
}

async function chargingFrom(
  client: Transaction,
  streamId: number,
  owner: Ownership,
  range: Range,
  from: number,
): Promise<Range> {
  const began = await sessionsFrom(client, streamId, Math.max(from, range.from));
  return { from: Math.max(owner.from, began), to: range.to };
}

function keptDays(
  kind: PlaceKind,
  counted: Counted,
  organizationId: number,
  from: number,
  until: number,
): KeptDays {
  const own = [...counted.days.values()].filter((one) => one.organizationId === organizationId);
  const byPosition =
    kind === 'project'
      ? counted.presences.filter(({ byHand }) => !byHand)
      : counted.terreinPresences.map(({ terreinId, ...range }) => ({
          ...range,
          projectId: terreinId,
          byHand: false,
          unseenMs: 0,
        }));
  return {
    until,
    states: new Map(own.map(({ day, presence }) => [day, stateOf(kind, presence ?? {})])),
    presences: byPosition.filter((one) => one.from >= from && one.from < until),
  };
}

/** @param counted of a day whose sums are as they were; @returns undefined: then it is all as it was */
async function figuresOfDay(
  day: string,
  ofDay: Range,
  histories: readonly History[],
  counted: Counted | undefined,
): Promise<DayFigures[] | undefined> {
  const owned = ownedOn(ofDay, histories);
  const before = (organizationId: number) => counted?.days.get(dayKey(day, organizationId));
  if (counted && isAsBefore(ofDay, histories, counted)) {
    const isSame = owned.every(
      ({ organizationId, state }) => stateKey(state) === stateKey(before(organizationId)?.presence),
    );
    if (isSame) return undefined;
  }
  const rows: DayFigures[] = [];
  for (const { organizationId, own, state } of owned) {
    const whole =
      before(organizationId) ??
      (await figuresOf(
        own.flatMap(({ slices, owner }) => inside(owner, ofDay).map((range) => ({ slices, range }))),
      ));
    rows.push({ ...whole, day, organizationId, projectId: 0, presence: state });
    const there = own.flatMap((history) =>
      history.presences.flatMap((one) =>
        inside(one, ofDay).map((range) => ({
          slices: history.slices,
          range,
          projectId: one.projectId,
          isAll: own.length === 1 && isAllOf(history, range),
        })),
      ),
    );
    for (const [projectId, parts] of Map.groupBy(there, (one) => one.projectId)) {
      const figures = parts.some(({ isAll }) => isAll) ? whole : await figuresOf(parts);
      if (figures.heardMs > 0 || figures.count > 0)
        rows.push({ ...figures, day, organizationId, projectId, presence: undefined });
    }
  }
  return rows;
}

type Owned = {
  readonly organizationId: number;
  /** Each time that it had it that day, with the slices of the day: some may have none. */
  readonly own: readonly History[];
  /** Where it was at the end of the day. */
  readonly state: PlaceState | undefined;
};

/** What each organization that heard of it on a day had of it. */
function ownedOn(ofDay: Range, histories: readonly History[]): Owned[] {
  const there = histories.filter(({ owner }) => inside(owner, ofDay).length > 0);
  const byOrganization = Map.groupBy(there, ({ owner }) => owner.organizationId);
  return [...byOrganization].flatMap(([organizationId, times]) => {
    const own = times.map((history) => ({
      ...history,
      found: history.found.filter(({ from }) => from >= ofDay.from && from < ofDay.to),
    }));
    const last = own.findLast(({ found }) => found.length > 0);
    const slice = last?.found.at(-1);
    if (!last || !slice) return [];
    // It may have had it once more that day, and heard nothing yet.
    return { organizationId, own, state: last === own.at(-1) ? last.states.get(slice.from) : undefined };
  });
}

/** Whether a range has all that was heard, so that its figures are those of the day. */
const isAllOf = ({ found }: History, { from, to }: Range): boolean =>
  found.every((slice) => from <= slice.from && slice.to <= to);

function isAsBefore({ from, to }: Range, histories: readonly History[], counted: Counted): boolean {
  const keys = (presences: readonly Presence[]) =>
    presences
      .filter((one) => one.from >= from && one.from < to)
      .map(presenceKey)
      .join();
  return keys(histories.flatMap(({ presences }) => presences)) === keys(counted.presences);
}

const stateKey = ({ projectId, outSince, next, terrein }: PlaceState = {}): string =>
  [projectId, outSince, next?.projectId, next?.since, terrein && `on ${stateKey(terrein)}`].join();
