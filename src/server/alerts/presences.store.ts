import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { columnForFigures } from '#server/telemetry/readings/columns.ts';
import { readEdgeReadings } from '#server/telemetry/readings/read-edges.ts';
import type { PresencePart } from '#shared/domain/alerts/presence-events.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { PresenceStates } from '#shared/domain/presence.ts';
import type { OwnedMachine } from './active-rules.store.ts';

/** Reads presences of machines, for rules of arrivals and departures. */

/** How far the presences of a machine are computed. Times in ms. */
export type PresenceProgress = {
  readonly computedTo: number;
  readonly state: PresenceStates;
  /** Hash of the projects and terreinen as people entered them. */
  readonly projects: string;
};
export type MachinePresences = PresenceProgress & {
  readonly streamId: number;
  /** Presences on projects of the present owner, in order. */
  readonly parts: readonly PresencePart[];
  /** Presences on terreinen of the present owner, in order; `projectId` is the id of a terrein. */
  readonly terreinParts: readonly PresencePart[];
  /** The progress at the previous evaluation. */
  readonly before: PresenceProgress | null;
  /** Times (ms) at which exceptions begin and end: periods in which the machine's positions do not put it on a project. */
  readonly cuts: readonly number[];
};

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::float8`;

/**
 * Reads the presences of machines. Leaves out machines whose presences must still be recomputed, and those whose projects changed during
 * the read, so that presences and projects are from the same moment.
 * @param since time in ms; presences that ended earlier are not read
 */
export async function readMachinePresences(
  db: Database,
  machines: readonly OwnedMachine[],
  since: number,
): Promise<MachinePresences[]> {
  const entered = await readEntered(db, machines);
  const counted = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Omit<MachinePresences, 'projects' | 'before' | 'cuts'>>(
      `select s.id as stream_id, ${ms('c.time')} as computed_to,
         coalesce((select d.presence from telemetry.day_figures d where d.stream_id = s.id and d.organization_id = s.organization_id
           and d.project_id = 0 order by d.day desc limit 1), '{}') as state,
         coalesce((select json_agg(json_build_object('projectId', p.project_id, 'from', ${ms('p.from_time')}, 'to', ${ms('p.to_time')},
             'byHand', p.by_hand) order by p.from_time)
           from telemetry.presence p where p.stream_id = s.id and p.to_time >= $4 and p.from_time >= s.since), '[]') as parts,
         coalesce((select json_agg(json_build_object('projectId', p.terrein_id, 'from', ${ms('p.from_time')}, 'to', ${ms('p.to_time')},
             'byHand', false) order by p.from_time)
           from telemetry.terrein_presence p where p.stream_id = s.id and p.to_time >= $4 and p.from_time >= s.since), '[]') as terrein_parts
       from unnest($1::int[], $2::int[], $3::timestamptz[]) as s (id, organization_id, since)
         join telemetry.day_cursor c on c.stream_id = s.id and c.time > '-infinity'
       where not exists (select from telemetry.changed_history h where h.stream_id = s.id)`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ organizationId }) => organizationId),
        own.map(({ ownedSince }) => (Number.isFinite(ownedSince) ? new Date(ownedSince) : '-infinity')),
        new Date(since),
      ],
    ),
  );
  const organizationOf = new Map(machines.map(({ streamId, organizationId }) => [streamId, organizationId]));
  const { rows: owned } = await db.query<{ id: number; organizationId: number }>(
    'select id, organization_id from project where organization_id = any ($1)',
    [[...new Set(organizationOf.values())]],
  );
  const ownerOf = new Map(owned.map(({ id, organizationId }) => [id, organizationId]));
  const { rows: terreinen } = await db.query<{ id: number; organizationId: number }>(
    'select id, organization_id from terrein where organization_id = any ($1)',
    [[...new Set(organizationOf.values())]],
  );
  const terreinOwnerOf = new Map(terreinen.map(({ id, organizationId }) => [id, organizationId]));
  const after = await readEntered(db, machines);
  return counted.flatMap((one) => {
    const { projects = '', before = null, cuts = [] } = entered.get(one.streamId) ?? {};
    if (after.get(one.streamId)?.projects !== projects) return [];
    const owner = organizationOf.get(one.streamId);
    const parts = one.parts.filter(({ projectId }) => ownerOf.get(projectId) === owner);
    const terreinParts = one.terreinParts.filter(({ projectId }) => terreinOwnerOf.get(projectId) === owner);
    return [{ ...one, projects, before, parts, terreinParts, cuts }];
  });
}

/** Hash of the owner's projects and terreinen, progress of the previous evaluation, and times at which exceptions begin and end. */
type Entered = Pick<MachinePresences, 'projects' | 'before' | 'cuts'>;

async function readEntered(db: Database, machines: readonly OwnedMachine[]): Promise<Map<number, Entered>> {
  const { rows } = await db.query<Entered & { id: number }>(
    `with entered as (
       select o.id, md5(string_agg(concat_ws('|', p.id, p.first_day, p.last_day, p.deleted_at, p.areas), ';' order by p.id)) as hash
       from (select distinct unnest($2::int[]) as id) o left join project p on p.organization_id = o.id group by o.id
     ), terreinen as (
       select organization_id as id, md5(string_agg(concat_ws('|', id, counted_from, deleted_at, areas), ';' order by id)) as hash
       from terrein where organization_id = any ($2) group by organization_id
     )
     select s.id,
       md5(concat(e.hash, (select string_agg(concat_ws('|', a.project_id, a.valid_from, a.valid_to), ';' order by a.id)
         from assignment a where a.stream_id = s.id),
         (select string_agg(concat_ws('|', e.project_id, e.valid_from, e.valid_to), ';' order by e.id)
         from project_exception e where e.stream_id = s.id), t.hash)) as projects,
       case when x.stream_id is not null then json_build_object('computedTo', ${ms('x.time')}, 'state', x.state, 'projects', x.projects) end
         as before,
       array(select ${ms('cut.at')} from project_exception e, unnest(array[e.valid_from, e.valid_to]) as cut (at)
         where e.stream_id = s.id and cut.at < 'infinity') as cuts
     from unnest($1::int[], $2::int[]) as s (id, organization_id) join entered e on e.id = s.organization_id left join terreinen t on t.id = s.organization_id
       left join alert_presence x on x.stream_id = s.id`,
    [machines.map(({ streamId }) => streamId), machines.map(({ organizationId }) => organizationId)],
  );
  return new Map(rows.map(({ id, ...one }) => [id, one]));
}

/** Saves how far presences were evaluated. */
export async function savePresenceProgress(
  db: Database,
  machines: readonly MachinePresences[],
): Promise<void> {
  await db.query(
    `insert into alert_presence as x (stream_id, time, state, projects)
     select n.id, to_timestamp(n.time / 1000), n.state, n.projects
     from unnest($1::int[], $2::float8[], $3::jsonb[], $4::text[]) as n (id, time, state, projects)
       join stream s on s.id = n.id
     on conflict (stream_id) do update set time = excluded.time, state = excluded.state, projects = excluded.projects
       where (x.time, x.projects) is distinct from (excluded.time, excluded.projects)`,
    [
      machines.map(({ streamId }) => streamId),
      machines.map(({ computedTo }) => computedTo),
      machines.map(({ state }) => JSON.stringify(state)),
      machines.map(({ projects }) => projects),
    ],
  );
}

export type NamedPlace = Range & { readonly name: string };

/** Reads projects by id with their times in ms, including deleted ones. */
async function readNamedProjects(
  db: Database,
  organizations: readonly number[],
): Promise<Map<number, NamedPlace>> {
  const { rows } = await db.query<{
    id: number;
    name: string;
    firstDay: string;
    lastDay: string | null;
    deleted: number | null;
  }>(
    `select id, name, first_day::text as first_day, last_day::text as last_day, ${ms('deleted_at')} as deleted
     from project where organization_id = any ($1)`,
    [organizations],
  );
  return new Map(
    rows.map(({ id, name, firstDay, lastDay, deleted }) => {
      const end = (lastDay === null ? undefined : amsterdamDayRange(lastDay)?.to) ?? Number.POSITIVE_INFINITY;
      return [id, { name, from: amsterdamDayRange(firstDay)?.from ?? 0, to: Math.min(end, deleted ?? end) }];
    }),
  );
}

/** Reads terreinen by id, with the time in which machines are followed there, in ms; including deleted ones. */
export async function readNamedTerreinen(
  db: Database,
  organizations: readonly number[],
): Promise<Map<number, NamedPlace>> {
  const { rows } = await db.query<{ id: number; name: string; from: number; to: number | null }>(
    `select id, name, ${ms('counted_from')} as "from", ${ms('deleted_at')} as "to" from terrein where organization_id = any ($1)`,
    [organizations],
  );
  return new Map(rows.map(({ id, to, ...named }) => [id, { ...named, to: to ?? Number.POSITIVE_INFINITY }]));
}

/** Projects and terreinen by id. */
export type NamedPlaces = Readonly<Record<'project' | 'terrein', ReadonlyMap<number, NamedPlace>>>;

export const readNamedPlaces = async (
  db: Database,
  organizations: readonly number[],
): Promise<NamedPlaces> => ({
  project: await readNamedProjects(db, organizations),
  terrein: await readNamedTerreinen(db, organizations),
});

/** A half-open time range of a machine, in ms. */
export type MachineRange = Range & { readonly streamId: number };

/** Returns for each range whether it contains a position. */
export async function haveRangesPositions(db: Database, spells: readonly MachineRange[]): Promise<boolean[]> {
  const last = await readEdgeReadings(db, spells, [columnForFigures('LATITUDE')], { end: 'last' });
  return last.map((one) => one !== undefined);
}
