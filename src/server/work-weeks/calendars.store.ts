import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { WorkWeekFields } from '#shared/contract/work-weeks.ts';
import {
  type ProjectTimeWithWeek,
  type WorkCalendar,
  withRestOfShift,
} from '#shared/domain/alerts/work-calendar.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readWorkWeeks } from './work-weeks.store.ts';

/** A machine, and the organization whose work weeks it follows. */
export type CalendarMachine = { readonly streamId: number; readonly organizationId: number };

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::float8`;

/**
 * Returns the work calendars of machines, by stream: the weeks as stored now, and the projects that the machines were on in the range.
 * @param range a time range in ms
 * @param known the result of readOwnWeeks() for these organizations, if the caller has already read it
 */
export async function readCalendars(
  db: Database,
  machines: readonly CalendarMachine[],
  range: Range,
  known?: readonly OwnWeek[],
): Promise<Map<number, WorkCalendar>> {
  const organizations = [...new Set(machines.map(({ organizationId }) => organizationId))];
  const weeks = await readWorkWeeks(db, organizations);
  const rows = known ?? (await readOwnWeeks(db, organizations));
  const byMachine = new Map(rows.map((row) => [`${row.streamId} ${row.organizationId}`, row.week]));
  const labelled = await readLabelled(
    db,
    rows.filter(({ labelId }) => labelId !== null),
  );
  const onProjects = await readProjectTimes(
    db,
    machines,
    rows.filter(({ projectId }) => projectId !== null),
    range,
  );
  return new Map(
    machines.map(({ streamId, organizationId }) => [
      streamId,
      {
        own: byMachine.get(`${streamId} ${organizationId}`),
        projects: withRestOfShift(onProjects.get(streamId) ?? []),
        usual:
          labelled.get(`${streamId} ${organizationId}`) ?? weeks.get(organizationId) ?? DEFAULT_WORK_WEEK,
      },
    ]),
  );
}

/** Returns the work weeks of these organizations' labels, projects and machines; labels in the order of their priority. */
export async function readOwnWeeks(db: Database, organizations: readonly number[]): Promise<OwnWeek[]> {
  const { rows } = await db.query<OwnWeek>(
    `select w.organization_id, w.label_id, w.project_id, w.stream_id, w.week,
       coalesce(l.name, p.name, s.alias) as name, s.serial
     from own_work_week w left join label l on l.id = w.label_id left join project p on p.id = w.project_id
       left join stream s on s.id = w.stream_id
     where w.organization_id = any ($1) order by lower(coalesce(l.name, p.name, s.alias)), w.id`,
    [organizations],
  );
  return rows;
}

/** A work week and its owner: exactly one of the three ids is not null. */
export type OwnWeek = {
  readonly name: string;
  /** Serial number of a machine; null: the week belongs to a label or a project. */
  readonly serial: string | null;
  readonly organizationId: number;
  readonly labelId: number | null;
  readonly projectId: number | null;
  readonly streamId: number | null;
  readonly week: WorkWeekFields;
};

/** Returns, by stream and organization, the work week that applies by label: of the first label in `weeks` that the machine has. */
async function readLabelled(db: Database, weeks: readonly OwnWeek[]): Promise<Map<string, WorkWeekFields>> {
  const found = new Map<string, WorkWeekFields>();
  if (weeks.length === 0) return found;
  const { rows } = await db.query<{ streamId: number; labelId: number }>(
    'select stream_id, label_id from machine_label where label_id = any ($1)',
    [weeks.map(({ labelId }) => labelId)],
  );
  const carrying = Map.groupBy(rows, ({ labelId }) => labelId);
  for (const { labelId, organizationId, week } of weeks)
    for (const { streamId } of carrying.get(labelId ?? 0) ?? []) {
      const key = `${streamId} ${organizationId}`;
      if (!found.has(key)) found.set(key, week);
    }
  return found;
}

type OnProject = Range & { readonly streamId: number; readonly projectId: number };

/**
 * Returns the intervals of time in which machines were on projects, by stream: first those by assignment to any project, then those by
 * position on projects that have a work week.
 */
async function readProjectTimes(
  db: Database,
  machines: readonly CalendarMachine[],
  weeks: readonly OwnWeek[],
  range: Range,
): Promise<Map<number, ProjectTimeWithWeek[]>> {
  if (weeks.length === 0) return new Map();
  const ownerOf = new Map(machines.map(({ streamId, organizationId }) => [streamId, organizationId]));
  const weekOf = new Map(weeks.map((week) => [week.projectId, week]));
  const { rows: projects } = await db.query<{ id: number; lastDay: string | null }>(
    'select id, last_day::text as last_day from project where id = any ($1)',
    [[...weekOf.keys()]],
  );
  const endOf = new Map(
    projects.map(({ id, lastDay }) => [
      id,
      (lastDay && amsterdamDayRange(lastDay)?.to) || Number.POSITIVE_INFINITY,
    ]),
  );
  const times = [new Date(range.from), new Date(range.to)];
  const { rows: byHand } = await db.query<OnProject>(
    `select a.stream_id, a.project_id, ${ms('a.valid_from')} as "from", ${ms('a.valid_to')} as "to"
     from assignment a join project p on p.id = a.project_id and p.deleted_at is null
     where a.stream_id = any ($1) and a.valid_to > $2 and a.valid_from <= $3 order by a.valid_from`,
    [[...ownerOf.keys()], ...times],
  );
  // The day cursor is the time until which a stream is computed. A presence that lasts beyond it has no end yet, as in projects/present.ts.
  const byPosition = await runInShardsOfStreams(db, [...ownerOf.keys()], (shard, own) =>
    shard.query<OnProject>(
      `select p.stream_id, p.project_id, ${ms('p.from_time')} as "from",
         case when p.to_time > c.time then 'infinity' else ${ms('p.to_time')} end as "to"
       from telemetry.presence p join telemetry.day_cursor c on c.stream_id = p.stream_id
       where p.stream_id = any ($1) and p.project_id = any ($2) and p.to_time > $3 and p.from_time <= $4 and not p.by_hand
       order by p.from_time`,
      [own, [...weekOf.keys()], new Date(range.from - MAX_SHIFT_MS), times[1]],
    ),
  );
  const all = [...byHand, ...byPosition].map(({ streamId, projectId, from, to }) => {
    const known = weekOf.get(projectId);
    const week = known?.organizationId === ownerOf.get(streamId) ? known?.week : undefined;
    return { streamId, from, to: Math.min(to, endOf.get(projectId) ?? to), week };
  });
  return Map.groupBy(joined(all), ({ streamId }) => streamId);
}

/** Maximum time in ms for which a shift may continue after the end of the presence in which it began. */
const MAX_SHIFT_MS = 86_400_000;

type OfMachine = ProjectTimeWithWeek & { readonly streamId: number };

/** Joins adjoining times of a machine on a project, because presences are stored in parts that end at midnight. */
function joined(times: readonly OfMachine[]): OfMachine[] {
  const all: OfMachine[] = [];
  const lastOf = new Map<number, number>();
  for (const time of times) {
    const place = lastOf.get(time.streamId);
    const last = place === undefined ? undefined : all[place];
    if (place !== undefined && last && last.to === time.from && last.week === time.week)
      all[place] = { ...last, to: time.to };
    else lastOf.set(time.streamId, all.push(time) - 1);
  }
  return all;
}
