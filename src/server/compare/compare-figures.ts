import { openProvisionalCheck } from '#server/day-figures/provisional.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { reportRowCells } from '#server/reports/json.ts';
import type { ComparedFigures } from '#shared/contract/compare.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import {
  COMPARED_FIGURE_NOTES,
  FIGURES_COLUMNS,
  type FiguresRow,
  MAX_COMPARED_DAYS,
  MIN_USED_DAY_MS,
} from '#shared/domain/compare.ts';
import type { Period } from '#shared/domain/periods.ts';
import { columnInfo } from '#shared/domain/reports/column.ts';
import { daysBetween } from '#shared/domain/reports/settings.ts';
import type { ComparedMachine } from './compared-machines.ts';

type Sums = Omit<FiguresRow, 'machine' | 'isProvisional'>;

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
  ['run_known_ms', 'runKnownMs'],
  ['run_out_mj', 'runOutMj'],
  ['run_in_mj', 'runInMj'],
] as const satisfies readonly (readonly [string, keyof Sums])[];

/**
 * Returns a row of figures for each machine, in the given order: the sums of its days from the first to the last, as far as it belonged to
 * an organization of the scope.
 * @param now ms
 * @throws ProblemError 400 for a first day after the last, or more than 31 days
 */
export async function readComparedFigures(
  db: Database,
  scope: Scope,
  machines: readonly ComparedMachine[],
  days: Period,
  now: number,
): Promise<ComparedFigures> {
  const count = daysBetween(days.from, days.to);
  if (count < 1) throw invalidInputError('De eerste dag ligt na de laatste dag.');
  if (count > MAX_COMPARED_DAYS)
    throw invalidInputError(`Kies een periode van hoogstens ${MAX_COMPARED_DAYS} dagen.`);
  const streamIds = machines.map(({ streamId }) => streamId);
  const [sums, isProvisional] = await Promise.all([
    readSums(db, organizationsParameter(scope), streamIds, days),
    openProvisionalCheck(db, streamIds, now),
  ]);
  const end = amsterdamDayRange(days.to)?.to ?? now;
  const rows = machines.map(
    (machine): FiguresRow => ({
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
    columns: FIGURES_COLUMNS.map(columnInfo),
    rows: rows.map((row) => reportRowCells(FIGURES_COLUMNS, row)),
    notes: [...COMPARED_FIGURE_NOTES],
  };
}

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
  ...(Object.fromEntries(SUMS.map(([, name]) => [name, 0])) as Record<(typeof SUMS)[number][1], number>),
};

async function readSums(
  db: Database,
  organizations: readonly number[] | null,
  streamIds: readonly number[],
  { from, to }: Period,
): Promise<ReadonlyMap<number, Sums>> {
  const rows = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<Sums & { id: number }>(
      `select stream_id as id, count(distinct day)::float8 as days,
         (count(distinct day) filter (where running_ms >= $5::bigint))::float8 as used_days,
         ${SUMS.map(([column, name]) => `coalesce(sum(${column}), 0)::float8 as "${name}"`).join(', ')}
       from telemetry.day_figures
       where stream_id = any ($1) and day >= $2::date and day <= $3::date and project_id = 0
         and ($4::integer[] is null or organization_id = any ($4))
       group by stream_id`,
      [own, from, to, organizations, MIN_USED_DAY_MS],
    ),
  );
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}
