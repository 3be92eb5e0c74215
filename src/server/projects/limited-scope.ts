import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readPresentMachines } from '#server/projects/present.ts';
import {
  type AccessLimit,
  type LimitedScope,
  type Principal,
  type Scope,
  scopeOf,
  type VisibleMachine,
} from '#shared/domain/access.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { intersectIntervals, joinRanges, type Range } from '#shared/domain/intervals.ts';
import { workingHoursIn } from '#shared/domain/privacy.ts';

/**
 * Returns the scope of a person; the scope of a limited person contains the machines that the person sees now
 * (docs/decisions/0077-users-with-a-limited-view.md).
 * @param now the present time in ms
 */
export async function readScope(db: Database, principal: Principal, now: number): Promise<Scope> {
  const scope = scopeOf(principal);
  const { limit, organizationId, isLmbCustomer } = principal;
  if (limit === null || isLmbCustomer) return scope;
  return { ...scope, limited: await readLimited(db, scope, limit, organizationId, now) };
}

async function readLimited(
  db: Database,
  scope: Scope,
  limit: AccessLimit,
  organizationId: number,
  now: number,
): Promise<LimitedScope> {
  const { onlyToday } = limit;
  const from = onlyToday ? (amsterdamDayRange(amsterdamDay(now))?.from ?? now) : Number.NEGATIVE_INFINITY;
  const whole = { from, to: Number.POSITIVE_INFINITY };
  const machines = new Map<number, VisibleMachine>();
  const byProject =
    limit.projects === null ? new Map() : await readOnProjects(db, scope, limit, organizationId, now);
  for (const [streamId, times] of byProject)
    machines.set(streamId, { times: intersectIntervals(times, [whole]), isAnywhere: false });
  for (const streamId of await readAnywhere(db, limit, organizationId))
    machines.set(streamId, { times: [whole], isAnywhere: true });
  const projects = limit.projects && (await readRunning(db, limit.projects, organizationId, now));
  const labels = limit.labels && (await readLabels(db, limit.labels, organizationId));
  return {
    organizationId,
    onlyToday,
    from,
    machines,
    projects: projects?.map(({ id }) => id) ?? null,
    labels: labels?.map(({ id }) => id) ?? null,
    names: {
      projects: (projects ?? []).map(({ name }) => name),
      labels: (labels ?? []).map(({ name }) => name),
    },
  };
}

/** Returns the machines that carry one of the labels of the limit now, or all machines of the organization if the limit has no labels. */
async function readAnywhere(
  db: Database,
  { labels }: AccessLimit,
  organizationId: number,
): Promise<readonly number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select w.stream_id as id from ownership w join stream s on s.id = w.stream_id and s.kind = 'machine' and s.deleted_at is null
     where w.valid_to = 'infinity' and w.organization_id = $1 and ($2::integer[] is null or exists (
       select from machine_label c join label l on l.id = c.label_id
       where c.stream_id = w.stream_id and l.organization_id = $1 and l.id = any ($2)))`,
    [organizationId, labels],
  );
  return rows.map(({ id }) => id);
}

type Running = { readonly id: number; readonly name: string; readonly firstDay: string };

/**
 * Returns the projects of the limit that belong to the organization and run today.
 * @param today 'YYYY-MM-DD'
 */
async function readRunning(
  db: Database,
  projects: readonly number[],
  organizationId: number,
  now: number,
): Promise<readonly Running[]> {
  const { rows } = await db.query<Running>(
    `select id, name, first_day::text as first_day from project where id = any ($1) and organization_id = $2 and deleted_at is null
       and $3::date between first_day and coalesce(last_day, 'infinity') order by lower(name), id`,
    [projects, organizationId, amsterdamDay(now)],
  );
  return rows;
}

/** Returns the labels of the limit that still exist, ordered by name. */
async function readLabels(
  db: Database,
  labels: readonly number[],
  organizationId: number,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const { rows } = await db.query<{ id: number; name: string }>(
    'select id, name from label where id = any ($1) and organization_id = $2 order by lower(name), id',
    [labels, organizationId],
  );
  return rows;
}

type Stay = Range & { readonly streamId: number; readonly byHand: boolean };

/**
 * Returns the machines that are on one of the projects of the limit now, each with its times on these projects, in order. Stays that follow
 * from positions are included only with the right to see routes, and are cut to the hours in which the scope sees positions.
 */
async function readOnProjects(
  db: Database,
  { actions, positionHours }: Scope,
  { projects }: AccessLimit,
  organizationId: number,
  now: number,
): Promise<ReadonlyMap<number, readonly Range[]>> {
  const running = await readRunning(db, projects ?? [], organizationId, now);
  if (running.length === 0) return new Map();
  const beginOf = new Map(running.map(({ id, firstDay }) => [id, amsterdamDayRange(firstDay)?.from ?? now]));
  const seesRoutes = actions.has('see-routes');
  const present = (await readPresentMachines(db, [organizationId], positionHours, now)).filter(
    ({ projectId, byHand }) => beginOf.has(projectId) && (byHand || seesRoutes),
  );
  const ids = [...new Set(present.map(({ streamId }) => streamId))];
  const before = (await readStays(db, ids, [...beginOf.keys()])).filter(({ byHand }) => byHand || seesRoutes);
  const going = present.map(
    ({ streamId, projectId, since, byHand }): Stay => ({
      streamId,
      byHand,
      from: Math.max(since, beginOf.get(projectId) ?? since),
      to: Number.POSITIVE_INFINITY,
    }),
  );
  const seen = [...before, ...going].flatMap((stay): Stay[] => {
    if (stay.byHand || !positionHours) return [stay];
    const until = Math.min(stay.to, now);
    return stay.from < until
      ? workingHoursIn(positionHours, { from: stay.from, to: until }).map((part) => ({ ...stay, ...part }))
      : [];
  });
  const byMachine = Map.groupBy(seen, ({ streamId }) => streamId);
  return new Map(
    ids.map((streamId) => [
      streamId,
      joinRanges((byMachine.get(streamId) ?? []).sort((a, b) => a.from - b.from)).map(({ from, to }) => ({
        from,
        to,
      })),
    ]),
  );
}

/** Reads the computed presences, which are stored cut at midnights, and joins adjoining ones. */
function readStays(db: Database, streams: readonly number[], projects: readonly number[]): Promise<Stay[]> {
  return runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<Stay>(
      `select stream_id, by_hand, date_part('epoch', lower(stay)) * 1000 as "from",
         date_part('epoch', upper(stay)) * 1000 as "to"
       from (
         select stream_id, by_hand, unnest(range_agg(tstzrange(from_time, to_time))) as stay
         from telemetry.presence where stream_id = any ($1) and project_id = any ($2) group by stream_id, by_hand
       ) as stays`,
      [own, projects],
    ),
  );
}
