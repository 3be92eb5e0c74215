import { dayOnProjectVisibleSql, visibleHoursOfDays } from '#server/day-figures/days-on-projects.ts';
import { organizationsOfLimitedScope } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { normalizeSerial } from '#server/streams/streams.store.ts';
import { transferredName } from '#server/streams/transferred-name.ts';
import type { Scope } from '#shared/domain/access.ts';
import { intersectIntervals, type Range } from '#shared/domain/intervals.ts';
import type { ReportMachine } from '#shared/domain/reports/machine-columns.ts';
import { daysBetween } from '#shared/domain/reports/settings.ts';
import { type ReportContext, type ReportQuestion, throwIfReaderGone } from './report.ts';
import { carriesLabelSql } from './report-labels.ts';

/** A machine during the time in which it belonged to one organization. */
export type OwnedMachine = {
  readonly streamId: number;
  readonly organizationId: number;
  readonly machine: ReportMachine;
  /** null if the record of the machine is not visible: it was sold, or the scope sees it on some projects only (`isAnywhere` is false). */
  readonly initialHours: number | null;
  /**
   * true: the scope sees the machine's figures wherever the machine was; false: only the figures on the projects that the scope
   * sees.
   */
  readonly isAnywhere: boolean;
  /** The parts of the report's period in which the organization owned the machine and the scope may see it, in order; ms. */
  readonly own: readonly Range[];
};

type Row = Omit<ReportMachine, 'capacityKwh'> & {
  readonly streamId: number;
  readonly organizationId: number;
  readonly initialHours: number;
  readonly isOwn: boolean;
  readonly isLabelled: boolean;
  readonly batteries: readonly { readonly capacity: number | null }[];
  readonly from: number;
  readonly to: number;
};

/**
 * Reads the machines that belonged to the scope in a period, ordered by organization, brand, name and serial number. A machine that was
 * sold is included, because the figures of a project must not change with a sale. A sold machine cannot be selected by name, and
 * only its figures are shown: its record belongs to the new owner.
 * @throws ProblemError 404 for a serial number that is not found
 */
export async function readMachines(
  db: Database,
  scope: Scope,
  { from, to }: Range,
  { machines: serials, labels }: Pick<ReportQuestion, 'machines' | 'labels'>,
): Promise<OwnedMachine[]> {
  const asked = serials?.map((serial) => normalizeSerial(serial).toLowerCase());
  const { rows } = await db.query<Row>(
    `select s.id as stream_id, w.organization_id, o.clean as organization, s.serial,
       now.organization_id = w.organization_id as is_own, s.alias, m.brand, m.model,
       m.registration_number, m.seb_category, m.power_kw, m.batteries,
       m.initial_hours,
       greatest(date_part('epoch', w.valid_from) * 1000, $2::float8) as "from",
       least(date_part('epoch', w.valid_to) * 1000, $3::float8) as "to",
       $5::integer[] is null or (now.organization_id = w.organization_id and ${carriesLabelSql('$5')}) as is_labelled
     from ownership w
     join stream s on s.id = w.stream_id and s.kind = 'machine' and s.deleted_at is null
     join machine m on m.stream_id = s.id
     join organization o on o.id = w.organization_id
     left join ownership now on now.stream_id = s.id and now.valid_to = 'infinity'
     where ($1::integer[] is null or /*rule:report-scope*/ w.organization_id = any ($1) /*=true*/) and w.valid_from < to_timestamp($3 / 1000.0)
       and w.valid_to > to_timestamp($2 / 1000.0) and ($4::text[] is null or lower(s.serial) = any ($4))
     order by lower(o.clean), o.id, now.organization_id = w.organization_id desc,
       case when now.organization_id = w.organization_id then lower(m.brand) || ' ' || lower(s.alias) || ' ' || s.serial end,
       s.id, w.valid_from`,
    [organizationsOfLimitedScope(scope), from, to, asked ?? null, labels?.map(({ id }) => id) ?? null],
  );
  const found = new Map<string, OwnedMachine & { readonly own: Range[]; readonly isLabelled: boolean }>();
  for (const row of rows) {
    const times = visibleTimes(scope, row);
    if (times.length === 0) continue;
    const key = machineOwnerKey(row);
    const known = found.get(key);
    if (known) known.own.push(...times);
    else found.set(key, { ...ownedOf(scope, row), own: [...times] });
  }
  const present = new Set([...found.values()].map(({ machine }) => machine.serial.toLowerCase()));
  if (asked?.some((serial) => !present.has(serial))) throw notFound('Deze machine bestaat niet.');
  return [...found.values()].filter(({ isLabelled }) => isLabelled).map(({ isLabelled: _, ...one }) => one);
}

/** Returns the parts of an ownership period that the scope may see. A person with a limited scope sees no machine that was sold. */
function visibleTimes({ limited }: Scope, { streamId, isOwn, from, to }: Row): readonly Range[] {
  if (!limited) return [{ from, to }];
  return isOwn
    ? /*rule:limited-report*/ intersectIntervals(
        [{ from, to }],
        limited.machines.get(streamId)?.times ?? [],
      ) /*=[{ from, to }]*/
    : [];
}

const isSeenAnywhere = ({ limited }: Scope, streamId: number): boolean =>
  !limited || limited.machines.get(streamId)?.isAnywhere === true;

const ownedOf = (scope: Scope, row: Row) => ({
  streamId: row.streamId,
  organizationId: row.organizationId,
  isAnywhere: isSeenAnywhere(scope, row.streamId),
  initialHours: row.isOwn && isSeenAnywhere(scope, row.streamId) ? row.initialHours : null,
  isLabelled: row.isLabelled,
  machine: row.isOwn
    ? {
        organization: row.organization,
        serial: row.serial,
        alias: row.alias,
        brand: row.brand,
        model: row.model,
        registrationNumber: row.registrationNumber,
        sebCategory: row.sebCategory,
        powerKw: row.powerKw,
        capacityKwh: capacityOf(row.batteries),
      }
    : { ...SOLD_MACHINE, organization: row.organization, alias: transferredName(row.streamId) },
});

const SOLD_MACHINE = {
  serial: '',
  brand: '',
  model: '',
  registrationNumber: '',
  sebCategory: null,
  powerKw: null,
  capacityKwh: null,
};

/** Returns the total capacity of the batteries in kWh; null if there are no batteries or one of the capacities is not known. */
function capacityOf(batteries: Row['batteries']): number | null {
  if (batteries.length === 0 || batteries.some(({ capacity }) => capacity === null)) return null;
  return batteries.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0);
}

/** Returns a key for maps that identifies a machine together with its owner. */
export const machineOwnerKey = ({
  streamId,
  organizationId,
}: Pick<OwnedMachine, 'streamId' | 'organizationId'>): string => `${streamId} ${organizationId}`;

/** Groups machines by the projects whose day figures the scope may see. Project 0 stands for a machine's figures of whole days. */
export const groupByVisibleProjects = (
  { limited }: Scope,
  machines: readonly OwnedMachine[],
  asked: readonly number[] | undefined,
): readonly { readonly machines: readonly OwnedMachine[]; readonly projects: readonly number[] }[] =>
  [...Map.groupBy(machines, ({ isAnywhere }) => isAnywhere)].map(([isAnywhere, part]) => ({
    machines: part,
    projects: asked ?? (isAnywhere ? [0] : (limited?.projects ?? [])),
  }));

/**
 * Reads rows of machines in portions of about ten thousand rows of figures.
 * @param rowsOfDay assumed number of rows per machine and day
 * @throws ReaderDisconnectedError
 */
export async function* readInPortions<Row>(
  context: ReportContext,
  { settings: { from, to } }: Pick<ReportQuestion, 'settings'>,
  machines: readonly OwnedMachine[],
  rowsOfDay: number,
  read: (portion: readonly OwnedMachine[]) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  const size = Math.max(1, Math.floor(10_000 / Math.max(1, daysBetween(from, to) * rowsOfDay)));
  for (let at = 0; at < machines.length; at += size) {
    throwIfReaderGone(context);
    yield await read(machines.slice(at, at + size));
  }
}

/** SQL condition: day figures `d` of the given machines, days and projects that the scope sees; uses $1 to $6 of dayFiguresParameters(). */
export const DAY_FIGURES_CONDITION_SQL = `d.stream_id = any ($1) and d.day between $2 and $3 and d.organization_id = any ($4) and d.project_id = any ($5)
  and ${dayOnProjectVisibleSql('d', '$6')}`;
/** Returns the parameters of DAY_FIGURES_CONDITION_SQL for the days `from` to `to`, 'YYYY-MM-DD', both included. */
export const dayFiguresParameters = (
  scope: Scope,
  { from, to }: { readonly from: string; readonly to: string },
  machines: readonly OwnedMachine[],
  projects: readonly number[],
): [number[], string, string, number[], readonly number[], string | null] => [
  streamIdsOf(machines),
  from,
  to,
  organizationIdsOf(machines),
  projects,
  visibleHoursOfDays(scope, { firstDay: from, lastDay: to }),
];

/** Returns the machines that were on one of the query's projects in the period; all machines if the query names no project. */
export async function filterOnProjects(
  { db, scope }: Pick<ReportContext, 'db' | 'scope'>,
  { settings, projects }: ReportQuestion,
  machines: readonly OwnedMachine[],
): Promise<readonly OwnedMachine[]> {
  if (!projects) return machines;
  const found = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<{ key: string }>(
      `select distinct stream_id || ' ' || organization_id as key from telemetry.day_figures d where ${DAY_FIGURES_CONDITION_SQL}`,
      dayFiguresParameters(scope, settings, own, projects),
    ),
  );
  const keys = new Set(found.map(({ key }) => key));
  return machines.filter((owned) => keys.has(machineOwnerKey(owned)));
}

export const streamIdsOf = (machines: readonly OwnedMachine[]): number[] => [
  ...new Set(machines.map(({ streamId }) => streamId)),
];
export const organizationIdsOf = (machines: readonly OwnedMachine[]): number[] => [
  ...new Set(machines.map(({ organizationId }) => organizationId)),
];
