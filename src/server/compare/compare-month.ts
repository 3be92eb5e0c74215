import { readProvisional } from '#server/day-figures/provisional.ts';
import { organizationsOf } from '#server/organizations/organizations.store.ts';
import { ofStreams } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import { cellsOf } from '#server/reports/json.ts';
import type { ComparedMonth } from '#shared/contract/compare.ts';
import type { Scope } from '#shared/domain/access.ts';
import { dayOf, daysAfter } from '#shared/domain/amsterdam-time.ts';
import { MONTH_COLUMNS, MONTH_RULES, type MonthRow, USED_DAY_MS } from '#shared/domain/compare.ts';
import { told } from '#shared/domain/reports/column.ts';
import type { ComparedMachine } from './compared-machines.ts';

type Sums = Omit<MonthRow, 'machine' | 'isProvisional'>;

const SUMS = [
  ['running_ms', 'runningMs'],
  ['charging_ms', 'chargingMs'],
  ['idle_ms', 'idleMs'],
  ['out_mj', 'outMj'],
  ['known_ms', 'knownMs'],
  ['heard_ms', 'heardMs'],
  ['charged_mj', 'chargedMj'],
  ['distance_mm', 'distanceMm'],
  ['window_ms', 'windowMs'],
  ['window_heard_ms', 'windowHeardMs'],
  ['run_out_mj', 'runOutMj'],
  ['run_in_mj', 'runInMj'],
] as const satisfies readonly (readonly [string, keyof Sums])[];

/**
 * Returns a row of figures for each machine, in the order given: the sums of its days of a month, as far as it was an organization's of the scope.
 * @param month 'YYYY-MM' @param now ms
 */
export async function compareMonth(
  db: Database,
  scope: Scope,
  machines: readonly ComparedMachine[],
  month: string,
  now: number,
): Promise<ComparedMonth> {
  const first = `${month}-01`;
  const streamIds = machines.map(({ streamId }) => streamId);
  const [sums, isProvisional] = await Promise.all([
    readSums(db, organizationsOf(scope), streamIds, first),
    readProvisional(db, streamIds, now),
  ]);
  const end = dayOf(endOf(first))?.from ?? now;
  const rows = machines.map(
    (machine): MonthRow => ({
      ...(sums.get(machine.streamId) ?? NOTHING),
      machine: {
        ...NO_FACTS,
        serial: machine.serial,
        alias: machine.alias,
        brand: machine.brand,
        model: machine.model,
      },
      isProvisional: sums.has(machine.streamId) && isProvisional(machine.streamId, end),
    }),
  );
  return {
    columns: MONTH_COLUMNS.map(told),
    rows: rows.map((row) => cellsOf(MONTH_COLUMNS, row)),
    notes: [...MONTH_RULES],
  };
}

/** First day of the month after. */
const endOf = (first: string): string => `${daysAfter(first, 31).slice(0, 7)}-01`;

const NO_FACTS = {
  organization: '',
  registrationNumber: '',
  sebCategory: null,
  powerKw: null,
  capacityKwh: null,
};
const NOTHING: Sums = {
  days: 0,
  usedDays: 0,
  runKnownMs: 0,
  ...(Object.fromEntries(SUMS.map(([, name]) => [name, 0])) as Record<(typeof SUMS)[number][1], number>),
};

async function readSums(
  db: Database,
  organizations: readonly number[] | null,
  streamIds: readonly number[],
  first: string,
): Promise<ReadonlyMap<number, Sums>> {
  const rows = await ofStreams(db, streamIds, (cell, own) =>
    cell.query<Sums & { id: number }>(
      `select stream_id as id, count(distinct day)::float8 as days,
         (count(distinct day) filter (where running_ms >= $5::bigint))::float8 as "usedDays",
         case when bool_or(run_known_ms is null and running_ms > 0) then null else coalesce(sum(run_known_ms), 0)::float8 end as "runKnownMs",
         ${SUMS.map(([column, name]) => `coalesce(sum(${column}), 0)::float8 as "${name}"`).join(', ')}
       from telemetry.day_figures
       where stream_id = any ($1) and day >= $2::date and day < $3::date and project_id = 0
         and ($4::integer[] is null or organization_id = any ($4))
       group by stream_id`,
      [own, first, endOf(first), organizations, USED_DAY_MS],
    ),
  );
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}
