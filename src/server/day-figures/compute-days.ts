import { findSessions } from '#server/charging-sessions/find-sessions.ts';
import { readSessionSearchStart, replaceSessions } from '#server/charging-sessions/sessions.store.ts';
import {
  type BucketSlicesWithPositions,
  openBucketSlices,
  type PositionSlice,
} from '#server/history/bucket-slices.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { isPresenceChangePending, type PresenceState, type PresenceStates } from '#shared/domain/presence.ts';
import { scatterReferenceHour } from '#shared/domain/scatter.ts';
import { storeSignalContradiction } from './compare-signals.ts';
import {
  type ComputedDays,
  type DayFigures,
  dayKey,
  lockOutdatedDays,
  markDaysComputed,
  type OutdatedDays,
  type Ownership,
  type ProjectAreasAndTimes,
  readComputedDays,
  readManualProjectTimes,
  readOwnership,
  readPresenceBeforeDay,
  readProjects,
  readRemovedPositionsEnd,
  replaceDays,
  replacePresences,
} from './day-figures.store.ts';
import {
  areasWithoutExceptions,
  computePresences,
  type FoundPresences,
  findPresenceChanges,
  type ManualProjectTimes,
  type Presence,
  presenceKey,
  type StoredPresenceDays,
} from './presences.ts';
import { computeRangeFigures, intersection } from './range-figures.ts';
import { readTerreinen, replaceTerreinPresences, type TerreinPresence } from './terrein-presences.store.ts';

/** Number of days that are computed at once: about 10,000 buckets of a machine that reports continuously. */
const CHUNK_DAYS = 35;
const DAY_MS = 86_400_000;
/** Approximate number of slices per day whose readings are read, because activity (on a project) begins or ends in them. */
const SLICES_PER_DAY = 5;

/**
 * Recomputes the days, presences and charging sessions of a stream, from where its history has changed; for a long
 * history only the first part. Reads one snapshot and blocks no upload. Safe to interrupt and to run in several
 * processes.
 * @returns false when there was nothing to do, or another process computes the stream
 */
export function computeDays(pool: Pool, streamId: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read');
    const due = await lockOutdatedDays(client, streamId);
    if (!due) return false;
    await markDaysComputed(client, due, await computePart(client, due));
    return true;
  });
}

/**
 * Computes all outdated days of a stream inside the caller's transaction, which must have isolation level repeatable read and hold
 * the stream's day cursor. A preview rolls the transaction back after reading the result.
 */
export async function computeAllOutdatedDays(client: Transaction, streamId: number): Promise<void> {
  for (
    let due = await lockOutdatedDays(client, streamId);
    due;
    due = await lockOutdatedDays(client, streamId)
  )
    await markDaysComputed(client, due, await computePart(client, due));
}

const midnight = (day: string): number => (amsterdamDayRange(day) as Range).from;

/**
 * Computes the outdated days, or the first part of them. @returns the time in ms from which days are still outdated; undefined for
 * none
 */
async function computePart(client: Transaction, due: OutdatedDays): Promise<number | undefined> {
  const { streamId, newest } = due;
  // A reading affects the figures of the ten minutes before it too.
  const from = due.from - 2 * MAX_GAP_MS;
  const owners = await readOwnership(client, streamId);
  const begin = await firstMidnight(client, streamId, owners, Math.min(from, due.presencesFrom));
  const end = Math.min(midnight(amsterdamDay(begin + CHUNK_DAYS * DAY_MS)), newest + 1);
  const part = { from: begin, to: end };
  const counted = await readComputedDays(client, streamId, part);
  const histories: History[] = [];
  for (const owner of owners)
    if (owner.to > begin && owner.from < end)
      histories.push(await computeOwned(client, due, owner, part, from, counted));
  const days = daysIn({ from: begin, to: end });
  const mostSlices = Math.min(...histories.map(({ slices }) => slices.mostCached));
  const atOnce = Math.max(1, Math.min(days.length, Math.floor(mostSlices / SLICES_PER_DAY)));
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
    await storeSignalContradiction(client, streamId, Math.max(owner.from, due.compareFrom), newest);
  return end <= newest ? end : undefined;
}

/** Interval between comparisons of the charge level with the energy, in time of the readings. */
const COMPARE_EVERY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** Returns whether charge level and energy are compared now: every 10 minutes of readings, and after a change of older history. */
const isToCompare = ({ from, newest, counted, compared }: OutdatedDays): boolean =>
  compared === undefined || newest - compared >= COMPARE_EVERY_MS || from < counted - HOUR_MS;

/** Returns the days in Amsterdam that begin in a range. */
function daysIn({ from, to }: Range): (Range & { readonly day: string })[] {
  const days: (Range & { readonly day: string })[] = [];
  for (let at = from; at < to; at = (days.at(-1) as Range).to) {
    const day = amsterdamDay(at);
    days.push({ day, ...(amsterdamDayRange(day) as Range) });
  }
  return days;
}

/**
 * Returns the midnight from which to compute. If it was not certain yet at the end of the day before whether the machine was arriving or
 * leaving, that day is computed again too.
 */
async function firstMidnight(
  client: Transaction,
  streamId: number,
  owners: readonly Ownership[],
  from: number,
): Promise<number> {
  let day = amsterdamDay(from);
  for (;;) {
    const owner = owners.findLast((one) => one.from <= midnight(day));
    const before = owner && (await readPresenceBeforeDay(client, streamId, owner, day));
    if (!before || !isPresenceChangePending(before.state)) return midnight(day);
    day = before.day;
  }
}

/** The history of a stream during one ownership. */
type History = {
  readonly owner: Ownership;
  readonly slices: BucketSlicesWithPositions;
  /** Slices in order, cut at the ends of ownership. */
  readonly found: readonly PositionSlice[];
  readonly presences: readonly Presence[];
  readonly terreinPresences: readonly TerreinPresence[];
  readonly states: ReadonlyMap<number, PresenceStates>;
};

async function computeOwned(
  client: Transaction,
  { streamId }: OutdatedDays,
  owner: Ownership,
  part: Range,
  from: number,
  counted: ComputedDays,
): Promise<History> {
  const { organizationId } = owner;
  const range = { from: Math.max(owner.from, part.from), to: Math.min(owner.to, part.to) };
  const charging = range.to > from ? await chargingFrom(client, streamId, owner, range, from) : undefined;
  // Before `wholeFrom` only positions are read in advance. The rest is read on request, for days whose presences have changed.
  const hourBefore = { from: Math.max(owner.from, scatterReferenceHour(range.from).from), to: range.from };
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
  const until = Math.min(range.to, await readRemovedPositionsEnd(client, streamId, owner));
  const isKept = until > range.from;
  const start = isKept ? until : range.from;
  const before =
    owner.from >= start
      ? {}
      : ((await readPresenceBeforeDay(client, streamId, owner, amsterdamDay(start)))?.state ?? {});
  const earlier = await slices.seen(hourBefore);
  const follow = async (
    kind: PlaceKind,
    { places, times }: ProjectAreasAndTimes,
    entered: Omit<ManualProjectTimes, 'times'>,
    known: readonly Presence[],
  ): Promise<Pick<History, 'presences'> & FoundPresences> => {
    const kept = isKept ? keptDays(kind, counted, organizationId, range.from, until) : undefined;
    const state = stateOf(kind, before);
    const counting = areasWithoutExceptions(places, entered.exceptions);
    const { changes, states } = await findPresenceChanges(slices, earlier, found, state, counting, kept);
    const begun = [{ from: start, projectId: state.projectId }, ...changes];
    return {
      changes,
      states,
      presences: await computePresences(slices, range, begun, { ...entered, times }, kept, known),
    };
  };
  const { presences, states } = await follow(
    'project',
    await readProjects(client, organizationId),
    {
      assigned: await readManualProjectTimes(client, 'assignment', streamId, organizationId),
      exceptions: await readManualProjectTimes(client, 'project_exception', streamId, organizationId),
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

/** Kinds of place. The presences of a machine on projects and on terreinen are found separately. */
type PlaceKind = 'project' | 'terrein';

function stateOf(kind: PlaceKind, { terrein, ...project }: PresenceStates): PresenceState {
  return kind === 'project' ? project : (terrein ?? {});
}

/** Adds the state on terreinen to the state on projects, for each slice. */
function withTerreinen(
  states: FoundPresences['states'],
  terreinen: FoundPresences['states'],
): ReadonlyMap<number, PresenceStates> {
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
  const began = await readSessionSearchStart(client, streamId, Math.max(from, range.from));
  return { from: Math.max(owner.from, began), to: range.to };
}

function keptDays(
  kind: PlaceKind,
  counted: ComputedDays,
  organizationId: number,
  from: number,
  until: number,
): StoredPresenceDays {
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

/**
 * Returns the figures of a day.
 * @param counted stored figures, if the sums of the day are unchanged
 * @returns undefined when the whole day is unchanged
 */
async function figuresOfDay(
  day: string,
  ofDay: Range,
  histories: readonly History[],
  counted: ComputedDays | undefined,
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
      (await computeRangeFigures(
        own.flatMap(({ slices, owner }) => intersection(owner, ofDay).map((range) => ({ slices, range }))),
      ));
    rows.push({ ...whole, day, organizationId, projectId: 0, presence: state });
    const there = own.flatMap((history) =>
      history.presences.flatMap((one) =>
        intersection(one, ofDay).map((range) => ({
          slices: history.slices,
          range,
          projectId: one.projectId,
          isAll: own.length === 1 && isAllOf(history, range),
        })),
      ),
    );
    for (const [projectId, parts] of Map.groupBy(there, (one) => one.projectId)) {
      const figures = parts.some(({ isAll }) => isAll) ? whole : await computeRangeFigures(parts);
      if (figures.heardMs > 0 || figures.count > 0)
        rows.push({ ...figures, day, organizationId, projectId, presence: undefined });
    }
  }
  return rows;
}

type Owned = {
  readonly organizationId: number;
  /** The intervals of ownership on that day, each with its slices of the day, which may be none. */
  readonly own: readonly History[];
  /** On which project and terrein the machine is at the end of the day. */
  readonly state: PresenceStates | undefined;
};

/** Returns the histories of each organization that received data of the machine on a day. */
function ownedOn(ofDay: Range, histories: readonly History[]): Owned[] {
  const there = histories.filter(({ owner }) => intersection(owner, ofDay).length > 0);
  const byOrganization = Map.groupBy(there, ({ owner }) => owner.organizationId);
  return [...byOrganization].flatMap(([organizationId, times]) => {
    const own = times.map((history) => ({
      ...history,
      found: history.found.filter(({ from }) => from >= ofDay.from && from < ofDay.to),
    }));
    const last = own.findLast(({ found }) => found.length > 0);
    const slice = last?.found.at(-1);
    if (!last || !slice) return [];
    // The organization may have owned the machine again later that day without receiving data.
    return { organizationId, own, state: last === own.at(-1) ? last.states.get(slice.from) : undefined };
  });
}

/** Returns whether a range contains all data of a history, so that its figures are those of the day. */
const isAllOf = ({ found }: History, { from, to }: Range): boolean =>
  found.every((slice) => from <= slice.from && slice.to <= to);

function isAsBefore({ from, to }: Range, histories: readonly History[], counted: ComputedDays): boolean {
  const keys = (presences: readonly Presence[]) =>
    presences
      .filter((one) => one.from >= from && one.from < to)
      .map(presenceKey)
      .join();
  return keys(histories.flatMap(({ presences }) => presences)) === keys(counted.presences);
}

const stateKey = ({ projectId, outSince, next, terrein }: PresenceStates = {}): string =>
  [projectId, outSince, next?.projectId, next?.since, terrein && `on ${stateKey(terrein)}`].join();
