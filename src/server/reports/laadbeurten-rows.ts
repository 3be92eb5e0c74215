import { pricingOfSession, TERREIN_OF_SESSION_SQL } from '#server/charging-tariffs/terrein-charging.ts';
import { openProvisionalCheck } from '#server/day-figures/provisional.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readPlaceNames } from '#server/streams/place-names.ts';
import { maySeePositionAt } from '#server/streams/scope.ts';
import { sessionEndSql } from '#server/telemetry/session-end.ts';
import {
  type ChargingCost,
  costOf,
  type HourlyPriceLookup,
  startOfHour,
} from '#shared/domain/charging-tariffs.ts';
import { withProjectName } from '#shared/domain/place-text.ts';
import type { Position } from '#shared/domain/position.ts';
import { chargedEnergyLine, costLine } from '#shared/domain/reports/charged-lines.ts';
import {
  SESSION_COLUMNS,
  SESSION_COST_COLUMNS,
  SESSION_COST_NOTE,
  SESSION_REPORT_NOTES,
  type SessionRow,
} from '#shared/domain/reports/laadbeurten.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { openReportChargingSums, type ReportChargingSums } from './charged-sums.ts';
import { type Report, type ReportContext, type ReportQuestion, withOrganizationColumn } from './report.ts';
import { type OwnedMachine, readInPortions, readMachines, streamIdsOf } from './report-machines.ts';
import { reportPrices, withCostColumns } from './report-prices.ts';
import { readProjects } from './report-projects.ts';

/** Assumed number of sessions per machine and day, from which the size of a portion follows. */
const SESSIONS_A_DAY = 3;

type Stored = Omit<SessionRow, 'machine' | 'project' | 'place' | 'isProvisional' | 'cost'> & {
  /** Charged energy per clock hour (mJ), from the hour in which the session began; null: not read. */
  readonly hours: readonly number[] | null;
  /** Id of the terrein on which the machine charged; null: none, or not read. */
  readonly terreinId: number | null;
  readonly streamId: number;
  /** The project that the machine was on when the session began. */
  readonly projectId: number | null;
  /** Whether a person assigned the machine to that project. */
  readonly byHand: boolean | null;
};

/** Reads Laadbeurten: the sessions that began in the period while the machine belonged to the organization. */
export async function readSessionReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<SessionRow>> {
  const { db, scope, now } = context;
  const { settings } = question;
  const range = reportRangeMs(settings);
  const machines = await readMachines(db, scope, range, question);
  const projects = await readProjects(db, scope, question.projects);
  const prices = await reportPrices(db, scope, machines, settings);

  const sums = openReportChargingSums(context, question, prices);
  let isWhole = false;
  /** Whether the lines below the table add up: the report has whole days, and the reader sees every figure of the machines. */
  const isSummed = !scope.limited && (settings.fromTime ?? settings.toTime) === undefined;

  const readRows = async (portion: readonly OwnedMachine[]): Promise<SessionRow[]> => {
    const isProvisional = await openProvisionalCheck(db, streamIdsOf(portion), now);
    const nameOf = await readPlaceNames(db, scope, streamIdsOf(portion));
    const stored = Map.groupBy(
      await readSessions(context, portion, range, prices !== undefined),
      ({ streamId }) => streamId,
    );
    const found = portion.flatMap((owned) =>
      (stored.get(owned.streamId) ?? [])
        .filter(({ from }) => owned.own.some((own) => own.from <= from && from < own.to))
        .flatMap(({ streamId, projectId, byHand, hours, terreinId, ...session }) => {
          // The place of a session, and a project found by position, reveal the position of the machine at that time.
          const seesPlace = maySeePositionAt(scope, session.from);
          const found = seesPlace || byHand ? projects.get(projectId ?? 0) : undefined;
          const project = found?.organizationId === owned.organizationId ? found : undefined;
          if (question.projects && !project) return [];
          const at = seesPlace ? pointOf(session) : null;
          const named = at && withProjectName(nameOf(streamId, at, session.from), project?.name ?? null);
          const cost =
            prices &&
            sessionCost(
              pricingOfSession(prices, owned.organizationId, { ...session, terreinId }),
              session,
              hours,
            );
          prices?.show([cost ?? null]);
          return {
            ...session,
            ...(cost && { cost }),
            place: named?.name ?? null,
            latitude: at?.lat ?? null,
            longitude: at?.lon ?? null,
            machine: owned.machine,
            project: project?.name ?? '',
            isProvisional: session.ended === null || isProvisional(streamId, session.to),
          };
        }),
    );
    if (isSummed) await sums.addCharged(portion);
    sums.addSessions(found);
    return found;
  };
  async function* rows(): AsyncGenerator<SessionRow[], void> {
    yield* readInPortions(context, question, machines, SESSIONS_A_DAY, readRows);
    isWhole = isSummed;
  }
  return {
    columns: withOrganizationColumn(
      scope,
      prices ? withCostColumns(SESSION_COLUMNS, 'charged', SESSION_COST_COLUMNS) : SESSION_COLUMNS,
    ),
    portions: rows(),
    rules: () => [
      ...SESSION_REPORT_NOTES,
      ...(isWhole ? linesOf(sums) : []),
      ...(prices && !isWhole ? [SESSION_COST_NOTE] : []),
      ...(prices?.rules() ?? []),
    ],
  };
}

/** Returns the lines that explain the difference with Dagstaten. */
const linesOf = ({ energy, euros }: ReportChargingSums): string[] => {
  const amounts = euros();
  return [chargedEnergyLine(energy()), ...(amounts ? [costLine(amounts)] : [])];
};

const pointOf = ({ latitude, longitude }: Pick<Stored, 'latitude' | 'longitude'>): Position | null =>
  latitude === null || longitude === null ? null : { lat: latitude, lon: longitude };
/**
 * Returns the cost of a session.
 * @param hours the energy in mJ per clock hour, from the hour in which the session began
 */
const sessionCost = (
  price: HourlyPriceLookup | undefined,
  { from, chargedMj }: Pick<SessionRow, 'from' | 'chargedMj'>,
  hours: readonly number[] | null,
): ChargingCost => costOf(price, { chargedMj, firstHour: startOfHour(from), hours });

async function readSessions(
  { db, now }: ReportContext,
  machines: readonly OwnedMachine[],
  { from, to }: { readonly from: number; readonly to: number },
  hasPrices: boolean,
): Promise<Stored[]> {
  return runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<Stored>(
      `select c.stream_id, date_part('epoch', c.from_time) * 1000 as "from", date_part('epoch', c.to_time) * 1000 as "to",
           c.charging_ms::float8 as charging_ms, c.full_ms::float8 as full_ms, c.charged_mj::float8 as charged_mj,
           c.highest_watts, c.soc_from, c.soc_to, c.latitude, c.longitude, ${sessionEndSql('$4')} as ended,
           there.project_id, there.by_hand, ${hasPrices ? `c.charged_hours::float8[] as hours, ${TERREIN_OF_SESSION_SQL}` : 'null as hours, null'} as terrein_id
         from telemetry.charging_session c left join telemetry.latest l on l.stream_id = c.stream_id left join lateral (
           select p.project_id, p.by_hand from telemetry.presence p where p.stream_id = c.stream_id and p.from_time <= c.from_time
             and p.to_time > c.from_time order by p.from_time desc limit 1) as there on true
         where c.stream_id = any ($1) and c.from_time >= $2 and c.from_time < $3
         order by c.stream_id, c.from_time`,
      [streamIdsOf(own), new Date(from), new Date(to), new Date(now)],
    ),
  );
}
