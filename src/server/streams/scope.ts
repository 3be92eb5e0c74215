import type { Database } from '#server/platform/database.ts';
import { instantParameter } from '#server/platform/instant.ts';
import { notFound } from '#server/platform/problem.ts';
import {
  type Action,
  ADMIN_ORGANIZATION,
  type LimitedScope,
  type Scope,
  scopeOf,
} from '#shared/domain/access.ts';
import { intersectIntervals, joinRanges, type Range } from '#shared/domain/intervals.ts';
import { DEFAULT_PRIVACY, isWorkingTime, workingHoursIn } from '#shared/domain/privacy.ts';
import { normalizeSerial, type StreamKind } from './streams.store.ts';

/**
 * Access of organizations and people to streams over time. A stream belongs to its present owner; for all other organizations it
 * does not exist, and a deleted stream exists for none (API-03). The owner sees the history that was recorded during its ownership
 * (INGEST-06).
 */

/**
 * Returns SQL, as a `from` item, for the streams `s` of a scope with their present owner and `owned_since`: the start of its ownership
 * or, if later in a limited scope, the time since which the person has seen the machine without interruption. $1 and $2 are the
 * values of visibleStreamsParameters().
 */
export const visibleStreamsSql = ({ limited }: Scope): string =>
  /*rule:limited-machines*/ limited /*=false*/
    ? seen(`join ${seenMachines(limited)} on l.id = s.id`, 'greatest(w.valid_from, l.since)')
    : seen('', 'w.valid_from');

const seen = (limit: string, since: string): string => `(
  select s.id, s.kind, s.serial, s.alias, s.next_definition_id, o.id as organization_id, o.name as organization,
    o.clean as organization_name, ${since} as owned_since
  from stream s
  join ownership w on w.stream_id = s.id and /*rule:stream-present-owner*/ w.valid_to = 'infinity' /*=true*/
  join organization o on o.id = w.organization_id ${limit}
  where /*rule:stream-deleted*/ s.deleted_at is null /*=true*/
    and s.kind = any ($1::text[]) and ($2::integer[] is null or /*rule:stream-organization*/ w.organization_id = any ($2) /*=true*/)
) as s`;

/** Puts the machines of a limited scope into the SQL text, because a parameter would have another number in each statement. */
const seenMachines = ({ machines }: LimitedScope): string => {
  const ids = [...machines.keys()].map((id) => Math.trunc(id));
  const since = [...machines.values()].map(({ times }) =>
    timestamp(times.at(-1)?.from ?? Number.POSITIVE_INFINITY),
  );
  return `unnest('{${ids}}'::integer[], '{${since}}'::timestamptz[]) as l (id, since)`;
};

const timestamp = (ms: number): string => {
  const at = instantParameter(ms);
  return typeof at === 'string' ? at : at.toISOString();
};

const NEEDS: Readonly<Record<StreamKind, Action>> = { machine: 'see-machines', logger: 'see-loggers' };
const BOTH: readonly StreamKind[] = ['machine', 'logger'];

/**
 * Returns the values of $1 and $2 of visibleStreamsSql(): the requested kinds that the scope may see, and the scope's organizations (null:
 * all).
 */
export const visibleStreamsParameters = (
  { organizations, actions, limited }: Scope,
  kinds: readonly StreamKind[] = BOTH,
): [kinds: StreamKind[], organizations: readonly number[] | null] => [
  kinds.filter(/*rule:stream-kind*/ (kind) => actions.has(NEEDS[kind]) /*=() => true*/),
  limited ? [limited.organizationId] : organizations === 'all' ? null : organizations,
];

/**
 * Returns the times of a machine's history that a scope may see: the times of ownership `own`. In a limited scope only the part of
 * these times in which the person sees the machine: by the scope's projects and labels, and if it is limited to today, only today.
 */
const seenTimes = ({ limited }: Scope, streamId: number, own: readonly Range[]): readonly Range[] =>
  limited
    ? /*rule:limited-history*/ intersectIntervals(own, limited.machines.get(streamId)?.times ?? []) /*=own*/
    : own;

/**
 * Returns the time in ms since which a scope with a limit has seen a machine without interruption; -Infinity without a
 * limit.
 */
export const visibleSince = ({ limited }: Scope, streamId: number): number =>
  limited
    ? (limited.machines.get(streamId)?.times.at(-1)?.from ?? Number.POSITIVE_INFINITY)
    : Number.NEGATIVE_INFINITY;

/** The scope of an administrator, for the portal's own queries and for calls that only administrators may make. */
export const ADMINISTRATOR_SCOPE: Scope = scopeOf({
  organizationId: 0,
  organization: ADMIN_ORGANIZATION,
  isLmbCustomer: false,
  role: 'administrator',
  privacy: DEFAULT_PRIVACY,
  limit: null,
});

const UNKNOWN: Readonly<Record<StreamKind | 'any', string>> = {
  machine: 'Deze machine bestaat niet.',
  logger: 'Deze logger bestaat niet.',
  any: 'Deze machine of logger bestaat niet.',
};
export const unknownStreamError = (kinds: readonly StreamKind[] = BOTH) =>
  notFound(UNKNOWN[kinds.length > 1 ? 'any' : (kinds[0] as StreamKind)]);

/** A stream whose history the caller may read: all history inside `own`, and none outside. */
export type OwnHistory = {
  readonly streamId: number;
  /** The caller's times of ownership in order, half-open, ms; -Infinity and Infinity mean no limit. */
  readonly own: readonly Range[];
};

/**
 * Returns the machine or LMB logger of the scope with this serial number or loggerid, with its times of ownership.
 * @throws ProblemError 404; the same for an unknown stream, a deleted stream, another organization's stream, and a kind that the
 * scope may not see
 */
export async function findHistory(
  db: Database,
  scope: Scope,
  serial: string,
  kinds: readonly StreamKind[],
): Promise<OwnHistory> {
  const { rows } = await db.query<{ streamId: number; from: number; to: number }>(
    `select s.id as stream_id, date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to"
     from ${visibleStreamsSql(scope)} join ownership w on w.stream_id = s.id
       and ($2::integer[] is null or /*rule:history-organization*/ w.organization_id = any ($2) /*=true*/)
     where lower(s.serial) = lower($3) order by w.valid_from`,
    [...visibleStreamsParameters(scope, kinds), normalizeSerial(serial)],
  );
  const [first] = rows;
  if (!first) throw unknownStreamError(kinds);
  return { streamId: first.streamId, own: seenTimes(scope, first.streamId, joinRanges(rows)) };
}

/**
 * Returns the histories of all streams of a kind in the scope, with their serial numbers; none if the scope may not see
 * the kind.
 */
export async function readHistories(
  db: Database,
  scope: Scope,
  kind: StreamKind,
): Promise<(OwnHistory & { readonly serial: string })[]> {
  const { rows } = await db.query<{ streamId: number; serial: string; from: number[]; to: number[] }>(
    `select s.id as stream_id, s.serial, array_agg(date_part('epoch', w.valid_from) * 1000 order by w.valid_from) as "from",
       array_agg(date_part('epoch', w.valid_to) * 1000 order by w.valid_from) as "to"
     from ${visibleStreamsSql(scope)} join ownership w on w.stream_id = s.id and ($2::integer[] is null or w.organization_id = any ($2))
     group by s.id, s.serial order by s.id`,
    visibleStreamsParameters(/*rule:fleet-history-scope*/ scope /*={ ...scope, organizations: 'all' }*/, [
      kind,
    ]),
  );
  return rows.map(({ streamId, serial, from, to }) => ({
    streamId,
    serial,
    own: seenTimes(scope, streamId, joinRanges(from.map((at, n) => ({ from: at, to: to[n] as number })))),
  }));
}

/** Returns whether the scope may see where a machine was at a past time, in ms. */
export const maySeePositionAt = ({ actions, positionHours }: Scope, time: number): boolean =>
  /*rule:places-see-routes*/ actions.has('see-routes') /*=true*/ &&
  (!positionHours || isWorkingTime(positionHours, time));

/** Returns the times of a history inside `range` whose positions the scope may see. */
export function restrictToVisiblePositions(
  { positionHours }: Scope,
  history: OwnHistory,
  range: Range,
): OwnHistory {
  if (/*rule:positions-working-hours*/ !positionHours /*=true*/) return history;
  const inside = history.own.map(({ from, to }) => ({
    from: Math.max(from, range.from),
    to: Math.min(to, range.to),
  }));
  return {
    ...history,
    own: inside.flatMap((own) => (own.from < own.to ? workingHoursIn(positionHours, own) : [])),
  };
}

/** Returns the times in `range` whose positions the scope may see, as a `tstzmultirange`; null for all. */
export const visiblePositionMultirange = ({ positionHours }: Scope, range: Range): string | null =>
  positionHours
    ? `{${workingHoursIn(positionHours, range).map(
        ({ from, to }) => `[${new Date(from).toISOString()},${new Date(to).toISOString()})`,
      )}}`
    : null;
