import {
  pricingOfSession,
  type SessionStartPlace,
  TERREIN_OF_SESSION_SQL,
} from '#server/charging-tariffs/terrein-charging.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { type ChargingCost, costOf, HOUR_MS, startOfHour } from '#shared/domain/charging-tariffs.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type ChargedSums, NO_CHARGED_SUMS } from '#shared/domain/reports/charged-lines.ts';
import { eurosOf } from '#shared/domain/reports/charging-costs.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { type ChargedDay, chargedHoursSql, openDayRanges, readDayCost } from './day-costs.ts';
import type { ReportContext, ReportQuestion } from './report.ts';
import {
  DAY_FIGURES_CONDITION_SQL,
  dayFiguresParameters,
  machineOwnerKey,
  type OwnedMachine,
  streamIdsOf,
} from './report-machines.ts';
import type { ReportPrices } from './report-prices.ts';

/** The sums, in mJ and in euro, that explain why the sessions of a report differ from the report Dagstaten. */
export type ReportChargingSums = {
  addSessions(sessions: readonly { readonly chargedMj: number; readonly cost?: ChargingCost | null }[]): void;
  /** Reads the energy that these machines charged in the period, and adds it to the sums. */
  addCharged(portion: readonly OwnedMachine[]): Promise<void>;
  readonly energy: () => ChargedSums;
  /** undefined if there is no tariff, or no energy has a price. */
  readonly euros: () => ChargedSums | undefined;
};

export function openReportChargingSums(
  context: ReportContext,
  question: ReportQuestion,
  prices: ReportPrices | undefined,
): ReportChargingSums {
  const energy = { ...NO_CHARGED_SUMS };
  const euros = { ...NO_CHARGED_SUMS };
  let isPriced = false;
  const rangeOf = openDayRanges();
  const eurosIn = (cost: ChargingCost | null | undefined): number => {
    const amount = eurosOf(cost ?? null);
    if (amount !== null) isPriced = true;
    return amount ?? 0;
  };
  return {
    addSessions(sessions) {
      for (const { chargedMj, cost } of sessions) {
        energy.sessions += chargedMj;
        euros.sessions += eurosIn(cost);
      }
    },
    async addCharged(portion) {
      const days = Map.groupBy(
        await readDays(context, question, portion, prices !== undefined),
        machineOwnerKey,
      );
      const costOfDay = await readDayCost(
        context.db,
        prices,
        streamIdsOf(portion),
        question.settings,
        rangeOf,
      );
      // Adds in the order of the rows of Dagstaten, so that both sums round to the same cent.
      for (const day of portion.flatMap((owned) => days.get(machineOwnerKey(owned)) ?? [])) {
        energy.charged += day.chargedMj;
        euros.charged += eurosIn(costOfDay(day));
      }
      if (question.projects) return;
      const range = reportRangeMs(question.settings);
      for (const one of await readCrossingSessions(context, portion, range, prices !== undefined)) {
        const organizationId = ownerOf(portion, one, range);
        if (organizationId === undefined) continue;
        const side = one.from < range.from ? 'before' : 'after';
        energy[side] += one.mj;
        if (prices) euros[side] += crossingEuros(prices, organizationId, one, range);
      }
    },
    energy: () => energy,
    euros: () => (isPriced ? euros : undefined),
  };
}

/** Returns the charged energy by machine and day, in order. If the report is limited to projects, by machine, day and project. */
async function readDays(
  { db, scope }: ReportContext,
  { settings, projects }: ReportQuestion,
  machines: readonly OwnedMachine[],
  hasPrices: boolean,
): Promise<ChargedDay[]> {
  return runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<ChargedDay>(
      `select d.stream_id, d.organization_id, d.day::text as day, d.known_ms::float8 as known_ms,
         d.charged_mj::float8 as charged_mj, ${chargedHoursSql(hasPrices)}
       from telemetry.day_figures d
       where ${DAY_FIGURES_CONDITION_SQL} and d.charged_mj > 0
       order by d.stream_id, d.day, d.project_id`,
      dayFiguresParameters(scope, settings, own, projects ?? [0]),
    ),
  );
}

/**
 * A session that crosses the start or end of the period. `mj` is the energy of the part after the period or, if the session began
 * before the period, of the part inside the period.
 */
type CrossingSession = SessionStartPlace & {
  readonly streamId: number;
  readonly mj: number;
  /** Charged energy per clock hour (mJ), from the hour in which the session began; null: not read. */
  readonly hours: readonly number[] | null;
};

const readCrossingSessions = (
  { db }: ReportContext,
  machines: readonly OwnedMachine[],
  { from, to }: Range,
  hasPrices: boolean,
): Promise<CrossingSession[]> =>
  runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<CrossingSession>(
      `select c.stream_id, date_part('epoch', c.from_time) * 1000 as "from", c.latitude, c.longitude,
         ${hasPrices ? `c.charged_hours::float8[] as hours, ${TERREIN_OF_SESSION_SQL}` : 'null as hours, null'} as terrein_id, (
           select coalesce(sum(r.charged_mj), 0) from telemetry.rollup r where r.stream_id = c.stream_id and r.bucket < c.to_time
             and (r.bucket >= $3 or c.from_time < $2) and r.bucket >= $2 and (r.bucket < $3 or c.from_time >= $2)
         )::float8 as mj
       from telemetry.charging_session c
       where c.stream_id = any ($1) and ((c.from_time >= $2 and c.from_time < $3 and c.to_time > $3)
         or (c.from_time < $2 and c.to_time > $2 and c.from_time > $2::timestamptz - interval '30 days'))
       order by c.stream_id, c.from_time`,
      [streamIdsOf(own), new Date(from), new Date(to)],
    ),
  );

/**
 * Returns the organization that owned the machine when the session began, or at the start of the period if the session began earlier;
 * undefined if the report does not contain the machine.
 */
const ownerOf = (
  machines: readonly OwnedMachine[],
  { streamId, from: begin }: Pick<CrossingSession, 'streamId' | 'from'>,
  { from }: Range,
): number | undefined =>
  machines.find(
    (one) =>
      one.streamId === streamId && one.own.some((own) => own.from <= Math.max(begin, from) && begin < own.to),
  )?.organizationId;

/** Returns the cost in euro of the part of a session to which CrossingSession's `mj` belongs. The period starts and ends at a full hour. */
function crossingEuros(
  prices: ReportPrices,
  organizationId: number,
  session: CrossingSession,
  { from, to }: Range,
): number {
  const firstHour = startOfHour(session.from);
  const isIn = (hour: number): boolean => (session.from < from ? hour >= from && hour < to : hour >= to);
  const hours = (session.hours ?? []).map((mj, n) => (isIn(firstHour + n * HOUR_MS) ? mj : 0));
  return costOf(pricingOfSession(prices, organizationId, session), { chargedMj: 0, firstHour, hours }).euros;
}
