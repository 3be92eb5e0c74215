import { readTerreinCharging } from '#server/charging-tariffs/terrein-charging.ts';
import { openProvisionalCheck } from '#server/day-figures/provisional.ts';
import { readSilentDays } from '#server/day-figures/silent-days.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readFactorsOfOrganization } from '#server/report-factors/factors.store.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { addCosts, type ChargingCost, costOf, HOUR_MS, NO_COST } from '#shared/domain/charging-tariffs.ts';
import { knownEnergy } from '#shared/domain/figures.ts';
import { co2FactorOn, dieselFactorOn, type Factors, NO_FACTORS } from '#shared/domain/report-factors.ts';
import { MJ_PER_KWH, roundToSixDecimals } from '#shared/domain/reports/column.ts';
import {
  MACHINE_USE_COLUMNS,
  MACHINE_USE_COST_COLUMNS,
  type MachineUseRow,
  machineUseReportNotes,
  type UsedFactor,
} from '#shared/domain/reports/inzet.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { type Report, type ReportContext, type ReportQuestion, withOrganizationColumn } from './report.ts';
import {
  DAY_FIGURES_CONDITION_SQL,
  dayFiguresParameters,
  machineOwnerKey,
  type OwnedMachine,
  organizationIdsOf,
  readInPortions,
  readMachines,
  streamIdsOf,
} from './report-machines.ts';
import { type ReportPrices, reportPrices, withCostColumns } from './report-prices.ts';
import { type ReportProject, readProjects } from './report-projects.ts';

/** The figures of a machine on a project in a part of the period in which no factor changes. */
type Sums = {
  readonly streamId: number;
  readonly organizationId: number;
  readonly projectId: number;
  readonly part: number;
} & Pick<
  MachineUseRow,
  | 'days'
  | 'runningMs'
  | 'chargingMs'
  | 'outMj'
  | 'chargedMj'
  | 'chargedOffMj'
  | 'knownMs'
  | 'heardMs'
  | 'windowMs'
  | 'windowHeardMs'
  | 'daysThere'
>;

const keyOnProject = (one: Pick<Sums, 'streamId' | 'organizationId' | 'projectId'>): string =>
  `${machineOwnerKey(one)} ${one.projectId}`;

/** Reads Inzet emissieloos materieel: a row per project and machine. The rows are few, so all rows are kept in memory. */
export async function readMachineUseReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<MachineUseRow>> {
  const { db, scope } = context;
  const { settings } = question;
  const range = reportRangeMs(settings);
  const machines = await readMachines(db, scope, range, question);
  const projects = await readProjects(db, scope, question.projects);
  const organizations = organizationIdsOf(machines);
  const factors = new Map<number, Factors>();
  for (const organizationId of organizations)
    factors.set(organizationId, await readFactorsOfOrganization(db, organizationId));
  const prices = await reportPrices(db, scope, machines, settings);
  const used = new Map<object, UsedFactor>();
  const parts = partsOf([...factors.values()], settings);

  const projectIds = [...projects.keys()];
  async function readRows(portion: readonly OwnedMachine[]): Promise<MachineUseRow[]> {
    const found: MachineUseRow[] = [];
    const isProvisional = await openProvisionalCheck(db, streamIdsOf(portion), context.now);
    const owned = new Map(portion.map((one) => [machineOwnerKey(one), one]));
    const sums = Map.groupBy(await readSums(context, question, portion, projectIds, parts), keyOnProject);
    const days = { firstDay: settings.from, lastDay: settings.to };
    const silent = Map.groupBy(
      await readSilentDays(db, scope, portion, projectIds, days, context.now),
      keyOnProject,
    );
    const costs = prices && (await readCosts(context, question, portion, projectIds, prices));
    for (const key of new Set([...sums.keys(), ...silent.keys()])) {
      const ofOne = sums.get(key) ?? [];
      const silentOfOne = silent.get(key) ?? [];
      const first = ofOne[0] ?? silentOfOne[0];
      const one = first && owned.get(machineOwnerKey(first));
      const project = first && projects.get(first.projectId);
      // A project belongs to one organization: figures of another organization's machine do not count for it.
      if (!one || !project || project.organizationId !== one.organizationId) continue;
      const last = Math.min(range.to, one.own.at(-1)?.to ?? range.to);
      const savings = computeSavings(ofOne, parts, factors.get(one.organizationId) ?? NO_FACTORS, one, used);
      const numbers = addNumbers(ofOne);
      const ofProject = prices && knownCosts(numbers, costs?.get(key));
      if (ofProject) prices?.show([ofProject.cost, ofProject.costOff]);
      found.push({
        machine: one.machine,
        project,
        ...numbers,
        ...ofProject,
        // A person who sees the machine through a project does not see charging elsewhere.
        ...(!one.isAnywhere && { chargedOffMj: 0 }),
        ...savings,
        daysThere: ofOne.reduce((sum, { daysThere }) => sum + daysThere, silentOfOne.length),
        silentDays: silentOfOne.length,
        silentMs: silentOfOne.reduce((sum, { shiftMs }) => sum + shiftMs, 0),
        isProvisional: isProvisional(one.streamId, last),
      });
    }
    return found;
  }
  async function* rows(): AsyncGenerator<MachineUseRow[], void> {
    const found: MachineUseRow[] = [];
    for await (const portion of readInPortions(context, question, machines, 0.2, readRows))
      found.push(...portion);
    found.sort(byProject(projects));
    for (let at = 0; at < found.length; at += 1_000) yield found.slice(at, at + 1_000);
  }

  return {
    columns: withOrganizationColumn(
      scope,
      prices
        ? withCostColumns(MACHINE_USE_COLUMNS, 'chargedOff', MACHINE_USE_COST_COLUMNS)
        : MACHINE_USE_COLUMNS,
    ),
    portions: rows(),
    rules: () => [
      ...machineUseReportNotes(
        settings,
        [...used.values()].map((one) => (organizations.length > 1 ? one : { ...one, organization: '' })),
      ),
      ...(prices?.rules() ?? []),
    ],
  };
}

type Costs = { readonly cost: ChargingCost; readonly costOff: ChargingCost };

/** Returns the costs of a row; null if the charged energy is not known. */
const knownCosts = ({ knownMs, chargedMj, chargedOffMj }: Numbers, costs: Costs | undefined) => ({
  cost: knownEnergy(knownMs, chargedMj) === null ? null : (costs?.cost ?? NO_COST),
  costOff: knownEnergy(knownMs, chargedOffMj) === null ? null : (costs?.costOff ?? NO_COST),
});

type ChargedDay = Pick<Sums, 'streamId' | 'organizationId' | 'projectId' | 'chargedMj'> & {
  readonly day: string;
  readonly fromHour: number | null;
  readonly hours: readonly number[] | null;
  /** Sums of the whole day, on and off the project. */
  readonly allMj: number;
  readonly allFromHour: number | null;
  readonly allHours: readonly number[] | null;
};

/**
 * Returns the cost of charging by machine and project: on the project, and elsewhere on the same days (the whole day minus the project).
 */
async function readCosts(
  { db, scope }: ReportContext,
  { settings }: ReportQuestion,
  machines: readonly OwnedMachine[],
  projects: readonly number[],
  prices: ReportPrices,
): Promise<ReadonlyMap<string, Costs>> {
  const days = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<ChargedDay>(
      `select d.stream_id, d.organization_id, d.project_id, d.day::text as day,
           d.charged_mj::float8 as charged_mj, d.charged_from_hour as from_hour, d.charged_hours::float8[] as hours,
           whole.charged_mj::float8 as all_mj, whole.charged_from_hour as all_from_hour, whole.charged_hours::float8[] as all_hours
         from telemetry.day_figures d join telemetry.day_figures whole on whole.stream_id = d.stream_id and whole.day = d.day
           and whole.organization_id = d.organization_id and whole.project_id = 0
         where ${DAY_FIGURES_CONDITION_SQL} and whole.charged_mj > 0`,
      dayFiguresParameters(scope, settings, own, projects),
    ),
  );
  const begins = new Map<string, number>();
  const hourAt = (day: string, hour: number | null): number => {
    const begin = begins.get(day) ?? amsterdamDayRange(day)?.from ?? 0;
    begins.set(day, begin);
    return begin + (hour ?? 0) * HOUR_MS;
  };
  const range = reportRangeMs(settings);
  const charging = await readTerreinCharging(db, prices, streamIdsOf(machines), range);
  const costs = new Map<string, Costs>();
  for (const one of days) {
    const { day, chargedMj, hours, allMj, allHours } = one;
    const price = prices.of(one.organizationId);
    const parts = charging(one.streamId, one.organizationId);
    const there = costOf(price, { chargedMj, hours, firstHour: hourAt(day, one.fromHour) }, parts);
    const allHere = { chargedMj: allMj, hours: allHours, firstHour: hourAt(day, one.allFromHour) };
    const all = costOf(price, allHere, parts);
    const off = { euros: all.euros - there.euros, unpricedMj: all.unpricedMj - there.unpricedMj };
    const { cost, costOff } = costs.get(keyOnProject(one)) ?? { cost: NO_COST, costOff: NO_COST };
    costs.set(keyOnProject(one), { cost: addCosts([cost, there]), costOff: addCosts([costOff, off]) });
  }
  return costs;
}

/** Returns the first days of the parts of a period in which no factor changes, 'YYYY-MM-DD', in order. */
const partsOf = (factors: readonly Factors[], { from, to }: ReportQuestion['settings']): string[] => [
  from,
  ...[
    ...new Set(
      factors
        .flatMap(({ co2, diesel }) => [...co2, ...diesel])
        .map(({ firstDay }) => firstDay)
        .filter((day) => day > from && day <= to),
    ),
  ].sort(),
];

/**
 * Returns the sums in the order of the parts. The energy charged elsewhere is the energy of the whole days minus the energy on the
 * project.
 */
async function readSums(
  { db, scope }: ReportContext,
  { settings }: ReportQuestion,
  machines: readonly OwnedMachine[],
  projects: readonly number[],
  parts: readonly string[],
): Promise<Sums[]> {
  const sums = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Sums>(
      `select d.stream_id, d.organization_id, d.project_id,
           width_bucket(d.day, $7::date[]) - 1 as part,
           (count(*) filter (where d.running_ms >= $8::bigint))::float8 as days, count(*)::float8 as days_there, sum(d.running_ms)::float8 as running_ms,
           sum(d.charging_ms)::float8 as charging_ms, sum(d.out_mj)::float8 as out_mj, sum(d.charged_mj)::float8 as charged_mj,
           coalesce(sum(whole.charged_mj - d.charged_mj), 0)::float8 as charged_off_mj, sum(d.known_ms)::float8 as known_ms,
           sum(d.heard_ms)::float8 as heard_ms, sum(d.window_ms)::float8 as window_ms,
           sum(d.window_heard_ms)::float8 as window_heard_ms
         from telemetry.day_figures d left join telemetry.day_figures whole on whole.stream_id = d.stream_id and whole.day = d.day
           and whole.organization_id = d.organization_id and whole.project_id = 0
         where ${DAY_FIGURES_CONDITION_SQL}
         group by 1, 2, 3, 4`,
      [...dayFiguresParameters(scope, settings, own, projects), parts, settings.minutes * 60_000],
    ),
  );
  return sums.sort((a, b) => a.part - b.part || a.streamId - b.streamId);
}

const NUMBERS = [
  'days',
  'runningMs',
  'chargingMs',
  'outMj',
  'chargedMj',
  'chargedOffMj',
  'knownMs',
  'heardMs',
  'windowMs',
  'windowHeardMs',
] as const;
type Numbers = Pick<MachineUseRow, (typeof NUMBERS)[number]>;

const addNumbers = (sums: readonly Sums[]): Numbers =>
  Object.fromEntries(NUMBERS.map((name) => [name, sums.reduce((sum, one) => sum + one[name], 0)])) as Numbers;

/** Computes the CO2 and the avoided diesel; null if a part has no factor. Adds the factors to `used`. */
function computeSavings(
  sums: readonly Sums[],
  parts: readonly string[],
  factors: Factors,
  { machine }: OwnedMachine,
  used: Map<object, UsedFactor>,
): Pick<MachineUseRow, 'co2' | 'diesel'> {
  // Days without data do not make the CO2 of the other days unknown.
  const isKnown =
    sums.length === 0 || sums.some(({ knownMs, outMj }) => knownEnergy(knownMs, outMj) !== null);
  let co2: number | null = isKnown ? 0 : null;
  let diesel: number | null = 0;
  const { organization, powerKw } = machine;
  for (const { part, outMj, runningMs } of sums) {
    const day = parts[part] as string;
    const carbon = co2FactorOn(factors, day);
    if (carbon) used.set(carbon, { kind: 'co2', organization, factor: carbon });
    co2 = carbon && co2 !== null ? co2 + (outMj / MJ_PER_KWH) * carbon.kgPerKwh : null;
    const reference = dieselFactorOn(factors, day, powerKw);
    if (reference) used.set(reference, { kind: 'diesel', organization, factor: reference });
    diesel = reference && diesel !== null ? diesel + (runningMs / HOUR_MS) * reference.litresPerHour : null;
  }
  return {
    co2: co2 === null ? null : roundToSixDecimals(co2),
    diesel: diesel === null ? null : roundToSixDecimals(diesel),
  };
}

/** Returns a comparison that sorts by organization and project, and keeps the order of the machines. */
function byProject(projects: ReadonlyMap<number, ReportProject>) {
  const order = [...projects.values()].sort(
    (a, b) => a.name.localeCompare(b.name, 'nl', { numeric: true }) || a.id - b.id,
  );
  const places = new Map<object, number>(order.map((project, place) => [project, place]));
  return (a: MachineUseRow, b: MachineUseRow): number =>
    a.machine.organization.localeCompare(b.machine.organization, 'nl') ||
    (places.get(a.project) ?? 0) - (places.get(b.project) ?? 0);
}
