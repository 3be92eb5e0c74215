import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { visiblePositionMultirange } from '#server/streams/scope.ts';
import { readCalendars } from '#server/work-weeks/calendars.store.ts';
import type { Scope } from '#shared/domain/access.ts';
import { type WorkCalendar, workRangesIn } from '#shared/domain/alerts/work-calendar.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type DayWithData, silentDays } from '#shared/domain/silent-days.ts';
import { readProjects } from './day-figures.store.ts';

/** A machine during its ownership by an organization. */
type Owned = { readonly streamId: number; readonly organizationId: number };

/** A day of a machine on a project without any data. */
export type SilentDay = Owned & {
  readonly projectId: number;
  readonly day: string; // 'YYYY-MM-DD'
  /** The machine's working hours on that day, according to its work week; this time counts as not covered. */
  readonly shiftMs: number;
};

type Days = { readonly firstDay: string; readonly lastDay: string };
const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;
const keyOf = ({ streamId, organizationId }: Owned): string => `${streamId} ${organizationId}`;

/**
 * Returns the silent days of machines on some projects, by machine and day. Days on which only positions show the project are left out
 * if the scope may not see positions of that day.
 * @param now ms
 */
export async function readSilentDays(
  db: Database,
  scope: Scope,
  machines: readonly Owned[],
  projects: readonly number[],
  days: Days,
  now: number,
): Promise<SilentDay[]> {
  if (machines.length === 0 || projects.length === 0) return [];
  const asked = new Set(projects);
  const assigned = Map.groupBy(await readTimesOf(db, 'assignment', machines), ({ streamId }) => streamId);
  const excepted = Map.groupBy(
    await readTimesOf(db, 'project_exception', machines),
    ({ streamId }) => streamId,
  );
  const byPosition = new Set((await findByPosition(db, machines, projects, days)).map(keyOf));
  const candidates = machines.filter(
    (one) =>
      byPosition.has(keyOf(one)) ||
      assigned.get(one.streamId)?.some(({ projectId }) => asked.has(projectId)) === true,
  );
  if (candidates.length === 0) return [];
  const known = Map.groupBy(await readKnown(db, candidates, days), keyOf);
  const own = Map.groupBy(await readOwn(db, candidates), keyOf);
  const first = new Map((await readFirst(db, candidates)).map((one) => [keyOf(one), one]));
  const times = await readTimes(db, candidates);
  const calendars = await readOwnCalendars(db, candidates, days);
  const seesPlace = (day: Range): boolean => visiblePositionMultirange(scope, day) !== '{}';
  return candidates.flatMap((one) => {
    const found = silentDays(
      {
        own: own.get(keyOf(one)) ?? [],
        known: known.get(keyOf(one)) ?? [],
        first: first.get(keyOf(one)),
        entered: own.get(keyOf(one))?.[0]?.entered ?? Number.POSITIVE_INFINITY,
        assigned: assigned.get(one.streamId) ?? [],
        exceptions: excepted.get(one.streamId) ?? [],
        times: times.get(one.organizationId) ?? new Map(),
      },
      days,
      now,
      seesPlace,
    );
    const { streamId, organizationId } = one;
    return [...found]
      .filter(([projectId]) => asked.has(projectId))
      .flatMap(([projectId, silent]) =>
        silent.map((day) => ({
          streamId,
          organizationId,
          projectId,
          day,
          shiftMs: shiftMsOn(calendars.get(keyOf(one)) as WorkCalendar, day),
        })),
      );
  });
}

/** Returns the work calendars of machines during these ownerships, by keyOf. */
async function readOwnCalendars(
  db: Database,
  machines: readonly Owned[],
  { firstDay, lastDay }: Days,
): Promise<Map<string, WorkCalendar>> {
  const range = { from: amsterdamDayRange(firstDay)?.from ?? 0, to: amsterdamDayRange(lastDay)?.to ?? 0 };
  const found = new Map<string, WorkCalendar>();
  for (const [organizationId, own] of Map.groupBy(machines, (one) => one.organizationId))
    for (const [streamId, calendar] of await readCalendars(db, own, range))
      found.set(keyOf({ streamId, organizationId }), calendar);
  return found;
}

const DAY_MS = 86_400_000;

/** Returns the working hours on a day. Starts a day earlier, because a shift of the evening before may extend into the day. */
function shiftMsOn(calendar: WorkCalendar, day: string): number {
  const ofDay = amsterdamDayRange(day) as Range;
  return workRangesIn(calendar, { from: ofDay.from - DAY_MS, to: ofDay.to }).reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, ofDay.to) - Math.max(from, ofDay.from)),
    0,
  );
}

/**
 * Returns the machines that sent data on one of the projects in the period, or that were on one of them according to their last
 * data before the period or their first data after it.
 */
function findByPosition(
  db: Database,
  machines: readonly Owned[],
  projects: readonly number[],
  { firstDay, lastDay }: Days,
): Promise<Owned[]> {
  return runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Owned>(
      `select o.stream_id, o.organization_id
       from unnest($1::integer[], $2::integer[]) as o (stream_id, organization_id)
       where exists (
         select from telemetry.day_figures d where d.stream_id = o.stream_id and d.organization_id = o.organization_id
           and d.day between $3 and $4 and d.project_id = any ($5)
       ) or (
         select (d.presence ->> 'projectId')::integer from telemetry.day_figures d
         where d.stream_id = o.stream_id and d.organization_id = o.organization_id and d.project_id = 0 and d.day < $3
         order by d.day desc limit 1
       ) = any ($5) or exists (
         select from telemetry.day_figures f where f.stream_id = o.stream_id and f.organization_id = o.organization_id
           and f.project_id = any ($5) and f.day > $4 and f.day = (
             select min(d.day) from telemetry.day_figures d where d.stream_id = o.stream_id and d.organization_id = o.organization_id)
       )`,
      [...pairs(own), firstDay, lastDay, projects],
    ),
  );
}

const pairs = (machines: readonly Owned[]): [number[], number[]] => [
  machines.map(({ streamId }) => streamId),
  machines.map(({ organizationId }) => organizationId),
];

/** Returns the days with data in the period, and the last day with data before the period, in order. */
async function readKnown(
  db: Database,
  machines: readonly Owned[],
  { firstDay, lastDay }: Days,
): Promise<(Owned & DayWithData)[]> {
  const known = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Owned & DayWithData>(
      `select o.stream_id, o.organization_id, d.day::text as day,
         (d.presence ->> 'projectId')::integer as project_id
       from unnest($1::integer[], $2::integer[]) as o (stream_id, organization_id)
       join telemetry.day_figures d on d.stream_id = o.stream_id and d.organization_id = o.organization_id
       where d.project_id = 0 and d.day <= $4 and d.day >= coalesce((
         select max(b.day) from telemetry.day_figures b where b.stream_id = o.stream_id and b.organization_id = o.organization_id
           and b.project_id = 0 and b.day < $3), $3)`,
      [...pairs(own), firstDay, lastDay],
    ),
  );
  return known.sort((a, b) => a.day.localeCompare(b.day));
}

/** Returns the first day with data of each machine, and its first project by position on that day. */
function readFirst(db: Database, machines: readonly Owned[]): Promise<(Owned & DayWithData)[]> {
  return runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Owned & DayWithData>(
      `select f.*, (
         select p.project_id from telemetry.presence p
         where p.stream_id = f.stream_id and not p.by_hand and p.from_time >= f.day::timestamp at time zone 'Europe/Amsterdam'
           and p.from_time < (f.day::date + 1)::timestamp at time zone 'Europe/Amsterdam'
         order by p.from_time limit 1
       ) as project_id
       from (
         select o.stream_id, o.organization_id, min(d.day)::text as day
         from unnest($1::integer[], $2::integer[]) as o (stream_id, organization_id)
         join telemetry.day_figures d on d.stream_id = o.stream_id and d.organization_id = o.organization_id group by 1, 2
       ) as f`,
      pairs(own),
    ),
  );
}

type OwnTime = Owned & Range & { readonly entered: number };

/** Returns when the organizations owned the machines, and when the machines were created in the portal; ms. */
async function readOwn(db: Database, machines: readonly Owned[]): Promise<OwnTime[]> {
  const { rows } = await db.query<OwnTime>(
    `select o.stream_id, o.organization_id, ${ms('w.valid_from')} as "from", ${ms('w.valid_to')} as "to",
       ${ms('s.created_at')} as entered
     from unnest($1::integer[], $2::integer[]) as o (stream_id, organization_id) join stream s on s.id = o.stream_id
     join ownership w on w.stream_id = o.stream_id and w.organization_id = o.organization_id`,
    pairs(machines),
  );
  return rows;
}

type Assigned = Range & { readonly streamId: number; readonly projectId: number };

/** Returns the assignments or the project exceptions that people entered for these machines, ordered by beginning. */
async function readTimesOf(
  db: Database,
  table: 'assignment' | 'project_exception',
  machines: readonly Owned[],
): Promise<Assigned[]> {
  const { rows } = await db.query<Assigned>(
    `select stream_id, project_id, ${ms('valid_from')} as "from", ${ms('valid_to')} as "to"
     from ${table} where stream_id = any ($1) order by valid_from`,
    [machines.map(({ streamId }) => streamId)],
  );
  return rows;
}

/** Returns the times of projects by their ids, per organization; a deleted project ends at its deletion. */
async function readTimes(
  db: Database,
  machines: readonly Owned[],
): Promise<Map<number, ReadonlyMap<number, Range>>> {
  const times = new Map<number, ReadonlyMap<number, Range>>();
  for (const { organizationId } of machines)
    if (!times.has(organizationId)) times.set(organizationId, (await readProjects(db, organizationId)).times);
  return times;
}
