import { dayOnProjectVisibleSql } from '#server/day-figures/days-on-projects.ts';
import { openProvisionalCheck } from '#server/day-figures/provisional.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { maySeePositionAt } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import {
  DAY_COLUMNS,
  DAY_COST_COLUMNS,
  DAY_REPORT_NOTES,
  type DayRow,
} from '#shared/domain/reports/dagstaten.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { type ChargedDay, chargedHoursSql, openDayRanges, readDayCost } from './day-costs.ts';
import { type Report, type ReportContext, type ReportQuestion, withOrganizationColumn } from './report.ts';
import {
  DAY_FIGURES_CONDITION_SQL,
  dayFiguresParameters,
  groupByVisibleProjects,
  machineOwnerKey,
  type OwnedMachine,
  readInPortions,
  readMachines,
  streamIdsOf,
} from './report-machines.ts';
import { reportPrices, withCostColumns } from './report-prices.ts';
import { readProjects } from './report-projects.ts';

type Stored = ChargedDay &
  Omit<DayRow, 'machine' | 'projects' | 'isProvisional' | 'cost'> & {
    /**
     * Id of the project to which the figures belong. 0: the figures are of the whole day, and `on` contains the projects that the
     * machine was on.
     */
    readonly projectId: number;
    readonly on: readonly number[];
  };

/** Reads Dagstaten: a row per machine and day. If the report is limited to projects, a row per machine, day and project. */
export async function readDayReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<DayRow>> {
  const { db, scope, now } = context;
  const { settings } = question;
  const machines = await readMachines(db, scope, reportRangeMs(settings), question);
  const projects = await readProjects(db, scope, question.projects);
  const nameOf = (id: number): string => projects.get(id)?.name ?? '';
  const prices = await reportPrices(db, scope, machines, settings);
  const rangeOf = openDayRanges();

  const rows = readInPortions(context, question, machines, 1, async (portion): Promise<DayRow[]> => {
    const isProvisional = await openProvisionalCheck(db, streamIdsOf(portion), now);
    const stored = Map.groupBy(
      await readDays(context, question, portion, prices !== undefined),
      machineOwnerKey,
    );
    const costOfDay = await readDayCost(db, prices, streamIdsOf(portion), settings, rangeOf);
    return portion.flatMap((owned) =>
      (stored.get(machineOwnerKey(owned)) ?? []).map((one) => {
        const { streamId, organizationId: _, projectId, on, fromHour: __, hours: ___, ...figures } = one;
        const cost = costOfDay(one);
        prices?.show([cost]);
        return {
          ...figures,
          ...(projectId !== 0 && activeTimesSeen(scope, figures)),
          ...(prices && { cost }),
          machine: owned.machine,
          projects: (projectId === 0 ? on : [projectId]).map(nameOf).filter(Boolean).join(', '),
          isProvisional: isProvisional(streamId, rangeOf(figures.day).to),
        };
      }),
    );
  });
  return {
    columns: withOrganizationColumn(
      scope,
      prices ? withCostColumns(DAY_COLUMNS, 'charged', DAY_COST_COLUMNS) : DAY_COLUMNS,
    ),
    portions: rows,
    rules: () => [...DAY_REPORT_NOTES, ...(prices?.rules() ?? [])],
  };
}

const TIMES = ['firstRunning', 'lastRunning', 'firstCharging', 'lastCharging'] as const;

/** Returns the times of activity that the scope may see. Activity on a project reveals when the machine was at the project. */
const activeTimesSeen = (scope: Scope, figures: Pick<DayRow, (typeof TIMES)[number]>) =>
  Object.fromEntries(
    TIMES.map((name) => {
      const time = figures[name];
      return [name, time !== null && maySeePositionAt(scope, time) ? time : null];
    }),
  );

async function readDays(
  context: ReportContext,
  { settings, projects }: ReportQuestion,
  machines: readonly OwnedMachine[],
  hasPrices: boolean,
): Promise<Stored[]> {
  const parts = groupByVisibleProjects(context.scope, machines, projects);
  const found = await Promise.all(
    parts.map((part) => readDaysOn(context, settings, part.machines, part.projects, hasPrices)),
  );
  return found.flat();
}

async function readDaysOn(
  { db, scope }: ReportContext,
  settings: ReportQuestion['settings'],
  machines: readonly OwnedMachine[],
  projects: readonly number[],
  hasPrices: boolean,
): Promise<Stored[]> {
  return runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Stored>(
      `select d.stream_id, d.organization_id, d.project_id, d.day::text as day,
           case when d.project_id = 0 then array(
             select p.project_id from telemetry.day_figures p where p.stream_id = d.stream_id and p.day = d.day
               and p.organization_id = d.organization_id and p.project_id > 0 and ${dayOnProjectVisibleSql('p', '$6')} order by p.project_id
           ) else '{}' end as "on",
           date_part('epoch', d.first_running) * 1000 as first_running, date_part('epoch', d.last_running) * 1000 as last_running,
           date_part('epoch', d.first_charging) * 1000 as first_charging, date_part('epoch', d.last_charging) * 1000 as last_charging,
           d.running_ms::float8 as running_ms, d.charging_ms::float8 as charging_ms, d.idle_ms::float8 as idle_ms,
           d.out_mj::float8 as out_mj, d.charged_mj::float8 as charged_mj, d.in_mj::float8 as fed_back_mj,
           d.distance_mm::float8 as distance_mm, d.carried_mm::float8 as carried_mm,
           (d.unused_no_fix + d.unused_null_island + d.unused_jumps)::float8 as "unused", d.soc_min, d.soc_max, d.heard_ms::float8 as heard_ms,
           d.known_ms::float8 as known_ms, d.window_ms::float8 as window_ms,
           d.window_heard_ms::float8 as window_heard_ms, ${chargedHoursSql(hasPrices)}
         from telemetry.day_figures d
         where ${DAY_FIGURES_CONDITION_SQL}
         order by d.stream_id, d.day, d.project_id`,
      dayFiguresParameters(scope, settings, own, projects),
    ),
  );
}
