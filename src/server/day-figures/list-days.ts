import { readPricesOfOwners } from '#server/charging-tariffs/tariffs.store.ts';
import { readTerreinCharging } from '#server/charging-tariffs/terrein-charging.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { readContradictions } from '#server/streams/contradictions.ts';
import { maySeePositionAt, type OwnHistory } from '#server/streams/scope.ts';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDayRange, daysAfter } from '#shared/domain/amsterdam-time.ts';
import { addCosts, type ChargingCost, costOf, HOUR_MS } from '#shared/domain/charging-tariffs.ts';
import { knownEnergy, knownEnergyShare } from '#shared/domain/figures.ts';
import { toCostAnswer } from '#shared/domain/reports/charging-costs.ts';
import { contradictionText } from '#shared/domain/signal-contradiction.ts';
import { dayOnProjectVisibleSql, visibleHoursOfDays } from './days-on-projects.ts';
import { openProvisionalCheck } from './provisional.ts';
import { visibleDays } from './seen-days.ts';

const MJ_PER_KWH = 3.6e9;

type Row = {
  day: string;
  runningMs: number;
  chargingMs: number;
  idleMs: number;
  outMj: number;
  inMj: number;
  chargedMj: number;
  distanceMm: number;
  carriedMm: number;
  noFix: number;
  nullIsland: number;
  jumps: number;
  heardMs: number;
  knownMs: number;
  windowMs: number;
  windowHeardMs: number;
  first: number | null;
  last: number | null;
  firstRunning: number | null;
  lastRunning: number | null;
  firstCharging: number | null;
  lastCharging: number | null;
  lowest: number | null;
  highest: number | null;
};

const SUMS = [
  ['running_ms', 'runningMs'],
  ['charging_ms', 'chargingMs'],
  ['idle_ms', 'idleMs'],
  ['out_mj', 'outMj'],
  ['in_mj', 'inMj'],
  ['charged_mj', 'chargedMj'],
  ['distance_mm', 'distanceMm'],
  ['carried_mm', 'carriedMm'],
  ['unused_no_fix', 'noFix'],
  ['unused_null_island', 'nullIsland'],
  ['unused_jumps', 'jumps'],
  ['heard_ms', 'heardMs'],
  ['known_ms', 'knownMs'],
  ['window_ms', 'windowMs'],
  ['window_heard_ms', 'windowHeardMs'],
] as const;

/**
 * Returns the days of a month on which an organization of the scope owned the machine.
 * @param month 'YYYY-MM' in Amsterdam
 * @param now ms
 */
export async function listDays(
  db: Database,
  scope: Scope,
  { streamId, own }: OwnHistory,
  month: string,
  now: number,
): Promise<{ days: DailyFigures[]; newest: string | null; contradiction?: string }> {
  const { organizations, projects: seen, firstDay } = visibleDays(scope, streamId);
  const isMachine = seen.includes(0);
  const first = `${month}-01`;
  const hours = visibleHoursOfDays(scope, { firstDay: first, lastDay: daysAfter(first, 30) });
  const { rows } = await shardForStream(db, streamId).query<Row>(
    `select day::text, ${SUMS.map(([column, name]) => `sum(${column})::float8 as "${name}"`).join(', ')},
       date_part('epoch', min(first_active)) * 1000 as "first", date_part('epoch', max(last_active)) * 1000 as "last",
       date_part('epoch', min(first_running)) * 1000 as first_running, date_part('epoch', max(last_running)) * 1000 as last_running,
       date_part('epoch', min(first_charging)) * 1000 as first_charging, date_part('epoch', max(last_charging)) * 1000 as last_charging,
       min(soc_min) as lowest, max(soc_max) as highest
     from telemetry.day_figures d
     where stream_id = $1 and day >= $2::date and day < $2::date + interval '1 month' and project_id = any ($4)
       and ($3::integer[] is null or /*rule:days-organization*/ organization_id = any ($3) /*=true*/) and ($5::date is null or day >= $5::date)
       and ${dayOnProjectVisibleSql('d', '$6')}
     group by day order by day`,
    [streamId, first, organizations, seen, firstDay, hours],
  );
  const projects = await projectsByDay(
    db,
    streamId,
    first,
    organizations,
    hours,
    scope.limited?.projects ?? null,
  );
  const costs = await readCosts(db, scope, streamId, first);
  const isProvisional = await openProvisionalCheck(db, [streamId], now);
  const { rows: newest } = await shardForStream(db, streamId).query<{ day: string | null }>(
    `select max(day)::text as day from telemetry.day_figures
     where stream_id = $1 and project_id = any ($3) and ($2::integer[] is null or organization_id = any ($2))
       and ($4::date is null or day >= $4::date)`,
    [streamId, organizations, seen, firstDay],
  );
  const contradiction = (
    await readContradictions(db, [{ streamId, ownedSince: own.at(-1)?.from ?? Number.POSITIVE_INFINITY }])
  ).get(streamId);
  return {
    ...(contradiction && { contradiction: contradictionText(contradiction) }),
    days: rows.map((row) => ({
      ...dayOfRow(row, isMachine ? moment : momentSeen(scope)),
      ...(costs && { cost: toCostAnswer(costOfDay(row, costs.get(row.day))) }),
      isProvisional: isProvisional(streamId, endOf(row.day)),
      projects: projects.get(row.day) ?? [],
    })),
    newest: newest[0]?.day ?? null,
  };
}

/** Returns the cost of a day; null when the charged energy is unknown. */
const costOfDay = ({ knownMs, chargedMj }: Row, costs: readonly ChargingCost[] = []): ChargingCost | null =>
  knownEnergy(knownMs, chargedMj) === null ? null : addCosts(costs);

/** Returns by day the cost for each owner in the scope; undefined when none of these owners has a tariff. */
async function readCosts(
  db: Database,
  scope: Scope,
  streamId: number,
  first: string,
): Promise<ReadonlyMap<string, ChargingCost[]> | undefined> {
  const prices = await readPricesOfOwners(db, scope, streamId);
  if (!prices) return undefined;
  const { rows } = await shardForStream(db, streamId).query<{
    day: string;
    organizationId: number;
    chargedMj: number;
    fromHour: number | null;
    hours: number[] | null;
  }>(
    `select day::text, organization_id, charged_mj::float8 as charged_mj, charged_from_hour as from_hour,
       charged_hours::float8[] as hours
     from telemetry.day_figures
     where stream_id = $1 and day >= $2::date and day < $2::date + interval '1 month' and project_id = 0
       and ($3::integer[] is null or organization_id = any ($3))`,
    [streamId, first, organizationsParameter(scope)],
  );
  const [firstOfAll, lastOfAll] = [amsterdamDayRange(first), amsterdamDayRange(daysAfter(first, 31))];
  const range = { from: firstOfAll?.from ?? 0, to: lastOfAll?.to ?? 0 };
  const charging = await readTerreinCharging(db, prices, [streamId], range);
  const costs = rows.map(({ day, organizationId, chargedMj, fromHour, hours }) => {
    const firstHour = (amsterdamDayRange(day)?.from ?? 0) + (fromHour ?? 0) * HOUR_MS;
    const parts = charging(streamId, organizationId);
    return { day, cost: costOf(prices.of(organizationId), { chargedMj, firstHour, hours }, parts) };
  });
  return new Map(
    [...Map.groupBy(costs, ({ day }) => day)].map(([day, own]) => [day, own.map(({ cost }) => cost)]),
  );
}

const endOf = (day: string): number => amsterdamDayRange(day)?.to ?? 0;
type Moment = (ms: number | null) => string | null;
const moment: Moment = (ms) => (ms === null ? null : new Date(ms).toISOString());
/**
 * Hides times outside the hours that the scope may see, because the time of activity on a project shows when the
 * machine was there.
 */
const momentSeen =
  (scope: Scope): Moment =>
  (ms) =>
    ms !== null && maySeePositionAt(scope, ms) ? moment(ms) : null;

function dayOfRow(row: Row, moment: Moment): Omit<DailyFigures, 'isProvisional' | 'projects'> {
  const { outMj, inMj, chargedMj, knownMs, windowMs, windowHeardMs } = row;
  const kWh = (mj: number): number | null => {
    const known = knownEnergy(knownMs, mj);
    return known === null ? null : known / MJ_PER_KWH;
  };
  return {
    date: row.day,
    first: moment(row.first),
    last: moment(row.last),
    firstRunning: moment(row.firstRunning),
    lastRunning: moment(row.lastRunning),
    firstCharging: moment(row.firstCharging),
    lastCharging: moment(row.lastCharging),
    running: row.runningMs / 1000,
    charging: row.chargingMs / 1000,
    idle: row.idleMs / 1000,
    out: kWh(outMj),
    charged: kWh(chargedMj),
    fedBack: kWh(inMj),
    known: knownEnergyShare(row),
    distance: row.distanceMm / 1000,
    carried: row.carriedMm / 1000,
    unused: { noFix: row.noFix, nullIsland: row.nullIsland, jumps: row.jumps },
    lowest: row.lowest,
    highest: row.highest,
    coverage: windowMs > 0 ? windowHeardMs / windowMs : null,
  };
}

/**
 * Returns the names of the projects that the machine was on, by day.
 * @param hours see dayOnProjectVisibleSql
 * @param only names of these projects; null: all
 */
async function projectsByDay(
  db: Database,
  streamId: number,
  first: string,
  organizations: readonly number[] | null,
  hours: string | null,
  only: readonly number[] | null,
): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await shardForStream(db, streamId).query<{ day: string; projectId: number }>(
    `select day::text, project_id from telemetry.day_figures d
     where stream_id = $1 and day >= $2::date and day < $2::date + interval '1 month' and project_id <> 0
       and ($3::integer[] is null or organization_id = any ($3)) and ${dayOnProjectVisibleSql('d', '$4')}
     order by day, project_id`,
    [streamId, first, organizations, hours],
  );
  const { rows: named } = await db.query<{ id: number; name: string }>(
    'select id, name from project where id = any ($1) and ($2::integer[] is null or id = any ($2))',
    [[...new Set(rows.map(({ projectId }) => projectId))], only],
  );
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return new Map(
    [...Map.groupBy(rows, ({ day }) => day)].map(([day, there]) => [
      day,
      there.flatMap(({ projectId }) => names.get(projectId) ?? []),
    ]),
  );
}
