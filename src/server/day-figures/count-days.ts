import { findSessions } from '#server/charging-sessions/find-sessions.ts';
import { replaceSessions, sessionsFrom } from '#server/charging-sessions/sessions.store.ts';
import { openPieces, type Piece, type Pieces } from '#server/history/pieces.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import type { PresenceState } from '#shared/domain/presence.ts';
import {
  type DayFigures,
  type Due,
  keepDue,
  lockDue,
  type Ownership,
  presenceBefore,
  readAssigned,
  readKept,
  readOwnership,
  readProjects,
  replaceDays,
  replacePresences,
} from './day-figures.store.ts';
import { followPositions, type Presence, presencesOf } from './presences.ts';
import { figuresOf, inside } from './range-figures.ts';

/** At once: of a machine that reports without a break some 10,000 buckets. */
const CHUNK_DAYS = 35;
const DAY_MS = 86_400_000;

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

const midnight = (day: string): number => (dayOf(day) as Range).from;

/** @returns from when on there is more to do, ms; undefined: nothing */
async function countPart(client: Transaction, due: Due): Promise<number | undefined> {
  const { streamId, newest } = due;
  // What a reading changes lies up to ten minutes before it.
  const from = due.from - 2 * MAX_GAP_MS;
  const owners = await readOwnership(client, streamId);
  const begin = await firstMidnight(client, streamId, owners, from);
  const end = Math.min(midnight(amsterdamDay(begin + CHUNK_DAYS * DAY_MS)), newest + 1);
  const part = { from: begin, to: end };
  const histories: History[] = [];
  for (const owner of owners)
    if (owner.to > begin && owner.from < end)
      histories.push(await countOwned(client, due, owner, part, from));
  const figures: DayFigures[] = [];
  for (let day = amsterdamDay(begin); midnight(day) < end; day = amsterdamDay(midnight(day) + 1.25 * DAY_MS))
    figures.push(...(await figuresOfDay(day, histories)));
  await replaceDays(client, streamId, { first: amsterdamDay(begin), last: amsterdamDay(end - 1) }, figures);
  const presences = histories.flatMap((history) => history.presences);
  await replacePresences(client, streamId, part, presences);
  return end <= newest ? end : undefined;
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
    if (before?.state.outSince === undefined && !before?.state.next) return midnight(day);
    day = before.day;
  }
}

/** What one organization had of the stream for a time. */
type History = {
  readonly owner: Ownership;
  readonly pieces: Pieces;
  /** In order; cut at the ends of ownership. */
  readonly found: readonly Piece[];
  readonly presences: readonly Presence[];
  readonly states: ReadonlyMap<number, PresenceState>;
};

async function countOwned(
  client: Transaction,
  { streamId, newest }: Due,
  owner: Ownership,
  part: Range,
  from: number,
): Promise<History> {
  const { organizationId } = owner;
  const range = { from: Math.max(owner.from, part.from), to: Math.min(owner.to, part.to) };
  const charging = {
    from: Math.max(owner.from, await sessionsFrom(client, streamId, Math.max(from, range.from))),
    to: range.to,
  };
  const pieces = await openPieces(client, streamId, owner, {
    from: Math.min(range.from, charging.from - MAX_GAP_MS),
    to: range.to + MAX_GAP_MS,
  });
  await replaceSessions(client, streamId, charging, await findSessions(pieces, charging, newest));

  const { places, times } = await readProjects(client, organizationId);
  const assigned = await readAssigned(client, streamId, organizationId);
  const found = await pieces.of(range);
  const kept = await readKept(client, streamId, owner, range);
  const start = kept?.until ?? range.from;
  const before =
    owner.from >= start
      ? {}
      : ((await presenceBefore(client, streamId, owner, amsterdamDay(start)))?.state ?? {});
  const { turns, states } = await followPositions(pieces, found, before, places, kept);
  const presences = await presencesOf(
    pieces,
    range,
    [{ from: start, projectId: before.projectId }, ...turns],
    assigned,
    times,
    kept,
  );
  return { owner, pieces, found, presences, states };
}

const isOf = (owner: Ownership, organizationId: number, day: Range): boolean =>
  owner.organizationId === organizationId && owner.from < day.to && owner.to > day.from;

async function figuresOfDay(day: string, histories: readonly History[]): Promise<DayFigures[]> {
  const ofDay = dayOf(day) as Range;
  const heard = histories.flatMap((history) => {
    const found = history.found.filter(({ from }) => from >= ofDay.from && from < ofDay.to);
    return found.length > 0 ? [{ ...history, last: found.at(-1) as Piece }] : [];
  });
  const rows: DayFigures[] = [];
  for (const [organizationId, own] of Map.groupBy(heard, ({ owner }) => owner.organizationId)) {
    const last = own.at(-1);
    const whole = await figuresOf(
      own.flatMap(({ pieces, owner }) => inside(owner, ofDay).map((range) => ({ pieces, range }))),
    );
    // Its organization may have had it a second time that day, and heard nothing yet.
    const isOpen =
      last?.owner === histories.findLast(({ owner }) => isOf(owner, organizationId, ofDay))?.owner;
    const presence = isOpen ? last?.states.get(last.last.from) : undefined;
    rows.push({ ...whole, day, organizationId, projectId: 0, presence });
    const there = own.flatMap(({ pieces, presences }) =>
      presences.flatMap((one) =>
        inside(one, ofDay).map((range) => ({ pieces, range, projectId: one.projectId })),
      ),
    );
    for (const [projectId, parts] of Map.groupBy(there, (one) => one.projectId)) {
      const figures = await figuresOf(parts);
      if (figures.heardMs > 0 || figures.count > 0)
        rows.push({ ...figures, day, organizationId, projectId, presence: undefined });
    }
  }
  return rows;
}
