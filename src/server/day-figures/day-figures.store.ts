import type { Database, Transaction } from '#server/platform/database.ts';
import { runInAllShards, shardForStream } from '#server/platform/shards.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { type Area, sortBySmallestArea } from '#shared/domain/area.ts';
import { HOUR_MS } from '#shared/domain/charging-tariffs.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { PresenceStates, ProjectArea } from '#shared/domain/presence.ts';
import type { ManualProjectTime, Presence } from './presences.ts';
import type { RangeFigures } from './range-figures.ts';
import { readTerreinPresences, type TerreinPresence } from './terrein-presences.store.ts';

/** A stream whose days are outdated from a time (ms) on. */
export type OutdatedDays = {
  readonly streamId: number;
  readonly from: number;
  /** Time (ms) from which presences may have changed: `from`, from which all figures may have changed, or earlier. */
  readonly presencesFrom: number;
  /** Time of the stream's newest reading. */
  readonly newest: number;
  /** Time up to which the days were computed. */
  readonly counted: number;
  /** Time up to which the charge level was compared with the energy; undefined before the first comparison. */
  readonly compared: number | undefined;
  /** Time from which the charge level is compared with the energy. */
  readonly compareFrom: number;
  readonly changes: readonly string[];
};

const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;

/** Returns outdated streams, those that have waited longest first. @param not the ids of streams that are left out */
export async function findOutdatedStreams(
  db: Database,
  limit: number,
  not: readonly number[] = [],
): Promise<number[]> {
  const due = await runInAllShards(db, (shard) =>
    shard.query<{ id: number; countedAt: number | null }>(
      `select l.stream_id as id, ${ms('c.counted_at')} as counted_at
     from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id
     where l.time > '-infinity' and l.recompute_from is null and l.stream_id <> all ($2) and (
       c.counted_at is distinct from l.updated_at
       or exists (select from telemetry.changed_history h where h.stream_id = l.stream_id)
     )
     order by c.counted_at nulls first, l.stream_id limit $1`,
      [limit, not],
    ),
  );
  return due
    .sort((a, b) => (a.countedAt ?? 0) - (b.countedAt ?? 0) || a.id - b.id)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Locks a stream's cursor; returns undefined when nothing is outdated, or another process has the lock. */
export async function lockOutdatedDays(db: Transaction, streamId: number): Promise<OutdatedDays | undefined> {
  const { rows } = await shardForStream(db, streamId).query<{
    time: number;
    newest: number;
    moved: boolean;
    compared: number | null;
    compareFrom: number | null;
  }>(
    `select ${ms('c.time')} as time, ${ms('l.time')} as newest, ${ms('c.compared_at')} as compared, ${ms('c.compare_from')} as compare_from, c.counted_at is distinct from l.updated_at as moved
     from telemetry.day_cursor c join telemetry.latest l on l.stream_id = c.stream_id
     where c.stream_id = $1 and l.time > '-infinity' and l.recompute_from is null for update of c skip locked`,
    [streamId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { rows: changes } = await shardForStream(db, streamId).query<{
    id: string;
    from: number;
    onlyPresence: boolean;
  }>(
    `select id, ${ms('from_time')} as "from", only_presence from telemetry.changed_history where stream_id = $1`,
    [streamId],
  );
  if (!row.moved && changes.length === 0) return undefined;
  const sums = changes.filter(({ onlyPresence }) => !onlyPresence);
  const since = Math.min(row.time, ...sums.map((change) => change.from));
  const presencesSince = Math.min(since, ...changes.map((change) => change.from));
  const isRecent = Number.isFinite(presencesSince) && presencesSince >= row.time - RECENT_MS;
  const first = isRecent ? presencesSince : await firstOf(db, streamId, row.newest);
  return {
    streamId,
    from: Math.max(since, first),
    presencesFrom: Math.max(presencesSince, first),
    newest: row.newest,
    counted: row.time,
    compared: row.compared ?? undefined,
    compareFrom: row.compareFrom ?? Number.NEGATIVE_INFINITY,
    changes: changes.map(({ id }) => id),
  };
}

/** For a change this recent, the first data of the history is not looked up: computing this many days costs less. */
const RECENT_MS = 35 * 86_400_000;

/**
 * Returns the time of the first stored or computed data, `newest` if there is none: a change, such as a new project, may begin long
 * before the data.
 */
async function firstOf(db: Database, streamId: number, newest: number): Promise<number> {
  const { rows } = await shardForStream(db, streamId).query<{ first: number }>(
    `select ${ms(`least(
       (select min(bucket) from telemetry.rollup where stream_id = $1), (select min(day) from telemetry.day_figures where stream_id = $1)::timestamptz,
       (select min(from_time) from telemetry.presence where stream_id = $1), $2
     )`)} as first`,
    [streamId, new Date(newest)],
  );
  return rows[0]?.first ?? newest;
}

/** Records that outdated days were computed; `more`: time in ms from which days are still outdated. */
export async function markDaysComputed(
  db: Transaction,
  { streamId, newest, changes, from }: OutdatedDays,
  more: number | undefined,
): Promise<void> {
  if (changes.length > 0)
    await shardForStream(db, streamId).query(
      `delete from telemetry.changed_history where stream_id = $1 and id = any ($2::uuid[])`,
      [streamId, changes],
    );
  if (more !== undefined)
    await shardForStream(db, streamId).query(
      `insert into telemetry.changed_history (stream_id, from_time, only_presence)
       select $1, * from unnest($2::timestamptz[], $3::boolean[])`,
      [streamId, [new Date(more), new Date(Math.max(more, from))], [true, false]],
    );
  await shardForStream(db, streamId).query(
    `update telemetry.day_cursor c set time = $2, counted_at = l.updated_at from telemetry.latest l
     where c.stream_id = $1 and l.stream_id = $1`,
    [streamId, new Date(newest)],
  );
}

export type Ownership = Range & { readonly organizationId: number };

/** Returns the ownerships of a stream in order, in ms. The first begins at -Infinity, and the last ends at Infinity. */
export async function readOwnership(db: Database, streamId: number): Promise<Ownership[]> {
  const { rows } = await db.query<Ownership>(
    `select organization_id, ${ms('valid_from')} as "from", ${ms('valid_to')} as "to"
     from ownership where stream_id = $1 order by valid_from`,
    [streamId],
  );
  return rows;
}

/** Areas and times that determine on which projects the machines of an organization are. */
export type ProjectAreasAndTimes = {
  /** Areas of the projects, sorted by sortBySmallestArea. */
  readonly places: readonly ProjectArea[];
  /** The time in which each project runs, in ms, by its id. */
  readonly times: ReadonlyMap<number, Range>;
};

/** Returns the projects of an organization. A deleted project ends at its deletion, because reports still contain it. */
export async function readProjects(db: Database, organizationId: number): Promise<ProjectAreasAndTimes> {
  const { rows } = await db.query<{
    id: number;
    firstDay: string;
    lastDay: string | null;
    deleted: number | null;
    areas: readonly Area[];
  }>(
    `select id, first_day::text as first_day, last_day::text as last_day, ${ms('deleted_at')} as deleted, areas
     from project where organization_id = $1 order by created_at, id`,
    [organizationId],
  );
  const times = new Map(
    rows.map(({ id, firstDay, lastDay, deleted }) => {
      const from = amsterdamDayRange(firstDay)?.from ?? 0;
      const end = lastDay === null ? Number.POSITIVE_INFINITY : (amsterdamDayRange(lastDay)?.to ?? 0);
      return [id, { from, to: Math.min(end, deleted ?? end) }];
    }),
  );
  const places = rows.flatMap(({ id, areas }) =>
    areas.map((area) => ({ projectId: id, area, ...(times.get(id) as Range) })),
  );
  return { places: sortBySmallestArea(places), times };
}

/**
 * Returns the times at which people put a machine on projects of an organization (`assignment`), or at which its positions do not count
 * for projects (`project_exception`); ms.
 */
export async function readManualProjectTimes(
  db: Database,
  table: 'assignment' | 'project_exception',
  streamId: number,
  organizationId: number,
): Promise<ManualProjectTime[]> {
  const { rows } = await db.query<ManualProjectTime>(
    `select t.project_id, ${ms('t.valid_from')} as "from", ${ms('t.valid_to')} as "to"
     from ${table} t join project p on p.id = t.project_id
     where t.stream_id = $1 and p.organization_id = $2 order by t.valid_from`,
    [streamId, organizationId],
  );
  return rows;
}

/**
 * Returns on which project and terrein the machine was at the end of the newest computed day of this ownership before `day`, and that
 * day; undefined without such a day.
 */
export async function readPresenceBeforeDay(
  db: Database,
  streamId: number,
  { organizationId, from }: Ownership,
  day: string,
): Promise<{ readonly day: string; readonly state: PresenceStates } | undefined> {
  const { rows } = await shardForStream(db, streamId).query<{ day: string; state: PresenceStates | null }>(
    `select day::text, presence as state from telemetry.day_figures
     where stream_id = $1 and organization_id = $2 and project_id = 0 and day < $3 and day >= $4 order by day desc limit 1`,
    [streamId, organizationId, day, Number.isFinite(from) ? amsterdamDay(from) : '-infinity'],
  );
  return rows[0] && { day: rows[0].day, state: rows[0].state ?? {} };
}

/**
 * Returns the first midnight after the days whose positions the owner no longer keeps, in ms; -Infinity when it keeps
 * all.
 */
export async function readRemovedPositionsEnd(
  db: Database,
  streamId: number,
  { organizationId }: Ownership,
): Promise<number> {
  // Includes positions that were removed before the organization decided to keep all.
  const { rows: limits } = await db.query<{ before: number | null }>(
    `select ${ms(`greatest(now() - make_interval(days => (o.privacy ->> 'positionDays')::integer),
       (select before from removed_position where stream_id = $1))`)} as before from organization o where o.id = $2`,
    [streamId, organizationId],
  );
  const before = limits[0]?.before;
  return before == null
    ? Number.NEGATIVE_INFINITY
    : (amsterdamDayRange(amsterdamDay(before - 1))?.to ?? before);
}

/** Stored results of some days. */
export type ComputedDays = {
  readonly presences: readonly Presence[];
  readonly terreinPresences: readonly TerreinPresence[];
  /** Figures of the whole machine (project 0), by dayKey. */
  readonly days: ReadonlyMap<string, DayFigures>;
};

export const dayKey = (day: string, organizationId: number): string => `${day} ${organizationId}`;

export async function readComputedDays(
  db: Database,
  streamId: number,
  { from, to }: Range,
): Promise<ComputedDays> {
  const { rows: presences } = await shardForStream(db, streamId).query<Presence>(
    `select project_id, ${ms('from_time')} as "from", ${ms('to_time')} as "to", by_hand,
       unseen_ms::float8 as unseen_ms
     from telemetry.presence where stream_id = $1 and from_time >= $2 and from_time < $3 order by from_time`,
    [streamId, new Date(from), new Date(to)],
  );
  const { rows: days } = await shardForStream(db, streamId).query<DayRow>(
    `select day::text, organization_id, ${ms('first_active')} as first, ${ms('last_active')} as last, presence,
       ${ms('first_running')} as first_running, ${ms('last_running')} as last_running, ${ms('first_charging')} as first_charging,
       ${ms('last_charging')} as last_charging, charged_from_hour as from_hour, charged_hours::float8[] as hours,
       array[${NUMBERS.map(([column]) => column).join(', ')}]::float8[] as numbers
     from telemetry.day_figures where stream_id = $1 and project_id = 0 and day between $2 and $3`,
    [streamId, amsterdamDay(from), amsterdamDay(to - 1)],
  );
  return {
    presences,
    terreinPresences: await readTerreinPresences(db, streamId, { from, to }),
    days: new Map(days.map((row) => [dayKey(row.day, row.organizationId), figuresOfRow(row)])),
  };
}

type DayRow = {
  readonly day: string;
  readonly organizationId: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly firstRunning: number | null;
  readonly lastRunning: number | null;
  readonly firstCharging: number | null;
  readonly lastCharging: number | null;
  readonly fromHour: number | null;
  readonly hours: readonly number[] | null;
  readonly presence: PresenceStates | null;
  readonly numbers: readonly (number | null)[];
};

const rangeOf = (from: number | null, to: number | null): Range | undefined =>
  from === null || to === null ? undefined : { from, to };

function figuresOfRow({
  day,
  organizationId,
  first,
  last,
  presence: state,
  numbers,
  fromHour,
  hours,
  ...times
}: DayRow): DayFigures {
  const known = Object.fromEntries(NUMBERS.map(([, , name], n) => [name, numbers[n] ?? undefined]));
  return {
    ...(known as Pick<DayFigures, (typeof NUMBERS)[number][2]>),
    day,
    organizationId,
    projectId: 0,
    activity: rangeOf(first, last),
    running: rangeOf(times.firstRunning, times.lastRunning),
    charging: rangeOf(times.firstCharging, times.lastCharging),
    chargedHours:
      fromHour === null || hours === null
        ? undefined
        : { firstHour: beginOf(day) + fromHour * HOUR_MS, hours },
    presence: state ?? undefined,
  };
}

const beginOf = (day: string): number => (amsterdamDayRange(day) as Range).from;

/** The figures of a day, on a project or (0) in total. */
export type DayFigures = RangeFigures & {
  /** 'YYYY-MM-DD', in Amsterdam. */
  readonly day: string;
  readonly organizationId: number;
  readonly projectId: number;
  /** On which project and terrein the machine was at the end of the day; for project 0 only. */
  readonly presence: PresenceStates | undefined;
};

const NUMBERS = [
  ['count', 'integer', 'count'],
  ['running_ms', 'bigint', 'runningMs'],
  ['charging_ms', 'bigint', 'chargingMs'],
  ['idle_ms', 'bigint', 'idleMs'],
  ['out_mj', 'bigint', 'outMj'],
  ['in_mj', 'bigint', 'inMj'],
  ['charged_mj', 'bigint', 'chargedMj'],
  ['distance_mm', 'bigint', 'distanceMm'],
  ['carried_mm', 'bigint', 'carriedMm'],
  ['unused_no_fix', 'bigint', 'unusedNoFix'],
  ['unused_null_island', 'bigint', 'unusedNullIsland'],
  ['unused_jumps', 'bigint', 'unusedJumps'],
  ['heard_ms', 'bigint', 'heardMs'],
  ['known_ms', 'bigint', 'knownMs'],
  ['window_ms', 'bigint', 'windowMs'],
  ['window_heard_ms', 'bigint', 'windowHeardMs'],
  ['cable_ms', 'bigint', 'cableMs'],
  ['run_known_ms', 'bigint', 'runKnownMs'],
  ['run_out_mj', 'bigint', 'runOutMj'],
  ['run_in_mj', 'bigint', 'runInMj'],
  ['soc_min', 'float8', 'socMin'],
  ['soc_max', 'float8', 'socMax'],
] as const satisfies readonly (readonly [column: string, type: string, of: keyof DayFigures])[];

/** Replaces the figures of some days. @param days 'YYYY-MM-DD' */
export async function replaceDays(
  db: Transaction,
  streamId: number,
  days: readonly string[],
  figures: readonly DayFigures[],
): Promise<void> {
  await shardForStream(db, streamId).query(
    `delete from telemetry.day_figures where stream_id = $1 and day = any ($2::date[])`,
    [streamId, days],
  );
  if (figures.length === 0) return;
  const columns = NUMBERS.map(([column]) => column).join(', ');
  const instant = (at: number | undefined) => (at === undefined ? null : new Date(at));
  await shardForStream(db, streamId).query(
    `insert into telemetry.day_figures (stream_id, day, organization_id, project_id, first_active, last_active, first_running, last_running,
       first_charging, last_charging, presence, charged_from_hour, ${columns}, charged_hours)
     select $1::integer, day, organization, project, first, last, first_run, last_run, first_charge, last_charge, presence, from_hour,
       ${columns}, hours::bigint[]
     from unnest($2::date[], $3::integer[], $4::integer[], ${[5, 6, 7, 8, 9, 10].map((n) => `$${n}::timestamptz[]`).join(', ')},
       $11::jsonb[], $12::smallint[], $13::text[], ${NUMBERS.map(([, type], n) => `$${n + 14}::${type}[]`).join(', ')})
       as n (day, organization, project, first, last, first_run, last_run, first_charge, last_charge, presence, from_hour, hours, ${columns})`,
    [
      streamId,
      figures.map(({ day }) => day),
      figures.map(({ organizationId }) => organizationId),
      figures.map(({ projectId }) => projectId),
      figures.map(({ activity }) => instant(activity?.from)),
      figures.map(({ activity }) => instant(activity?.to)),
      figures.map(({ running }) => instant(running?.from)),
      figures.map(({ running }) => instant(running?.to)),
      figures.map(({ charging }) => instant(charging?.from)),
      figures.map(({ charging }) => instant(charging?.to)),
      figures.map(({ presence: state }) => (state ? JSON.stringify(state) : null)),
      figures.map(({ day, chargedHours }) =>
        chargedHours ? (chargedHours.firstHour - beginOf(day)) / HOUR_MS : null,
      ),
      // Arrays are passed as text, because PostgreSQL's arrays of arrays require equal lengths.
      figures.map(({ chargedHours }) => (chargedHours ? `{${chargedHours.hours.join(',')}}` : null)),
      ...NUMBERS.map(([, , name]) => figures.map((one) => one[name] ?? null)),
    ],
  );
}

/** Replaces the presences that begin in a range. */
export async function replacePresences(
  db: Transaction,
  streamId: number,
  { from, to }: Range,
  found: readonly Presence[],
): Promise<void> {
  await shardForStream(db, streamId).query(
    `delete from telemetry.presence where stream_id = $1 and from_time >= $2 and from_time < $3`,
    [streamId, new Date(from), new Date(to)],
  );
  if (found.length === 0) return;
  await shardForStream(db, streamId).query(
    `insert into telemetry.presence (stream_id, from_time, to_time, project_id, by_hand, unseen_ms)
     select $1::integer, * from unnest($2::timestamptz[], $3::timestamptz[], $4::integer[], $5::boolean[], $6::bigint[])`,
    [
      streamId,
      found.map((one) => new Date(one.from)),
      found.map((one) => new Date(one.to)),
      found.map(({ projectId }) => projectId),
      found.map(({ byHand }) => byHand),
      found.map(({ unseenMs }) => unseenMs),
    ],
  );
}
