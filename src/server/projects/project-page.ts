import { dayOnProjectVisibleSql, visibleHoursOfDays } from '#server/day-figures/days-on-projects.ts';
import { openProvisionalCheck } from '#server/day-figures/provisional.ts';
import { readSilentDays } from '#server/day-figures/silent-days.ts';
import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { transferredName } from '#server/streams/transferred-name.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { knownEnergy } from '#shared/domain/figures.ts';
import { listProjectExceptions } from './exceptions.store.ts';
import { isVisibleNow, readPresentMachines, readStays, visibleStayBegin } from './present.ts';
import { listProjects } from './projects.store.ts';

const MJ_PER_KWH = 3_600_000_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Returns the data of a project's page, for the days from the first to the last one ('YYYY-MM-DD').
 * @throws ProblemError 404 also outside the scope
 */
export async function readProjectPage(
  db: Database,
  scope: Scope,
  id: number,
  asked: { readonly firstDay: string; readonly lastDay: string },
  now: number,
): Promise<ProjectPage> {
  const { limited } = scope;
  const today = amsterdamDay(now);
  const days = limited?.onlyToday ? { firstDay: today, lastDay: today } : asked;
  const [project] = await listProjects(db, scope, now, id);
  if (!project) throw notFound('Dit project bestaat niet.');
  const { rows: owners } = await db.query<{ id: number }>(
    'select organization_id as id from project where id = $1',
    [id],
  );
  const organizationId = owners[0]?.id as number;
  const { rows: owned } = await db.query<{ id: number }>(
    'select distinct stream_id as id from ownership where organization_id = $1',
    [organizationId],
  );
  const ever = owned.filter((one) => !limited || limited.machines.has(one.id));
  const figures = await figuresOf(
    db,
    { id, organizationId },
    ever.map((one) => one.id),
    days,
    visibleHoursOfDays(scope, days),
  );
  const silent = await readSilentDays(
    db,
    scope,
    ever.map((one) => ({ streamId: one.id, organizationId })),
    [id],
    days,
    now,
  );
  const present = (await readPresentMachines(db, [organizationId], scope.positionHours, now)).filter(
    (one) => one.projectId === id && isVisibleNow(scope, one),
  );
  const stays = await readStays(
    db,
    id,
    present.filter(({ byHand }) => !byHand).map(({ streamId }) => streamId),
  );
  const { rows: byHand } = await db.query<{ id: number; streamId: number; from: Date; until: Date | null }>(
    `select id, stream_id, valid_from as "from", nullif(valid_to, 'infinity') as until
     from assignment where project_id = $1 order by valid_from, id`,
    [id],
  );
  const assigned = byHand.filter(
    ({ streamId, from }) => !limited || (limited.machines.has(streamId) && from.getTime() >= limited.from),
  );
  const exceptions = limited ? [] : await listProjectExceptions(db, id);
  const all = [...figures, ...silent, ...present, ...assigned, ...exceptions].map(({ streamId }) => streamId);
  const names = await namesOf(db, organizationId, [...new Set(all)]);
  const serialOf = (streamId: number): string => names.get(streamId)?.serial ?? '';
  const placeOf = new Map([...names.keys()].map((streamId, place) => [streamId, place]));
  const byName = (a: { readonly streamId: number }, b: { readonly streamId: number }): number =>
    (placeOf.get(a.streamId) ?? 0) - (placeOf.get(b.streamId) ?? 0);
  figures.sort((a, b) => b.day.localeCompare(a.day) || byName(a, b));
  const isProvisional = await openProvisionalCheck(
    db,
    [...new Set(figures.map(({ streamId }) => streamId))],
    now,
  );
  return {
    project,
    machines: [...names.values()],
    now: present.toSorted(byName).map(({ streamId, since, byHand }) => {
      const stay = stays.get(streamId) ?? { since, unseenMs: 0 };
      const seen = byHand ? sinceByHand(scope, since) : visibleStayBegin(scope, stay, now);
      return {
        serial: serialOf(streamId),
        byHand,
        ...seen,
        since: seen.since === null ? null : iso(seen.since),
      };
    }),
    assignments: assigned.map(({ id: assignment, streamId, from, until }) => ({
      assignment,
      serial: serialOf(streamId),
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    exceptions: exceptions.map(({ id: exception, streamId, from, until }) => ({
      exception,
      serial: serialOf(streamId),
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    days: figures.map(({ streamId, outMj, chargedMj, ...row }) => ({
      ...row,
      serial: serialOf(streamId),
      outKwh: kWh(knownEnergy(row.knownMs, outMj)),
      chargedKwh: kWh(knownEnergy(row.knownMs, chargedMj)),
      isProvisional: isProvisional(streamId, amsterdamDayRange(row.day)?.to ?? 0),
    })),
    silentDays: silent.map(({ streamId, day, shiftMs }) => ({ day, serial: serialOf(streamId), shiftMs })),
  };
}

/** Returns the start of an assignment; null if it started before the time that a limited person sees. */
const sinceByHand = ({ limited }: Scope, since: number) => ({
  since: limited && since < limited.from ? null : since,
  unseenMs: 0,
});

const kWh = (mj: number | null): number | null => (mj === null ? null : mj / MJ_PER_KWH);

type DayRow = {
  readonly streamId: number;
  readonly day: string;
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly outMj: number;
  readonly chargedMj: number;
  readonly knownMs: number;
  readonly heardMs: number;
  readonly windowMs: number;
  readonly windowHeardMs: number;
};

/**
 * Returns the figures of the organization's machines on the project, unordered.
 * @param hours the parameter that dayOnProjectVisibleSql needs: the hours in which the caller sees positions
 */
async function figuresOf(
  db: Database,
  { id, organizationId }: { readonly id: number; readonly organizationId: number },
  streams: readonly number[],
  { firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string },
  hours: string | null,
): Promise<DayRow[]> {
  return runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<DayRow>(
      `select stream_id, day::text, running_ms::float8 as running_ms, charging_ms::float8 as charging_ms,
       out_mj::float8 as out_mj, charged_mj::float8 as charged_mj, known_ms::float8 as known_ms,
       heard_ms::float8 as heard_ms, window_ms::float8 as window_ms,
       window_heard_ms::float8 as window_heard_ms
     from telemetry.day_figures d where stream_id = any ($1) and day between $2 and $3 and organization_id = $4 and project_id = $5
       and ${dayOnProjectVisibleSql('d', '$6')}`,
      [own, firstDay, lastDay, organizationId, id, hours],
    ),
  );
}

type Named = { readonly serial: string; readonly alias: string };

/** Returns the machines by stream, in the order of their names. A machine that another organization owns now has a neutral name. */
async function namesOf(
  db: Database,
  organizationId: number,
  streams: readonly number[],
): Promise<Map<number, Named>> {
  const { rows } = await db.query<Named & { id: number; isOwn: boolean }>(
    `select s.id, s.serial, s.alias, w.organization_id = $2 as is_own
     from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' where s.id = any ($1)
     order by w.organization_id = $2 desc, case when w.organization_id = $2 then lower(s.alias) || ' ' || s.serial end, s.id`,
    [streams, organizationId],
  );
  return new Map(
    rows.map(({ id, isOwn, ...named }) => [id, isOwn ? named : { serial: transferredName(id), alias: '' }]),
  );
}
