import { readOwnership } from '#server/day-figures/day-figures.store.ts';
import { openProvisionalCheck } from '#server/day-figures/provisional.ts';
import { computeRangeFigures, intersection, type RangeFigures } from '#server/day-figures/range-figures.ts';
import { readSilentDays } from '#server/day-figures/silent-days.ts';
import { openBucketSlices } from '#server/history/bucket-slices.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { HOURS_REPORT_NOTES, type HoursRow, hoursColumns } from '#shared/domain/reports/draaiuren.ts';
import { daysBetween, plusDays, reportRangeMs } from '#shared/domain/reports/settings.ts';
import { type Report, type ReportContext, type ReportQuestion, withOrganizationColumn } from './report.ts';
import {
  DAY_FIGURES_CONDITION_SQL,
  dayFiguresParameters,
  filterOnProjects,
  machineOwnerKey,
  type OwnedMachine,
  readInPortions,
  readMachines,
  streamIdsOf,
} from './report-machines.ts';
import { type ReportProject, readProjects } from './report-projects.ts';

const HOUR_MS = 3_600_000;

/** The summed columns of day figures, each with the field in which its sum is returned. */
const SUMS = [
  ['running_ms', 'runningMs'],
  ['charging_ms', 'chargingMs'],
  ['out_mj', 'outMj'],
  ['known_ms', 'knownMs'],
  ['heard_ms', 'heardMs'],
  ['window_ms', 'windowMs'],
  ['window_heard_ms', 'windowHeardMs'],
] as const;
type Sums = Pick<HoursRow, (typeof SUMS)[number][1]> & {
  /** Running time before the owned period under all earlier owners. The hour meter counts it, because it stays with the machine. */
  readonly beforeMs: number;
} & Silent;

/** The figures about days without data; HoursRow explains them. */
type Silent = Pick<HoursRow, 'silentDays' | 'daysThere' | 'silentMs'>;

/**
 * Reads Draaiuren: a row per machine and ownership period inside the period, usually one. If the report is limited to projects, a
 * row has only the figures on these projects.
 */
export async function readHoursReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<HoursRow>> {
  const { db, scope, now } = context;
  const { settings } = question;
  const machines = await readMachines(db, scope, reportRangeMs(settings), question);
  const projects = question.projects && (await readProjects(db, scope, question.projects));

  const rows = readInPortions(context, question, machines, 1, async (all): Promise<HoursRow[]> => {
    const portion = await filterOnProjects(context, question, all);
    const isProvisional = await openProvisionalCheck(db, streamIdsOf(portion), now);
    const ownedPeriods = portion.flatMap((owned) =>
      (isWhole(owned, question) ? owned.own : [wholeSpan(owned)]).map((own) => ({ owned, own })),
    );
    const sums = await readSeenSums(context, question, ownedPeriods);
    return ownedPeriods.map(({ owned, own }, at) => {
      const { beforeMs, ...figures } = sums[at] as Sums;
      return {
        ...figures,
        ...own,
        machine: owned.machine,
        meterMs:
          projects || owned.initialHours === null
            ? null
            : Math.round(owned.initialHours * HOUR_MS) + beforeMs,
        isProvisional: isProvisional(owned.streamId, own.to),
      };
    });
  });
  return {
    columns: withOrganizationColumn(scope, hoursColumns(projects && namesOf(projects))),
    portions: rows,
    rules: () => HOURS_REPORT_NOTES,
    ...(projects && { projects: [...projects.values()] }),
  };
}

const namesOf = (projects: ReadonlyMap<number, ReportProject>): string =>
  [...projects.values()].map(({ name }) => name).join(', ');

/** Returns whether a row has all figures of the machine, and not only those on projects. */
const isWhole = ({ isAnywhere }: OwnedMachine, { projects }: ReportQuestion): boolean =>
  isAnywhere && projects === undefined;

const wholeSpan = ({ own }: OwnedMachine): Range => ({ from: own[0]?.from ?? 0, to: own.at(-1)?.to ?? 0 });

/** Returns the sums that the caller may see, in the order of the owned periods. */
async function readSeenSums(
  context: ReportContext,
  question: ReportQuestion,
  ownedPeriods: readonly OwnedPeriod[],
): Promise<Sums[]> {
  const whole = ownedPeriods.filter(({ owned }) => isWhole(owned, question));
  const onProjects = ownedPeriods.filter(({ owned }) => !isWhole(owned, question));
  const found = new Map<OwnedPeriod, Sums>();
  for (const [part, read] of [
    [whole, readSums(context, whole)],
    [onProjects, readProjectSums(context, question, onProjects)],
  ] as const)
    for (const [n, sums] of (await read).entries()) found.set(part[n] as OwnedPeriod, sums);
  return ownedPeriods.map((ownedPeriod) => found.get(ownedPeriod) as Sums);
}

/**
 * Returns sums of the days of the period on the projects of the query, or on the projects that the scope sees, in the order of the
 * owned periods.
 */
async function readProjectSums(
  { db, scope, now }: ReportContext,
  { settings, projects = scope.limited?.projects ?? [] }: ReportQuestion,
  ownedPeriods: readonly OwnedPeriod[],
): Promise<Sums[]> {
  const days = { firstDay: settings.from, lastDay: settings.to };
  const machines = ownedPeriods.map(({ owned }) => owned);
  const found = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Omit<Sums, keyof Silent> & { key: string; days: string[] }>(
      `select stream_id || ' ' || organization_id as key, 0::float8 as before_ms, array_agg(distinct d.day::text) as days,
           ${SUMS.map(([column, name]) => `sum(d.${column})::float8 as "${name}"`).join(', ')}
         from telemetry.day_figures d where ${DAY_FIGURES_CONDITION_SQL} group by stream_id, organization_id`,
      dayFiguresParameters(scope, settings, own, projects),
    ),
  );
  const silent = Map.groupBy(await readSilentDays(db, scope, machines, projects, days, now), machineOwnerKey);
  const byOwner = new Map(found.map(({ key, ...sums }) => [key, sums]));
  const none = Object.fromEntries([['beforeMs', 0], ...SUMS.map(([, name]) => [name, 0])]);
  return ownedPeriods.map(({ owned }) => {
    const { days: known = [], ...sums } = byOwner.get(machineOwnerKey(owned)) ?? {
      ...(none as Sums),
      days: [],
    };
    // A day on which a machine was on two of the projects counts once.
    const silentOfOne = new Map(
      (silent.get(machineOwnerKey(owned)) ?? []).map((one) => [one.day, one.shiftMs]),
    );
    return {
      ...sums,
      silentDays: silentOfOne.size,
      daysThere: new Set([...known, ...silentOfOne.keys()]).size,
      silentMs: [...silentOfOne.values()].reduce((sum, shiftMs) => sum + shiftMs, 0),
    };
  });
}

type OwnedPeriod = { readonly owned: OwnedMachine; readonly own: Range };

const OWN_SUMS = SUMS.map(
  ([column, name]) => `coalesce(sum(d.${column}) filter (
         where d.organization_id = owned_period.organization_id and d.day between owned_period.first and owned_period.last
       ), 0)::float8 as "${name}"`,
).join(', ');

/**
 * Returns sums in the order of the owned periods. Whole days come from the precomputed days; a day that a change of owner cuts is
 * computed from the history.
 */
async function readSums({ db, now }: ReportContext, ownedPeriods: readonly OwnedPeriod[]): Promise<Sums[]> {
  const asked = ownedPeriods.map((ownedPeriod) => ({
    ownedPeriod,
    days: wholeDays(ownedPeriod.own),
    over: daysOver(ownedPeriod.own, now),
    streamId: ownedPeriod.owned.streamId,
  }));
  const found = await runInShardsOfStreams(db, asked, async (shard, own) => {
    const { rows } = await shard.query<Omit<Sums, keyof Silent> & { knownDays: number }>(
      `select coalesce(sum(d.running_ms) filter (where d.day < owned_period.begin), 0)::float8 as before_ms,
           count(d.day) filter (where d.organization_id = owned_period.organization_id and d.day between owned_period.begin and owned_period.over)::integer
             as known_days,
           ${OWN_SUMS}
         from unnest($1::integer[], $2::integer[], $3::date[], $4::date[], $5::date[], $6::date[])
           with ordinality as owned_period (stream_id, organization_id, begin, first, last, over, n)
         left join telemetry.day_figures d on d.stream_id = owned_period.stream_id and d.project_id = 0
           and d.day <= greatest(owned_period.begin, owned_period.last, owned_period.over)
         group by owned_period.n
         order by owned_period.n`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ ownedPeriod }) => ownedPeriod.owned.organizationId),
        own.map(({ ownedPeriod }) => amsterdamDay(ownedPeriod.own.from)),
        own.map(({ days }) => days.first),
        own.map(({ days }) => days.last),
        own.map(({ over }) => over.last),
      ],
    );
    return {
      rows: own.map(({ ownedPeriod, over }, n) => {
        const { knownDays = 0, ...sums } = rows[n] ?? {};
        const silent = { silentDays: over.count - knownDays, daysThere: over.count, silentMs: 0 };
        return [ownedPeriod, { ...sums, ...silent } as Sums] as const;
      }),
    };
  });
  const sums = new Map(found);
  const erased = await readErasedHours(db, ownedPeriods);
  return Promise.all(
    asked.map(async ({ ownedPeriod, days }, n) => {
      const cut = await addCutDays(db, ownedPeriod, days, sums.get(ownedPeriod) as Sums);
      return { ...cut, beforeMs: cut.beforeMs + (erased[n] ?? 0) };
    }),
  );
}

/** Returns for each owned period the erased running time before it, in ms, which the hour meter still counts (decision 60). */
async function readErasedHours(
  db: ReportContext['db'],
  ownedPeriods: readonly OwnedPeriod[],
): Promise<number[]> {
  const { rows } = await db.query<{ ms: number }>(
    `select coalesce(sum(e.running_ms), 0)::float8 as ms
     from unnest($1::integer[], $2::float8[]) with ordinality as owned_period (stream_id, begin, n)
     left join erased_hours e on e.stream_id = owned_period.stream_id and e.until <= to_timestamp(owned_period.begin / 1000)
     group by owned_period.n order by owned_period.n`,
    [ownedPeriods.map(({ owned }) => owned.streamId), ownedPeriods.map(({ own }) => own.from)],
  );
  return rows.map(({ ms }) => ms);
}

/**
 * Returns the last completed day of an owned period, 'YYYY-MM-DD', and the number of completed days.
 * @param now ms
 */
function daysOver({ from, to }: Range, now: number): { readonly last: string; readonly count: number } {
  const last = amsterdamDay(Math.min(to, amsterdamDayRange(amsterdamDay(now))?.from ?? now) - 1);
  return { last, count: Math.max(0, daysBetween(amsterdamDay(from), last)) };
}

/** The first and last whole day, 'YYYY-MM-DD' (no whole day if last is before first), and the remaining ranges before and after. */
type WholeDays = { readonly first: string; readonly last: string; readonly cut: readonly Range[] };

function wholeDays({ from, to }: Range): WholeDays {
  const [begin, end] = [amsterdamDay(from), amsterdamDay(to - 1)];
  const [first, last] = [amsterdamDayRange(begin) as Range, amsterdamDayRange(end) as Range];
  const isBegun = first.from === from;
  const isEnded = last.to === to;
  if (begin === end && !(isBegun && isEnded))
    return { first: end, last: plusDays(end, -1), cut: [{ from, to }] };
  return {
    first: isBegun ? begin : plusDays(begin, 1),
    last: isEnded ? end : plusDays(end, -1),
    cut: [...(isBegun ? [] : [{ from, to: first.to }]), ...(isEnded ? [] : [{ from: last.from, to }])],
  };
}

async function addCutDays(
  db: ReportContext['db'],
  { owned: { streamId, organizationId }, own }: OwnedPeriod,
  { cut }: WholeDays,
  sums: Sums,
): Promise<Sums> {
  if (cut.length === 0) return sums;
  const owners = await readOwnership(db, streamId);
  const mine = owners.filter((owner) => owner.organizationId === organizationId);
  const begun = { from: (amsterdamDayRange(amsterdamDay(own.from)) as Range).from, to: own.from };
  const before = await figuresIn(db, streamId, owners, begun);
  const parts = await Promise.all(cut.map((part) => figuresIn(db, streamId, mine, part)));
  const added = Object.fromEntries(
    SUMS.map(([, name]) => [name, sums[name] + parts.reduce((sum, part) => sum + part[name], 0)]),
  ) as Pick<Sums, (typeof SUMS)[number][1]>;
  return { ...sums, ...added, beforeMs: sums.beforeMs + before.runningMs };
}

/** Computes the figures of a part of a day, from the times at which the machine belonged to one of these owners. */
async function figuresIn(
  db: ReportContext['db'],
  streamId: number,
  owners: readonly Range[],
  range: Range,
): Promise<RangeFigures> {
  const around = { from: range.from - MAX_GAP_MS, to: range.to + MAX_GAP_MS };
  const parts = owners.flatMap((owner) => intersection(range, owner).map((part) => ({ owner, part })));
  return computeRangeFigures(
    await Promise.all(
      parts.map(async ({ owner, part }) => ({
        slices: await openBucketSlices(db, streamId, owner, around),
        range: part,
      })),
    ),
  );
}
