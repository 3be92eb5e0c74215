import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { type Action, ADMIN_ORGANIZATION, type Scope, scopeOf } from '#shared/domain/access.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isWorkingTime, OPEN_PRIVACY, workingHoursIn } from '#shared/domain/privacy.ts';
import { asSerial, type StreamKind } from './streams.store.ts';

/**
 * Who may see which stream when. A stream is its present owner's: to anybody else it is as if it were not there, and so
 * is one that was deleted (API-03). Its owner sees of its history what was recorded while it had it (INGEST-06).
 */

/**
 * As a `from` item: the streams `s` of a scope, with their present owner and since when it has them. $1 and $2 are
 * seenBy()'s.
 */
export const SEEN = `(
  select s.id, s.kind, s.serial, s.alias, s.next_definition_id, o.id as organization_id, o.name as organization,
    o.clean as organization_name, w.valid_from as owned_since
  from stream s
  join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
  join organization o on o.id = w.organization_id
  where s.deleted_at is null and s.kind = any ($1::text[]) and ($2::integer[] is null or w.organization_id = any ($2))
) as s`;

const NEEDS: Readonly<Record<StreamKind, Action>> = { machine: 'see-machines', logger: 'see-loggers' };
const BOTH: readonly StreamKind[] = ['machine', 'logger'];

/** $1 and $2 of SEEN: of the kinds asked for those that the scope may see, and its organizations (null: all). */
export const seenBy = (
  { organizations, actions }: Scope,
  kinds: readonly StreamKind[] = BOTH,
): [kinds: StreamKind[], organizations: readonly number[] | null] => [
  kinds.filter((kind) => actions.has(NEEDS[kind])),
  organizations === 'all' ? null : organizations,
];

/** What an administrator sees: for the portal's own questions, and for calls that only administrators may make. */
export const EVERYTHING: Scope = scopeOf({
  organizationId: 0,
  organization: ADMIN_ORGANIZATION,
  isLmbCustomer: false,
  role: 'administrator',
  privacy: OPEN_PRIVACY,
});

const UNKNOWN: Readonly<Record<StreamKind | 'any', string>> = {
  machine: 'Deze machine bestaat niet.',
  logger: 'Deze logger bestaat niet.',
  any: 'Deze machine of logger bestaat niet.',
};
export const unknownStream = (kinds: readonly StreamKind[] = BOTH) =>
  notFound(UNKNOWN[kinds.length > 1 ? 'any' : (kinds[0] as StreamKind)]);

/** A stream whose history the caller may read: only inside `own`, and there everything. */
export type OwnHistory = {
  readonly streamId: number;
  /** When it was the caller's, in order, half-open, ms; -Infinity and Infinity where it was without end. */
  readonly own: readonly Range[];
};

/**
 * The machine or LMB logger of that serial number or loggerid that is the scope's now, with the times at which it was.
 * @throws ProblemError 404, the same for an unknown, a deleted and another organization's one, and for a kind that
 * the scope may not see
 */
export async function findHistory(
  db: Database,
  scope: Scope,
  serial: string,
  kinds: readonly StreamKind[],
): Promise<OwnHistory> {
  const { rows } = await db.query<{ streamId: number; from: number; to: number }>(
    `select s.id as "streamId", date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to"
     from ${SEEN} join ownership w on w.stream_id = s.id and ($2::integer[] is null or w.organization_id = any ($2))
     where lower(s.serial) = lower($3) order by w.valid_from`,
    [...seenBy(scope, kinds), asSerial(serial)],
  );
  const [first] = rows;
  if (!first) throw unknownStream(kinds);
  return { streamId: first.streamId, own: joined(rows) };
}

/** The same of all streams of a kind that are the scope's now, with their serial numbers; none where it sees no such kind. */
export async function readHistories(
  db: Database,
  scope: Scope,
  kind: StreamKind,
): Promise<(OwnHistory & { readonly serial: string })[]> {
  const { rows } = await db.query<{ streamId: number; serial: string; from: number[]; to: number[] }>(
    `select s.id as "streamId", s.serial, array_agg(date_part('epoch', w.valid_from) * 1000 order by w.valid_from) as "from",
       array_agg(date_part('epoch', w.valid_to) * 1000 order by w.valid_from) as "to"
     from ${SEEN} join ownership w on w.stream_id = s.id and ($2::integer[] is null or w.organization_id = any ($2))
     group by s.id, s.serial order by s.id`,
    seenBy(scope, [kind]),
  );
  return rows.map(({ streamId, serial, from, to }) => ({
    streamId,
    serial,
    own: joined(from.map((at, n) => ({ from: at, to: to[n] as number }))),
  }));
}

/** Whether the scope may see where a machine was at a time of the past, ms. */
export const seesPlaceAt = ({ actions, positionHours }: Scope, time: number): boolean =>
  actions.has('see-routes') && (!positionHours || isWorkingTime(positionHours, time));

/** Of a history the times whose positions the scope may see, inside `range`. */
export function withPositions({ positionHours }: Scope, history: OwnHistory, range: Range): OwnHistory {
  if (!positionHours) return history;
  const inside = history.own.map(({ from, to }) => ({
    from: Math.max(from, range.from),
    to: Math.min(to, range.to),
  }));
  return {
    ...history,
    own: inside.flatMap((own) => (own.from < own.to ? workingHoursIn(positionHours, own) : [])),
  };
}

/** The times in `range` whose positions the scope may see, as a `tstzmultirange`; null: all of them. */
export const positionHoursIn = ({ positionHours }: Scope, range: Range): string | null =>
  positionHours
    ? `{${workingHoursIn(positionHours, range).map(
        ({ from, to }) => `[${new Date(from).toISOString()},${new Date(to).toISOString()})`,
      )}}`
    : null;

/** Intervals that follow each other at once are one: of one organization after the other, both in the scope. */
function joined(intervals: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of intervals) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}
