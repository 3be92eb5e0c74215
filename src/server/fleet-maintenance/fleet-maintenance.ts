import type { Caller } from '#server/auth/sessions.ts';
import { readHourMeters, readMaintenance } from '#server/maintenance/maintenance.store.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { invalidInputError, notFound } from '#server/platform/problem.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readPresentMachines } from '#server/projects/present.ts';
import { requireLabels } from '#server/reports/report-labels.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { MaintenanceItem, MaintenanceQuery } from '#shared/contract/fleet-maintenance.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay, daysAfter } from '#shared/domain/amsterdam-time.ts';
import { DUTCH_COLLATOR } from '#shared/domain/dutch-collator.ts';
import {
  dueSortValue,
  expectedDay,
  USUAL_HOURS_PERIOD_DAYS,
  usualHoursPerWeek,
} from '#shared/domain/maintenance.ts';
import { parseJson } from '#shared/domain/outside-json.ts';
import { searchByWords } from '#shared/domain/word-search.ts';

type Machine = Pick<MaintenanceItem, 'serial' | 'alias' | 'brand' | 'model' | 'cleanorg'> & {
  readonly streamId: number;
};

/**
 * Returns the maintenance plans of the caller's machines that a query selects, in every state, in the requested order.
 * @param now ms
 * @throws ProblemError 400 for invalid labels; 404 for a label or project outside the scope
 */
export async function readFleetMaintenance(
  db: Database,
  { scope, accountId }: Pick<Caller, 'scope' | 'accountId'>,
  question: MaintenanceQuery,
  now: number,
): Promise<readonly MaintenanceItem[]> {
  const labels = await labelsIn(db, scope, question.labels);
  const machines = await readMachines(db, scope, labels, question.favourites && accountId);
  const present =
    question.project === undefined ? undefined : await presentOn(db, scope, question.project, now);
  const byStream = new Map(
    machines
      .filter(({ streamId }) => present?.has(streamId) ?? true)
      .map((machine) => [machine.streamId, machine]),
  );
  const today = amsterdamDay(now);
  const streamIds = [...byStream.keys()];
  const [plans, meters, usual] = await Promise.all([
    readMaintenance(db, streamIds, now),
    readHourMeters(db, streamIds),
    readUsualHours(db, organizationsParameter(scope), streamIds, today),
  ]);
  const items = [...plans].flatMap(([streamId, ofMachine]) => {
    const { streamId: _, ...machine } = byStream.get(streamId) as Machine;
    const hoursPerWeek = usual.get(streamId) ?? null;
    const hours = meters.get(streamId) ?? 0;
    return ofMachine.map(
      ({ id, streamId: __, organizationId: ___, ofTemplate: ____, ...plan }): MaintenanceItem => ({
        _id: id,
        ...machine,
        ...plan,
        hours,
        hoursPerWeek,
        expectedDay: expectedDay(plan, hoursPerWeek ?? undefined, today),
      }),
    );
  });
  const compare = ORDERS[question.sort];
  return searchByWords(items, question.text ?? '', textOf)
    .map((item): OrderedItem => ({ item, order: dueSortValue(item) }))
    .sort(compare)
    .map(({ item }) => item);
}

const textOf = ({ alias, serial, brand, model, planName }: MaintenanceItem): string =>
  `${alias} ${serial} ${brand} ${model} ${planName}`;

type OrderedItem = { readonly item: MaintenanceItem; readonly order: number };
type Order = (a: OrderedItem, b: OrderedItem) => number;
const byDue: Order = (a, b) => a.order - b.order;
const byMachine: Order = ({ item: a }, { item: b }) =>
  DUTCH_COLLATOR.compare(a.alias, b.alias) || DUTCH_COLLATOR.compare(a.serial, b.serial);
const byTask: Order = (a, b) => DUTCH_COLLATOR.compare(a.item.planName, b.item.planName);
const byLast: Order = ({ item: a }, { item: b }) =>
  Number(a.lastDay > b.lastDay) - Number(a.lastDay < b.lastDay);
const byId: Order = (a, b) => a.item._id - b.item._id;
const firstDifference =
  (...orders: readonly Order[]): Order =>
  (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
const ORDERS: Readonly<Record<MaintenanceQuery['sort'], Order>> = {
  due: firstDifference(byDue, byMachine, byTask, byId),
  machine: firstDifference(byMachine, byDue, byId),
  task: firstDifference(byTask, byDue, byMachine, byId),
  last: firstDifference(byLast, byMachine, byId),
};

async function readMachines(
  db: Database,
  scope: Scope,
  labels: readonly number[] | undefined,
  favouritesOf: number | undefined,
): Promise<Machine[]> {
  const { rows } = await db.query<Machine>(
    `select s.id as stream_id, s.serial, s.alias, m.brand, m.model, s.organization_name as cleanorg
     from ${visibleStreamsSql(scope)} join machine m on m.stream_id = s.id
     where ($3::integer[] is null or exists (
       select from machine_label c join label l on l.id = c.label_id
       where c.stream_id = s.id and l.organization_id = s.organization_id and l.id = any ($3)
     )) and ($4::integer is null or exists (select from favourite f where f.stream_id = s.id and f.account_id = $4))`,
    [...visibleStreamsParameters(scope, ['machine']), labels ?? null, favouritesOf ?? null],
  );
  return rows;
}

/** Returns the label ids; undefined if the query does not filter by label. */
async function labelsIn(
  db: Database,
  scope: Scope,
  text: string | undefined,
): Promise<readonly number[] | undefined> {
  if (text === undefined) return undefined;
  const ids = listIn(text);
  if (!ids.every((id) => typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647))
    throw invalidInputError('De labels zijn een JSON-lijst van nummers.');
  if (ids.length === 0) return undefined;
  return (await requireLabels(db, scope, ids as number[])).map(({ id }) => id);
}

function listIn(text: string): unknown[] {
  let list: unknown;
  try {
    list = parseJson(text);
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list)) throw invalidInputError('De labels zijn een JSON-lijst van nummers.');
  return list;
}

/** Returns the streams that are on a project now, as far as the caller may see them. */
async function presentOn(
  db: Database,
  scope: Scope,
  projectId: number,
  now: number,
): Promise<ReadonlySet<number>> {
  const { rowCount } = await db.query(
    'select from project where id = $1 and deleted_at is null and ($2::integer[] is null or organization_id = any ($2))',
    [projectId, organizationsParameter(scope)],
  );
  if (!rowCount) throw notFound('Dit project bestaat niet.');
  const present = await readPresentMachines(db, organizationsParameter(scope), scope.positionHours, now);
  return new Set(present.filter((one) => one.projectId === projectId).map(({ streamId }) => streamId));
}

const MS_PER_HOUR = 3_600_000;
const DAY_MS = 86_400_000;

type Row = {
  readonly id: number;
  readonly ms: number;
  /** First day with data in the four weeks, 'YYYY-MM-DD'. */
  readonly first: string;
  readonly isOlder: boolean;
};

/**
 * Returns the usual running hours per week, by stream, from the four weeks before today; machines with fewer than 14 known days are left
 * out.
 * @param organizations null: all
 * @param today 'YYYY-MM-DD'
 */
async function readUsualHours(
  db: Database,
  organizations: readonly number[] | null,
  streamIds: readonly number[],
  today: string,
): Promise<ReadonlyMap<number, number>> {
  const begin = daysAfter(today, -USUAL_HOURS_PERIOD_DAYS);
  const rows = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<Row>(
      `select d.stream_id as id, sum(d.running_ms)::float8 as ms, min(d.day)::text as first,
         exists (select from telemetry.day_figures e where e.stream_id = d.stream_id and e.day < $3 and e.project_id = 0
           and ($2::integer[] is null or e.organization_id = any ($2))) as is_older
       from telemetry.day_figures d
       where d.stream_id = any ($1) and d.day >= $3 and d.day < $4 and d.project_id = 0
         and ($2::integer[] is null or d.organization_id = any ($2))
       group by d.stream_id`,
      [own, organizations, begin, today],
    ),
  );
  return new Map(
    rows.flatMap(({ id, ms, first, isOlder }) => {
      const days = isOlder ? USUAL_HOURS_PERIOD_DAYS : (Date.parse(today) - Date.parse(first)) / DAY_MS;
      const perWeek = usualHoursPerWeek(ms / MS_PER_HOUR, days);
      return perWeek === undefined ? [] : [[id, perWeek]];
    }),
  );
}
