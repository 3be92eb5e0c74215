import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { Scope } from '#shared/domain/access.ts';
import { firstMomentInWorkingHours, isWorkingTime, type WorkingHours } from '#shared/domain/privacy.ts';

/** A machine that is on a project, with times in ms. */
export type PresentMachine = {
  readonly streamId: number;
  readonly projectId: number;
  readonly since: number;
  readonly byHand: boolean;
};

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::float8`;

/**
 * Returns the machines of these organizations (null: all) that are on a project now: by assignment regardless of positions, otherwise by
 * their newest positions within the hours, unless an exception excludes these positions now.
 * @param hours the hours in which the caller sees positions; undefined: at all hours
 * @param now the present time in ms
 */
export async function readPresentMachines(
  db: Database,
  organizations: readonly number[] | null,
  hours: WorkingHours | undefined,
  now: number,
): Promise<PresentMachine[]> {
  const { rows: owned } = await db.query<{ streamId: number; organizationId: number }>(
    `select w.stream_id, w.organization_id from ownership w
     where w.valid_to = 'infinity' and ($1::integer[] is null or w.organization_id = any ($1))
       and exists (select from project p where p.organization_id = w.organization_id and p.deleted_at is null)`,
    [organizations],
  );
  const ownerOf = new Map(owned.map(({ streamId, organizationId }) => [streamId, organizationId]));
  const { rows: running } = await db.query<{ id: number; organizationId: number }>(
    `select id, organization_id from project
     where deleted_at is null and organization_id = any ($1)
       and (to_timestamp($2::float8 / 1000) at time zone 'Europe/Amsterdam')::date between first_day and coalesce(last_day, 'infinity')`,
    [[...new Set(ownerOf.values())], now],
  );
  const projects = new Map(running.map(({ id, organizationId }) => [id, organizationId]));
  const isOwn = ({ streamId, projectId }: PresentMachine): boolean =>
    projects.get(projectId) === ownerOf.get(streamId);

  const { rows: assigned } = await db.query<Omit<PresentMachine, 'byHand'>>(
    `select stream_id, project_id, ${ms('valid_from')} as since from assignment
     where project_id = any ($1) and valid_from <= to_timestamp($2::float8 / 1000) and valid_to > to_timestamp($2::float8 / 1000)`,
    [[...projects.keys()], now],
  );
  const byHand = assigned.map((one) => ({ ...one, byHand: true })).filter(isOwn);
  const taken = new Set(byHand.map(({ streamId }) => streamId));

  // The day cursor is the time until which a stream is computed. A presence that lasts beyond it has not ended. Presences are stored cut at
  // midnights.
  const unassigned = [...ownerOf.keys()].filter((streamId) => !taken.has(streamId));
  const newest = await runInShardsOfStreams(db, unassigned, (shard, own) =>
    shard.query<Omit<PresentMachine, 'byHand'> & { placedAt: number | null }>(
      `select l.stream_id, p.project_id, ${ms('p.from_time')} as since, (l.signals->'LATITUDE'->>1)::float8 as placed_at
     from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id join telemetry.presence p on p.stream_id = l.stream_id
     where l.stream_id = any ($1) and p.from_time > c.time - interval '25 hours' and p.to_time > c.time and not p.by_hand`,
      [own],
    ),
  );
  const { rows: excepted } = await db.query<{ streamId: number; projectId: number }>(
    `select stream_id, project_id from project_exception
     where project_id = any ($1) and valid_from <= to_timestamp($2::float8 / 1000) and valid_to > to_timestamp($2::float8 / 1000)`,
    [[...projects.keys()], now],
  );
  const keyOf = ({ streamId, projectId }: Pick<PresentMachine, 'streamId' | 'projectId'>) =>
    `${streamId} ${projectId}`;
  const exceptions = new Set(excepted.map(keyOf));
  const byPosition = newest
    .filter((one) => !exceptions.has(keyOf(one)))
    .filter(({ placedAt }) => !hours || (placedAt !== null && isWorkingTime(hours, placedAt)))
    .map(({ placedAt: _, ...one }) => ({ ...one, byHand: false }))
    .filter(isOwn);
  return [...byHand, ...byPosition];
}

/**
 * Returns whether a scope sees a machine on the project that it is on now. A limited person sees only machines and projects of their limit.
 */
export const isVisibleNow = (
  { actions, limited }: Scope,
  { streamId, projectId, byHand }: Pick<PresentMachine, 'streamId' | 'projectId' | 'byHand'>,
): boolean =>
  !limited ||
  (limited.machines.has(streamId) &&
    (limited.projects === null || limited.projects.includes(projectId)) &&
    (byHand || actions.has('see-routes')));

/**
 * A presence by position that lasts until now, joined over midnights. `since`: its start; `unseenMs`: the total time in it for which the
 * machine sent no position. Both in ms.
 */
export type PresentStay = { readonly since: number; readonly unseenMs: number };

/** Returns the newest presence by position of each stream. Stored presences are cut at midnights; adjoining ones are joined. */
export async function readStays(
  db: Database,
  projectId: number,
  streams: readonly number[],
): Promise<Map<number, PresentStay>> {
  const rows = await runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<{ streamId: number; from: number; to: number; unseenMs: number }>(
      `select stream_id, ${ms('from_time')} as "from", ${ms('to_time')} as "to", unseen_ms::float8 as unseen_ms
     from telemetry.presence where stream_id = any ($1) and project_id = $2 and not by_hand order by stream_id, from_time desc`,
      [own, projectId],
    ),
  );
  const stays = new Map<number, PresentStay & { ended?: boolean }>();
  for (const { streamId, from, to, unseenMs } of rows) {
    const known = stays.get(streamId);
    if (!known) stays.set(streamId, { since: from, unseenMs });
    else if (!known.ended && known.since === to)
      stays.set(streamId, { since: from, unseenMs: known.unseenMs + unseenMs });
    else stays.set(streamId, { ...known, ended: true });
  }
  return stays;
}

/**
 * Returns the start of a presence by position that the scope may see, in ms. For a presence that began outside the scope's hours this is
 * the first time inside these hours. Returns null without the right to see routes, and when the presence began before the time from which
 * a limited person sees the machine.
 * @param now ms
 */
export const visibleStayBegin = (
  { actions, positionHours, limited }: Scope,
  { since, unseenMs }: PresentStay,
  now: number,
): { readonly since: number | null; readonly unseenMs: number } => {
  if (!actions.has('see-routes') || (limited && since < limited.from)) return { since: null, unseenMs: 0 };
  const known = positionHours ? (firstMomentInWorkingHours(positionHours, since, now) ?? null) : since;
  return known === since ? { since, unseenMs } : { since: known, unseenMs: 0 };
};
